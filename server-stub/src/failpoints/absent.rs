//! What an ordinary build has: nothing happens anywhere.

use std::time::Duration;

use super::Point;

/// Nothing.
#[inline]
pub const fn hit(_point: Point) {}

/// Nothing.
#[inline]
pub const fn delay_writing() {}

/// The lease as it is.
#[inline]
pub const fn lease_duration(usual: Duration) -> Duration {
    usual
}

/// The pause between two renewals of a lease as it is.
#[inline]
pub const fn renewal_interval(usual: Duration) -> Duration {
    usual
}

/// The limit as it is.
#[inline]
pub const fn idle_transaction_limit(usual: Duration) -> Duration {
    usual
}

/// The bound as it is.
#[inline]
pub const fn interruptions(usual: u32) -> u32 {
    usual
}

/// The clock as it is.
#[inline]
pub const fn clock_shift_millis() -> i64 {
    0
}
