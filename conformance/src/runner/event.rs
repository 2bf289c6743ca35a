//! Events that the runner emits while it runs.

use std::sync::Arc;

use super::outcome::{RequirementResult, Run};
use crate::check::{Facts, Requirement};

/// One event of a run.
#[derive(Debug)]
pub enum Event<'run> {
    /// The target responds and the plan is made.
    Started {
        /// Seed of every case.
        seed: u64,
        /// Number of planned requirements, including skipped ones.
        requirements: usize,
        /// The known facts about the target.
        facts: &'run Arc<Facts>,
        /// Remarks about the set-up, one sentence each.
        notes: &'run [String],
    },
    /// A requirement begins.
    Begun {
        /// The requirement.
        requirement: &'run Arc<Requirement>,
        /// Number of its cases.
        cases: u32,
    },
    /// Cases of the running requirement ended.
    Progress {
        /// Id of the requirement.
        id: &'static str,
        /// Number of ended cases so far.
        cases: u32,
        /// Number of exchanges of the whole run so far.
        exchanges: u64,
    },
    /// Every ordinary requirement is decided; the background ones are not yet.
    Waiting,
    /// A requirement is decided.
    Decided(&'run RequirementResult),
    /// Another remark about the set-up, one sentence.
    Noted(&'run str),
    /// Everything is decided.
    Finished(&'run Run),
}

/// Receives the events; called from the thread that runs the suite.
pub type Sink<'run> = &'run (dyn Fn(Event<'_>) + Send + Sync);
