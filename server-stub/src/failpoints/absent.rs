//! Empty failpoints of an ordinary build: they do nothing and return every value unchanged.

use std::time::Duration;

use super::Point;

/// Does nothing.
#[inline]
pub const fn hit(_point: Point) {}

/// Does nothing.
#[inline]
pub const fn delay_writing() {}

/// Returns the usual duration of a lease.
#[inline]
pub const fn lease_duration(usual: Duration) -> Duration {
    usual
}

/// Returns the usual time between two renewals of a lease.
#[inline]
pub const fn renewal_interval(usual: Duration) -> Duration {
    usual
}

/// Returns the usual limit.
#[inline]
pub const fn idle_transaction_limit(usual: Duration) -> Duration {
    usual
}

/// Returns the usual maximum.
#[inline]
pub const fn interruptions(usual: u32) -> u32 {
    usual
}

/// Returns 0: the clock is not shifted.
#[inline]
pub const fn clock_shift_millis() -> i64 {
    0
}
