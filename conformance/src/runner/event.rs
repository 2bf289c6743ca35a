//! What the runner tells while it runs.
//!
//! Whoever shows it lives in `report`.

use std::sync::Arc;

use super::outcome::{RequirementResult, Run};
use crate::check::{Facts, Requirement};

/// One piece of news from a run.
#[derive(Debug)]
pub enum Event<'run> {
    /// The target answers and the plan is made.
    Started {
        /// Seed of every case.
        seed: u64,
        /// How many requirements are planned, skipped ones included.
        requirements: usize,
        /// What is known about the target.
        facts: &'run Arc<Facts>,
        /// Remarks about the set-up, one sentence each.
        notes: &'run [String],
    },
    /// A requirement begins.
    Begun {
        /// Which.
        requirement: &'run Arc<Requirement>,
        /// How many cases it will have.
        cases: u32,
    },
    /// Cases of the running requirement ended.
    Progress {
        /// Which.
        id: &'static str,
        /// How many so far.
        cases: u32,
        /// Exchanges of the whole run so far.
        exchanges: u64,
    },
    /// Every ordinary requirement is decided; those that mostly wait are not yet.
    Waiting,
    /// A requirement is decided.
    Decided(&'run RequirementResult),
    /// Another remark about the set-up, one sentence.
    Noted(&'run str),
    /// Everything is decided.
    Finished(&'run Run),
}

/// Takes the news; called from the thread that runs the suite.
pub type Sink<'run> = &'run (dyn Fn(Event<'_>) + Send + Sync);
