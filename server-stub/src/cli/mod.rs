//! The command line: the commands and their results. `config` contains the options; `server` and `app` do the work.

mod account;
mod database;
mod failure;
mod hook;
mod logging;
mod output;
mod ready;
mod run;
mod serve;
mod text_file;
mod voice;
mod voice_check;
mod website;
mod write;
mod writer;

pub use run::{command, run};
