//! The options of the commands about hook endpoints and their deliveries.

use std::time::Duration;

use clap::{Args, Subcommand};

use super::arguments::moment;
use super::{HookAddresses, List, Owner};
use crate::app::{DEFAULT_SECRET_OVERLAP, MAX_SECRET_OVERLAP};
use crate::domain::clock::Timestamp;
use crate::domain::duration;
use crate::domain::event::EventType;
use crate::domain::page::DEFAULT_LIMIT;

#[derive(Debug, Subcommand)]
pub(crate) enum Hook {
    /// Register an endpoint and print its secret.
    Create(CreateHook),
    /// Show the account's endpoints and their health.
    List(List),
    /// Make a new secret for an endpoint and print it. The former one also signs for a while.
    Rotate(RotateHook),
    /// Stop sending to an endpoint. Its deliveries wait.
    Pause(OneHook),
    /// Send again to an endpoint that was paused or disabled.
    Resume(OneHook),
    /// Remove an endpoint with its deliveries, also those that were not sent yet.
    Remove(OneHook),
    /// Send a test event to an endpoint, once.
    Test(OneHook),
    /// Send a delivery again at once, with the same id.
    Redeliver(Redeliver),
    /// Send the events that an endpoint missed: failed deliveries, and events while it was paused or disabled.
    Recover(RecoverHook),
    /// Show the deliveries to an endpoint, newest first.
    Deliveries(ListDeliveries),
    /// Show the attempts of a delivery.
    Attempts(ListAttempts),
    /// Print the secret of an endpoint. The audit trail records that.
    Reveal(OneHook),
}

#[derive(Debug, Args)]
pub(crate) struct CreateHook {
    #[command(flatten)]
    pub(crate) owner: Owner,
    /// Address of the receiver: https://… (http:// only to this machine and to listed addresses).
    #[arg(long)]
    pub(crate) url: String,
    #[command(flatten)]
    pub(crate) addresses: HookAddresses,
    /// Event type to send, repeatable [default: lead.captured and article.published]
    #[arg(long = "event", value_parser = event)]
    pub(crate) events: Vec<EventType>,
    /// Send only events of this website.
    #[arg(long)]
    pub(crate) website: Option<String>,
    /// Send the article's text with article.published.
    #[arg(long)]
    pub(crate) include_content: bool,
    /// Description of the endpoint, at most 200 characters.
    #[arg(long)]
    pub(crate) description: Option<String>,
    /// Print one JSON object: id, secret, events.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct OneHook {
    #[command(flatten)]
    pub(crate) owner: Owner,
    /// Id of the endpoint: hook_…
    #[arg(long)]
    pub(crate) id: String,
}

#[derive(Debug, Args)]
pub(crate) struct RotateHook {
    #[command(flatten)]
    pub(crate) hook: OneHook,
    /// Time for which the former secret also signs, such as 30m or 24h, at most 7d [default: 24h]
    #[arg(long, value_parser = overlap, value_name = "DURATION")]
    overlap: Option<Duration>,
}

impl RotateHook {
    /// Returns the overlap of the two secrets.
    pub(crate) fn overlap(&self) -> Duration {
        self.overlap.unwrap_or(DEFAULT_SECRET_OVERLAP)
    }
}

#[derive(Debug, Args)]
pub(crate) struct RecoverHook {
    #[command(flatten)]
    pub(crate) hook: OneHook,
    /// Start of the time to recover, RFC 3339 with a zone, at most 14 days ago.
    #[arg(long, value_parser = moment)]
    pub(crate) since: Timestamp,
}

#[derive(Debug, Args)]
pub(crate) struct ListDeliveries {
    #[command(flatten)]
    pub(crate) hook: OneHook,
    /// Number of deliveries on a page.
    #[arg(long, default_value_t = DEFAULT_LIMIT, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) limit: u32,
    /// Show the page after the one that printed this token.
    #[arg(long, value_name = "TOKEN", allow_hyphen_values = true)]
    pub(crate) page_token: Option<String>,
    /// Print one JSON object a line.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Redeliver {
    #[command(flatten)]
    pub(crate) owner: Owner,
    #[command(flatten)]
    pub(crate) which: DeliverySelector,
}

/// A delivery, by its id or by its event and endpoint.
#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub(crate) struct DeliverySelector {
    /// Id of the delivery: dlv_…
    #[arg(long, conflicts_with_all = ["id", "event"])]
    pub(crate) delivery: Option<String>,
    /// Id of the endpoint, together with --event: hook_…
    #[arg(long, requires = "event")]
    pub(crate) id: Option<String>,
    /// Id of the event, which receivers get as webhook-id: evt_…
    #[arg(long, requires = "id")]
    pub(crate) event: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ListAttempts {
    #[command(flatten)]
    pub(crate) owner: Owner,
    /// Id of the delivery: dlv_…
    #[arg(long)]
    pub(crate) delivery: String,
    /// Print one JSON object a line, with the response's headers and the beginning of its body.
    #[arg(long)]
    pub(crate) json: bool,
}

impl Hook {
    /// Returns the database and the account of the command.
    pub(crate) fn owner(&self) -> &Owner {
        match self {
            Self::Create(options) => &options.owner,
            Self::List(options) => &options.owner,
            Self::Rotate(options) => &options.hook.owner,
            Self::Recover(options) => &options.hook.owner,
            Self::Deliveries(options) => &options.hook.owner,
            Self::Attempts(options) => &options.owner,
            Self::Redeliver(options) => &options.owner,
            Self::Pause(options)
            | Self::Resume(options)
            | Self::Remove(options)
            | Self::Test(options)
            | Self::Reveal(options) => &options.owner,
        }
    }
}

fn event(text: &str) -> Result<EventType, String> {
    let known = || EventType::ALL.map(EventType::as_str).join(", ");
    EventType::parse(text).ok_or_else(|| format!("the events are {}", known()))
}

fn overlap(text: &str) -> Result<Duration, String> {
    let overlap = if text == "0" { Some(Duration::ZERO) } else { duration::parse(text) };
    let overlap = overlap.ok_or_else(|| "write it like 30m, 24h or 7d, or 0 for none".to_owned())?;
    if overlap > MAX_SECRET_OVERLAP { Err("must be at most 7d".to_owned()) } else { Ok(overlap) }
}
