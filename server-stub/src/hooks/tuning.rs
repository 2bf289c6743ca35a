//! Limits on the rate and duration of attempts. See `domain::hook` for the retry schedule.

use std::time::Duration;

/// Limits that an operator may set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tuning {
    /// Maximum time of an attempt, from name resolution to the last byte of the response.
    pub attempt_timeout: Duration,
    /// Maximum number of deliveries per second to one endpoint.
    pub rate_per_second: u32,
    /// Maximum number of hooks in flight.
    pub in_flight: u32,
    /// Maximum number of hooks in flight to one endpoint, so that a slow receiver does not take all slots.
    pub per_endpoint: u32,
}

impl Tuning {
    /// Maximum value of `attempt_timeout`.
    pub const MAX_ATTEMPT_TIMEOUT: Duration = Duration::from_secs(30);
}

impl Default for Tuning {
    fn default() -> Self {
        Self { attempt_timeout: Duration::from_secs(15), rate_per_second: 20, in_flight: 64, per_endpoint: 5 }
    }
}
