//! What the oracle judges: what was promised, what was received and what is stored. Collecting it is the world's business.

use std::ops::Range;
use std::time::{Duration, Instant, SystemTime, SystemTimeError, UNIX_EPOCH};

use bytes::Bytes;

use super::state::State;

/// A request that the receiver got.
#[derive(Debug, Clone)]
pub(super) struct Received {
    /// The endpoint's place in the list of endpoints.
    pub(super) endpoint: usize,
    /// The header `webhook-id`.
    pub(super) webhook_id: String,
    /// The header `webhook-timestamp`.
    pub(super) timestamp: String,
    /// The header `webhook-signature`.
    pub(super) signature: String,
    /// The exact bytes.
    pub(super) body: Bytes,
    /// When it came, in seconds since 1970.
    pub(super) seconds: u64,
    /// When it came, to compare with what the scenario did.
    pub(super) arrived: Instant,
    /// What it is answered; `None` when the receiver hangs up.
    pub(super) status: Option<u16>,
}

impl Received {
    /// Whether it is answered as delivered.
    pub(super) fn is_accepted(&self) -> bool {
        self.status == Some(200)
    }
}

/// A job that was promised: the server answered 2xx.
#[derive(Debug, Clone)]
pub(super) struct Acknowledged {
    /// The idempotency key.
    pub(super) key: String,
    /// What the answer named.
    pub(super) job_id: String,
}

/// A registered hook endpoint.
#[derive(Debug, Clone)]
pub(super) struct Endpoint {
    /// `hook_…`.
    pub(super) id: String,
    /// The signing key.
    pub(super) secret: Vec<u8>,
    /// Whether it gets the article's text.
    pub(super) has_content: bool,
    /// Whether the scenario removed it.
    pub(super) is_removed: bool,
}

/// A time in which the scenario let a server stand still.
#[derive(Debug, Clone)]
pub(super) struct Standstill {
    /// From when until when it was still, in seconds since 1970: whole ones, rounded down as in signatures.
    pub(super) certain: Range<u64>,
    /// How long it was still at most: from before it was told to stop until it had been told to go on.
    pub(super) longest: Duration,
}

/// Everything that is known at the end of a scenario.
#[derive(Debug, Clone)]
pub(super) struct Evidence {
    /// The jobs that were promised.
    pub(super) acknowledged: Vec<Acknowledged>,
    /// The addresses of the leads that were promised.
    pub(super) leads: Vec<String>,
    /// The hook endpoints.
    pub(super) endpoints: Vec<Endpoint>,
    /// What the receiver got, in order.
    pub(super) requests: Vec<Received>,
    /// What is stored.
    pub(super) state: State,
    /// What the database's own check said when it was not content.
    pub(super) damage: Vec<String>,
    /// How often the scenario took something away from a working server.
    pub(super) interruptions: usize,
    /// How often a delivery that fails is repeated.
    pub(super) retries: usize,
    /// Whether the scenario let the server's clock be wrong.
    pub(super) is_clock_wrong: bool,
    /// When the scenario let a server stand still.
    pub(super) standstills: Vec<Standstill>,
}

/// The time in whole seconds since 1970, as hooks are signed with it.
#[expect(clippy::disallowed_methods, reason = "what a receiver compares the sender's clock with")]
pub(super) fn seconds_now() -> Result<u64, SystemTimeError> {
    Ok(SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs())
}
