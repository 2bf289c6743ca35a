//! The options of `login`. The server and the name of the profile are options of all commands.

use clap::Args;

/// Settings to store beside the server and the key.
#[derive(Debug, Args)]
pub(crate) struct Login {
    /// The website to write for, unless a command names another one
    #[arg(long, value_name = "ID")]
    pub(crate) website_id: Option<String>,
}
