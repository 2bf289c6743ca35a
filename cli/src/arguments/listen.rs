//! The options of `listen`.

use std::net::SocketAddr;
use std::time::Duration;

use clap::{Args, ValueHint};

use super::{Moment, duration};

/// Where to receive hooks, and what to do about them.
#[derive(Debug, Args)]
pub(crate) struct Listen {
    /// Where to listen, port 0 for any; hooks may go to any path there
    #[arg(long = "listen", value_name = "ADDRESS", default_value = "127.0.0.1:9000")]
    pub(crate) address: SocketAddr,
    /// End after this many hooks; Ctrl-C ends it otherwise, and before that with 130
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) count: Option<u64>,
    /// How long without a hook until it says what it waits for
    #[arg(long, value_name = "DURATION", default_value = "30s", value_parser = duration::parse)]
    pub(crate) remind_after: Duration,
    /// Fetch each article that is published, and print it
    #[arg(long)]
    pub(crate) fetch: bool,
    /// Send each hook on to this address, as it was received; its sender is answered by what is answered there
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) forward_to: Option<String>,
    /// First print what happened since then and may have been missed: leads, confirmations and published articles. 2026-11-02T08:00:00Z, or a
    /// time ago such as 2h
    #[arg(long, value_name = "TIME", value_parser = Moment::parse)]
    pub(crate) since: Option<Moment>,
    /// Show what leads have told about themselves, and events of unknown kinds whole
    #[arg(long)]
    pub(crate) show_lead: bool,
}
