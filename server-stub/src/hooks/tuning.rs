//! How fast and how patient the sender is. When a delivery is tried again is decided in `domain::hook`.

use std::time::Duration;

/// What an operator may set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tuning {
    /// How long an attempt may take, from the name's resolution to the answer's last byte (CONTRACT 3.4).
    pub attempt: Duration,
    /// Hooks a second to one endpoint.
    pub rate: u32,
    /// Hooks in flight.
    pub in_flight: u32,
    /// Hooks in flight to one endpoint: a slow receiver must not take all slots.
    pub per_endpoint: u32,
}

impl Tuning {
    /// The longest time an operator may give an attempt.
    pub const MAX_ATTEMPT: Duration = Duration::from_secs(30);
}

impl Default for Tuning {
    fn default() -> Self {
        Self { attempt: Duration::from_secs(15), rate: 20, in_flight: 64, per_endpoint: 5 }
    }
}
