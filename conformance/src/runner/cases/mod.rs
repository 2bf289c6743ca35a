//! The cases of one requirement: running them, repeating what failed, making it smaller.
//!
//! Which requirements run, and when, is decided in `stage`.

mod candidates;
mod confirmation;
mod execution;
mod findings;
mod proxied;
mod repetition;
mod smallest;

pub(super) use execution::{Execution, OUT_OF_TIME};
pub(super) use findings::Findings;
pub(super) use repetition::{Effort, repeat};
