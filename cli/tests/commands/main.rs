//! The command line against the reference server, as people and scripts use it.

mod article;
mod completions;
mod generate;
mod hostile;
mod leads;
mod listen;
mod listen_fetch;
mod program;
mod server;
mod signal;
mod trouble;
mod wait;
mod websites;
