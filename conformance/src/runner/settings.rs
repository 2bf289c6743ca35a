//! How a run is made.
//!
//! Where settings come from is `cli`'s.

use std::time::Duration;

use super::interrupt::Interrupt;
use super::replay::Replay;
use super::selection::{Selection, Shard};
use crate::spec::Profile;

/// How a run is made.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What it demands.
    pub profile: Profile,
    /// Which requirements it covers.
    pub selection: Selection,
    /// Cases of a searched requirement.
    pub cases: u32,
    /// Seed of every case.
    pub seed: u64,
    /// Cases in flight.
    pub jobs: usize,
    /// No case begins after this long.
    pub max_time: Option<Duration>,
    /// Failures that are known and do not fail the run.
    pub known_failures: Vec<KnownFailure>,
    /// Failures of earlier runs, repeated before the cases of their requirement.
    pub replays: Vec<Replay>,
    /// Runs nothing but `replays`, and tries harder to see them fail.
    pub only_replays: bool,
    /// What becomes of a finding that is not seen again.
    pub flaky: Flaky,
    /// How often a case that failed is repeated, 0 to [`MAX_RETRIES`]: it counts when it fails every time, and is flaky when it holds once.
    pub retries: u32,
    /// Searches for the smallest failing case, which takes many requests.
    pub shrinks: bool,
    /// Only this part of the requirements.
    pub shard: Option<Shard>,
    /// Whether what is only recommended must hold, too.
    pub strict: bool,
    /// Whether the first failure ends the run.
    pub fail_fast: bool,
    /// Whether exchanges are kept of requirements that pass, too.
    pub keep_exchanges: bool,
    /// Ends the run early.
    pub interrupt: Interrupt,
}

/// A failure that the target's owner knows about, and that does not fail the run.
#[derive(Debug, Clone)]
pub struct KnownFailure {
    /// The requirement.
    pub id: String,
    /// Why it fails.
    pub reason: String,
    /// Unix seconds from which it counts again.
    pub expires: Option<i64>,
}

/// What becomes of a case that breaks its clause, and holds when it is repeated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Flaky {
    /// It is told, and does not fail the run.
    #[default]
    Warn,
    /// It fails the run like any other finding.
    Fail,
}

/// Most repetitions of a case that failed.
pub const MAX_RETRIES: u32 = 5;

/// Cases of a searched requirement unless told otherwise: as many as proptest tries.
pub const DEFAULT_CASES: u32 = 256;

impl Default for Settings {
    fn default() -> Self {
        Self {
            profile: Profile::Full,
            selection: Selection::default(),
            cases: DEFAULT_CASES,
            seed: 0,
            jobs: 16,
            max_time: None,
            known_failures: Vec::new(),
            replays: Vec::new(),
            only_replays: false,
            flaky: Flaky::default(),
            retries: 1,
            shrinks: true,
            shard: None,
            strict: false,
            fail_fast: false,
            keep_exchanges: false,
            interrupt: Interrupt::default(),
        }
    }
}
