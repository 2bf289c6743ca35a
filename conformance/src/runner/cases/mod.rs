//! The cases of one requirement: running them, repeating what failed, making it smaller.
//!
//! Which requirements run, and when, is decided in `stage`.

mod candidates;
mod confirmation;
mod execution;
mod findings;
mod proxied;
mod repetition;
mod search;
mod smallest;
mod unmet;

pub(super) use execution::Execution;
pub(super) use findings::Findings;
pub(super) use repetition::{Effort, repeat};
pub(super) use search::OUT_OF_TIME;
