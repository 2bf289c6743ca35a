//! How fast hooks are sent, and how long an attempt may take. When a delivery is tried again is decided in `domain::hook`.

use std::time::Duration;

/// Limits that an operator may set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tuning {
    /// How long an attempt may take, from the name's resolution to the response's last byte.
    pub attempt_timeout: Duration,
    /// Most deliveries a second to one endpoint.
    pub rate_per_second: u32,
    /// Most hooks in flight.
    pub in_flight: u32,
    /// Most hooks in flight to one endpoint, so that a slow receiver does not take all slots.
    pub per_endpoint: u32,
}

impl Tuning {
    /// The longest time an operator may give an attempt.
    pub const MAX_ATTEMPT_TIMEOUT: Duration = Duration::from_secs(30);
}

impl Default for Tuning {
    fn default() -> Self {
        Self { attempt_timeout: Duration::from_secs(15), rate_per_second: 20, in_flight: 64, per_endpoint: 5 }
    }
}
