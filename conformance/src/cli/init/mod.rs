//! `init`: asks for the settings of a server, tries the given commands, and writes a configuration.
//!
//! `cli::file` defines the format of the file.

mod answers;
mod ask;
mod command;
mod file;
mod questions;
mod trial;

pub(super) use command::init;
