//! The command line of the bench.

use std::path::PathBuf;

use clap::Parser;

/// What to measure.
#[derive(Debug, Parser)]
#[command(name = "http", disable_version_flag = true)]
pub(crate) struct Arguments {
    /// Only what has one of these words in its name, such as `websites`; everything unless given.
    #[arg(value_name = "WORD")]
    words: Vec<String>,
    /// Also compares with `FastAPI` and uvicorn, which pip installs into a temporary folder.
    #[arg(long)]
    pub(crate) peer: bool,
    /// The Python that makes the virtual environment of the peer.
    #[arg(long, value_name = "PROGRAM", default_value = "python3", requires = "peer")]
    pub(crate) python: PathBuf,
    /// Given by `cargo bench`.
    #[arg(long, hide = true)]
    pub(crate) bench: bool,
}

impl Arguments {
    /// Returns true if the measurement with this name is selected.
    pub(crate) fn wants(&self, name: &str) -> bool {
        self.words.is_empty() || self.words.iter().any(|word| name.contains(word))
    }
}
