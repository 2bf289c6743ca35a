//! The command line: arguments, configuration, exit codes.
//!
//! It wires the other rooms together and decides nothing about a target.

mod arguments;
mod config;
mod diff;
mod exit;
mod explain;
mod file;
mod hook_view;
mod init;
mod init_file;
mod list;
mod listen;
mod prove;
mod registrar;
mod replay;
mod run;
mod signals;
mod signature_view;
mod start;
mod target;

pub use exit::Exit;
pub use file::ConfigurationFile;
pub use start::main;
