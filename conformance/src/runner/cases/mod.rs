//! The cases of one requirement: running, repeating failures, shrinking.
//!
//! `stage` decides which requirements run, and when.

mod execution;
mod findings;
mod repetition;
mod search;
mod smallest;
mod undecided;

pub(super) use execution::Execution;
pub(super) use findings::{Findings, seen_once};
pub(super) use repetition::{Effort, repeat};
pub(super) use search::OUT_OF_TIME;
