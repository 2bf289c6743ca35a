//! The command line: arguments, configuration, exit codes.
//!
//! It connects the other modules and makes no decision about a target.

mod arguments;
mod command;
mod config;
mod diff;
mod eraser;
mod exit;
mod explain;
mod extra_headers;
mod file;
mod hook_view;
mod init;
mod interruptible;
mod lent;
mod list;
mod listen;
mod placeholder;
mod prove;
mod registrar;
mod replay;
mod run;
mod signals;
mod signature_view;
mod start;
mod stopped_commands;
mod switch;
mod target;

pub use exit::Exit;
pub use file::ConfigurationFile;
pub use start::main;
