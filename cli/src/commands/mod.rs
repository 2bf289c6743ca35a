//! A file or folder for each command, and what several of them do. How they are typed is `arguments`', how they fail `failure`'s, where they print `output`'s.

mod api;
mod article;
mod article_text;
mod articles;
mod cancel;
mod completions;
mod execute;
mod generate;
mod interrupt;
mod job;
mod lead;
mod lead_rows;
mod leads;
mod listen;
mod listing;
mod man;
mod post;
mod posts;
mod raw;
mod trigger;
mod wait;
mod waiting;
mod websites;

pub(crate) use execute::execute;
