//! The command line: what each command does and how it ends. The options stand in `config`; the work is done by `server` and
//! `app`.

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
