//! The command line: the commands and their results. `config` contains the options; `server` and `app` do the work.

mod backup;
mod create;
mod failure;
mod hook;
mod key;
mod lead;
mod logging;
mod ready_file;
mod run;
mod serve;
mod table;
mod text_file;
mod user;
mod voice;
mod website;
mod welcome;
mod write;
mod writer;

pub use run::{command, run};
