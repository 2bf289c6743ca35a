//! The command line: the commands and their results. `config` contains the options; `server` and `app` do the work.

mod account;
mod backup;
mod database;
mod failure;
mod hook;
mod logging;
mod output;
mod ready_file;
mod run;
mod serve;
mod text_file;
mod voice;
mod website;
mod welcome;
mod write;
mod writer;

pub use run::{command, run};
