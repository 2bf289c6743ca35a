//! The options of `serve` for the retention of records, and the syntax of these durations.

use std::time::Duration;

use clap::Args;

use crate::domain::duration;
use crate::domain::retention::{
    MAX_IDEMPOTENCY_RETENTION, MAX_RETENTION, MIN_ATTEMPT_RETENTION, MIN_EVENT_RETENTION, MIN_IDEMPOTENCY_RETENTION,
    MIN_LEAD_RETENTION, Retention,
};

/// How long records are kept.
#[derive(Debug, Clone, Args)]
pub(crate) struct Retain {
    /// How long events are kept, their deliveries and attempts with them.
    #[arg(long = "event-retention", env = "CONTENTGEN_EVENT_RETENTION", default_value = "30d", value_name = "DURATION",
        value_parser = of_events)]
    events: Duration,
    /// How long deliveries that have ended are kept, their attempts with them; at most as long as their events.
    #[arg(long = "delivery-retention", env = "CONTENTGEN_DELIVERY_RETENTION", default_value = "30d", value_name = "DURATION",
        value_parser = of_events)]
    deliveries: Duration,
    /// How long attempts are kept; at most as long as their deliveries.
    #[arg(long = "attempt-retention", env = "CONTENTGEN_ATTEMPT_RETENTION", default_value = "30d", value_name = "DURATION",
        value_parser = of_attempts)]
    attempts: Duration,
    /// How long a response is repeated to requests with the same idempotency key.
    #[arg(long = "idempotency-retention", env = "CONTENTGEN_IDEMPOTENCY_RETENTION", default_value = "24h", value_name = "DURATION",
        value_parser = of_idempotency_keys)]
    idempotency_keys: Duration,
}

impl From<&Retain> for Retention {
    fn from(options: &Retain) -> Self {
        Self {
            events: options.events,
            deliveries: options.deliveries,
            attempts: options.attempts,
            idempotency_keys: options.idempotency_keys,
        }
    }
}

/// How long leads are kept; `None` means for ever.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LeadRetention(pub(crate) Option<Duration>);

fn of_events(text: &str) -> Result<Duration, String> {
    within(text, MIN_EVENT_RETENTION, MAX_RETENTION)
}

fn of_attempts(text: &str) -> Result<Duration, String> {
    within(text, MIN_ATTEMPT_RETENTION, MAX_RETENTION)
}

fn of_idempotency_keys(text: &str) -> Result<Duration, String> {
    within(text, MIN_IDEMPOTENCY_RETENTION, MAX_IDEMPOTENCY_RETENTION)
}

pub(super) fn of_leads(text: &str) -> Result<LeadRetention, String> {
    if text == "forever" {
        return Ok(LeadRetention(None));
    }
    let retention = within(text, MIN_LEAD_RETENTION, MAX_RETENTION);
    retention.map(|retention| LeadRetention(Some(retention))).map_err(|error| format!("{error}, or forever"))
}

/// A duration within these bounds.
fn within(text: &str, shortest: Duration, longest: Duration) -> Result<Duration, String> {
    let duration = duration::parse(text).filter(|duration| (shortest..=longest).contains(duration));
    duration.ok_or_else(|| {
        format!("write a duration from {} to {}, such as 45d", duration::show(shortest), duration::show(longest))
    })
}
