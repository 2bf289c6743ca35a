//! The oracle's input: acknowledged work, received requests and stored rows. `world` and `ending` collect it.

use std::ops::Range;
use std::time::{Duration, Instant, SystemTime, SystemTimeError, UNIX_EPOCH};

use bytes::Bytes;

use super::state::State;

/// A request that the receiver got.
#[derive(Debug, Clone)]
pub(super) struct Received {
    /// The endpoint's index in the list of endpoints.
    pub(super) endpoint: usize,
    /// The header `webhook-id`.
    pub(super) webhook_id: String,
    /// The header `webhook-timestamp`.
    pub(super) timestamp: String,
    /// The header `webhook-signature`.
    pub(super) signature: String,
    /// The exact bytes.
    pub(super) body: Bytes,
    /// Time of receipt, in seconds since 1970.
    pub(super) seconds: u64,
    /// Time of receipt, to compare with the scenario's actions.
    pub(super) arrived: Instant,
    /// Status of the response; `None` when the receiver hangs up.
    pub(super) status: Option<u16>,
}

impl Received {
    /// Returns true if the response accepts the delivery.
    pub(super) fn is_accepted(&self) -> bool {
        self.status == Some(200)
    }
}

/// An acknowledged job: the server responded with 2xx.
#[derive(Debug, Clone)]
pub(super) struct Acknowledged {
    /// The idempotency key.
    pub(super) key: String,
    /// The job id in the response.
    pub(super) job_id: String,
}

/// A registered hook endpoint.
#[derive(Debug, Clone)]
pub(super) struct Endpoint {
    /// `hook_…`.
    pub(super) id: String,
    /// The signing key.
    pub(super) secret: Vec<u8>,
    /// True if its events contain the article's text.
    pub(super) has_content: bool,
    /// True if the scenario removed it.
    pub(super) is_removed: bool,
}

/// A period in which the scenario stopped a server.
#[derive(Debug, Clone)]
pub(super) struct Standstill {
    /// Period in which it was certainly stopped, in whole seconds since 1970, rounded down as in signatures.
    pub(super) certain: Range<u64>,
    /// Longest possible duration of the stop: from before the stop signal until after the continue signal.
    pub(super) longest: Duration,
}

/// Everything that is known at the end of a scenario.
#[derive(Debug, Clone)]
pub(super) struct Evidence {
    /// The acknowledged jobs.
    pub(super) acknowledged: Vec<Acknowledged>,
    /// The addresses of the acknowledged leads.
    pub(super) leads: Vec<String>,
    /// The hook endpoints.
    pub(super) endpoints: Vec<Endpoint>,
    /// The requests that the receiver got, in order.
    pub(super) requests: Vec<Received>,
    /// The stored rows.
    pub(super) state: State,
    /// Problems that the database's own check reported.
    pub(super) damage: Vec<String>,
    /// Number of times the scenario interrupted a working server.
    pub(super) interruptions: usize,
    /// Number of retries of a failing delivery.
    pub(super) retries: usize,
    /// True if the scenario set the server's clock wrong.
    pub(super) is_clock_wrong: bool,
    /// Periods in which the scenario stopped a server.
    pub(super) standstills: Vec<Standstill>,
}

/// Returns the time in whole seconds since 1970, as in hook signatures.
#[expect(clippy::disallowed_methods, reason = "a receiver compares the sender's clock with its own")]
pub(super) fn seconds_now() -> Result<u64, SystemTimeError> {
    Ok(SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs())
}
