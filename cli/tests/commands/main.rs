//! The command line against the reference server, as people and scripts use it.

mod api;
mod article;
mod completions;
mod generate;
mod hostile;
mod leads;
mod listen;
mod lists;
mod man;
mod profile;
mod program;
mod server;
mod signal;
mod topic;
mod trigger;
mod trouble;
mod until;
mod wait;
mod websites;
