//! The command line: arguments, configuration, exit codes.
//!
//! It wires the other rooms together and decides nothing about a target.

mod arguments;
mod config;
mod exit;
mod explain;
mod file;
mod list;
mod registrar;
mod run;
mod start;

pub use exit::Exit;
pub use file::ConfigurationFile;
pub use start::main;
