//! Slips that a programmer could make in a server like this one, each behind a switch, to prove that the conformance suite
//! would notice them; and correct variants that it must let pass. Without the feature `faults` every switch is off for good.
//!
//! The switches stand in the code where the slip would be made. What each is about is in `table`.

#[cfg(not(feature = "faults"))]
mod absent;
#[cfg(feature = "faults")]
mod armed;
mod kind;
pub mod table;

#[cfg(not(feature = "faults"))]
pub(crate) use absent::of_thread;
#[cfg(feature = "faults")]
pub use armed::{Armed, of_thread};
pub use kind::{Fault, Kind, Profile};
