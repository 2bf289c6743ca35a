//! Commands, one file or folder each, and the code that several of them share. Parsing is in `arguments`, errors are in `failure`,
//! printing is in `output`.

mod api;
mod article;
mod article_text;
mod articles;
mod completions;
mod execute;
mod generate;
mod interrupt;
mod jobs;
mod lead;
mod lead_rows;
mod leads;
mod listen;
mod listing;
mod login;
mod man;
mod personal;
mod post;
mod posts;
mod raw;
mod trigger;
mod wait;
mod waiting;
mod websites;

pub(crate) use execute::execute;
