//! The options of `listen`.

use std::net::SocketAddr;
use std::time::Duration;

use clap::{Args, ValueHint};

use super::{Moment, duration};

/// The address for webhooks, and how each one is handled.
#[derive(Debug, Args)]
pub(crate) struct Listen {
    /// Address to listen on; port 0 chooses a free port. Webhooks are accepted on any path
    #[arg(long = "listen", value_name = "ADDRESS", default_value = "127.0.0.1:9000")]
    pub(crate) address: SocketAddr,
    /// End after this many webhooks; if Ctrl-C ends it earlier, the exit code is 130
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) count: Option<u64>,
    /// Time without a webhook until a reminder is printed
    #[arg(long, value_name = "DURATION", default_value = "30s", value_parser = duration::parse)]
    pub(crate) remind_after: Duration,
    /// Fetch and print each published article
    #[arg(long)]
    pub(crate) fetch: bool,
    /// Forward each webhook unchanged to this URL; if the receiver there does not respond 2xx, the server sends it again
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) forward_to: Option<String>,
    /// First print the leads, confirmations and published articles since this time, whose webhooks may have been missed:
    /// 2026-11-02T08:00:00Z, or 2h for two hours ago
    #[arg(long, value_name = "TIME", value_parser = Moment::parse)]
    pub(crate) since: Option<Moment>,
    /// Show the personal data of leads, and the whole event if its type is unknown
    #[arg(long)]
    pub(crate) show_personal: bool,
}
