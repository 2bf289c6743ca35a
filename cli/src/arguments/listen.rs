//! The options of `listen`.

use std::net::SocketAddr;

use clap::Args;

/// Where to receive hooks, and what to do about them.
#[derive(Debug, Args)]
pub(crate) struct Listen {
    /// Where to listen, port 0 for any; hooks may go to any path there
    #[arg(long = "listen", value_name = "ADDRESS", default_value = "127.0.0.1:9000")]
    pub(crate) address: SocketAddr,
    /// End after this many hooks; Ctrl-C ends it otherwise
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) count: Option<u64>,
    /// Fetch each article that is published, and print it
    #[arg(long)]
    pub(crate) fetch: bool,
    /// Show what leads have told about themselves, and events of unknown kinds whole
    #[arg(long)]
    pub(crate) show_lead: bool,
}
