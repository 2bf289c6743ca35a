//! Places where a test may end the process, and things it may slow down or hurry, to prove that nothing is lost. Without the
//! feature `failpoints` all of it is empty; which places are armed is read in `config`.

#[cfg(not(feature = "failpoints"))]
mod absent;
#[cfg(feature = "failpoints")]
mod armed;
#[cfg(feature = "failpoints")]
mod plan;
mod point;

#[cfg(not(feature = "failpoints"))]
pub use absent::{
    clock_shift_millis, delay_writing, hit, idle_transaction_limit, interruptions, lease_duration, renewal_interval,
};
#[cfg(feature = "failpoints")]
pub use armed::{
    arm, clock_shift_millis, delay_writing, hit, idle_transaction_limit, interruptions, lease_duration,
    renewal_interval,
};
#[cfg(feature = "failpoints")]
pub use plan::{ClockJumps, Plan, Stop, WorkTimes};
pub use point::Point;
