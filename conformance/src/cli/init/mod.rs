//! `init`: asks what the suite needs to know about a server, tries the commands that it is given, and writes a configuration.
//!
//! The shape of the file is in `cli::file`.

mod answers;
mod ask;
mod command;
mod file;
mod questions;
mod trial;

pub(super) use command::init;
