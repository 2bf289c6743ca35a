//! One file for each command. How they are typed is `arguments`', how they fail `failure`'s, where they print `output`'s.

mod article;
mod article_text;
mod cancel;
mod completions;
mod execute;
mod generate;
mod interrupt;
mod job;
mod lead_rows;
mod leads;
mod listen;
mod raw;
mod wait;
mod waiting;
mod websites;

pub(crate) use execute::execute;
