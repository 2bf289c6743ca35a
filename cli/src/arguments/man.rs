//! The options of `man`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

/// The manual page to print, or the folder for all of them.
#[derive(Debug, Args)]
pub(crate) struct Man {
    /// The command whose page is printed, such as `articles get`; by default the program
    #[arg(value_name = "COMMAND", conflicts_with = "output_dir")]
    pub(crate) command: Vec<String>,
    /// Write the pages of the program and of all commands into this folder, which must exist
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) output_dir: Option<PathBuf>,
}
