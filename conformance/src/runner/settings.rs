//! Settings of a run.
//!
//! `cli` reads them.

use std::time::Duration;

use super::interrupt::Interrupt;
use super::replay::Replay;
use super::selection::{Selection, Shard};
use crate::spec::Profile;

/// Settings of a run.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Profile of the run.
    pub profile: Profile,
    /// Selected requirements.
    pub selection: Selection,
    /// Number of cases of a searched requirement.
    pub cases: u32,
    /// Seed of every case.
    pub seed: u64,
    /// Number of parallel cases.
    pub jobs: usize,
    /// Time after which no case begins.
    pub max_time: Option<Duration>,
    /// Known failures, which do not fail the run.
    pub known_failures: Vec<KnownFailure>,
    /// Failures of earlier runs, repeated before the cases of their requirement.
    pub replays: Vec<Replay>,
    /// Runs only `replays`, and tries harder to make them fail.
    pub only_replays: bool,
    /// Treatment of a finding that is not seen again.
    pub flaky: Flaky,
    /// Number of times that a failed case is repeated, 0 to [`MAX_RETRIES`]. It counts if it fails every time, and is
    /// flaky if it passes once.
    pub retries: u32,
    /// True if the suite shrinks failing cases, which takes many requests.
    pub shrinks: bool,
    /// Runs only this part of the requirements.
    pub shard: Option<Shard>,
    /// True if `Should` requirements must pass, too.
    pub strict: bool,
    /// True if the first failure ends the run.
    pub fail_fast: bool,
    /// True if exchanges of passed requirements are kept, too.
    pub keep_exchanges: bool,
    /// Ends the run early.
    pub interrupt: Interrupt,
}

/// A failure that the target's owner knows about and that does not fail the run.
#[derive(Debug, Clone)]
pub struct KnownFailure {
    /// The requirement.
    pub id: String,
    /// The reason why it fails.
    pub reason: String,
    /// Time from which it counts again, in Unix seconds.
    pub expires: Option<i64>,
}

/// Treatment of a case that breaks its clause, and passes when it is repeated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Flaky {
    /// Reports it without failing the run.
    #[default]
    Warn,
    /// Fails the run like any other finding.
    Fail,
}

/// Maximum number of repetitions of a failed case.
pub const MAX_RETRIES: u32 = 5;

/// Default number of cases of a searched requirement: as many as proptest tries.
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
