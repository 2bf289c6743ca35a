//! The command line: arguments, configuration, exit codes.
//!
//! It connects the other modules and makes no decision about a target.

mod arguments;
mod certificate;
mod command;
mod compare;
mod config;
mod diff;
mod environment;
mod exit;
mod explain;
mod extra_headers;
mod file;
mod hook_view;
mod init;
mod lent;
mod list;
mod listen;
mod placeholder;
mod prove;
mod receiver;
mod replay;
mod run;
mod set_up_commands;
mod signals;
mod start;
mod stopped_commands;
mod target;

pub use exit::Exit;
pub use file::ConfigurationFile;
pub use start::main;
