//! Tests of the command line against the reference server, with output for people and for scripts.

mod api;
mod article;
mod completions;
mod generate;
mod hostile;
mod leads;
mod listen;
mod lists;
mod login;
mod man;
mod profile;
mod program;
mod samples;
mod server;
mod signal;
mod tls;
mod topic;
mod trigger;
mod trouble;
mod until;
mod wait;
mod websites;
