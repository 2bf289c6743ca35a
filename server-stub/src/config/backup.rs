//! The option and the argument of `backup`.

use std::path::PathBuf;

use clap::Args;

use super::DEFAULT_DATABASE;

#[derive(Debug, Args)]
pub(crate) struct Backup {
    /// The database to copy: `sqlite:PATH`. A server may work on it.
    #[arg(long, env = "CONTENTGEN_DATABASE", default_value = DEFAULT_DATABASE, value_name = "ADDRESS", hide_env_values = true)]
    pub(crate) database: String,
    /// The file to write, which must not exist.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}
