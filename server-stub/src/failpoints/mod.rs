//! Points at which a test may end, slow down or speed up the process, to prove that nothing is lost. Without the feature
//! `failpoints` they are empty. `config` reads which points are armed.

#[cfg(not(feature = "failpoints"))]
mod absent;
#[cfg(feature = "failpoints")]
mod armed;
mod point;

#[cfg(not(feature = "failpoints"))]
pub use absent::{
    clock_shift_millis, delay_writing, hit, idle_transaction_limit, interruptions, lease_duration, renewal_interval,
};
#[cfg(feature = "failpoints")]
pub use armed::{
    ClockJumps, Plan, Stop, WorkTimes, arm, clock_shift_millis, delay_writing, hit, idle_transaction_limit,
    interruptions, lease_duration, renewal_interval,
};
pub use point::Point;
