//! The command line: the commands and their results. `config` contains the options; `server` and `app` do the work.

mod account;
mod backup;
mod failure;
mod hook;
mod logging;
mod ready_file;
mod run;
mod serve;
mod table;
mod text_file;
mod voice;
mod website;
mod welcome;
mod write;
mod writer;

pub use run::{command, run};
