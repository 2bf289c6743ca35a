//! Settings of a run, with the requirements that they select, the failures that it repeats and the signal that ends it early.

use std::collections::BTreeMap;
use std::future;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::watch;

use super::contract::OwnTexts;
use super::quotas::Estimate;
use super::selection::{LeftOut, Selection, Shard};
use crate::check::{Level, Requirement, map_texts};
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

impl Settings {
    /// Returns the requirements of a run, in the order of their ids.
    pub(super) fn requirements(&self, catalogue: Vec<Requirement>) -> Vec<Arc<Requirement>> {
        let mut requirements = self.selection.select(catalogue, self.profile);
        if let Some(shard) = self.shard {
            shard.keep(&mut requirements);
        }
        if self.strict {
            for requirement in &mut requirements {
                Arc::make_mut(requirement).level = Level::Must;
            }
        }
        requirements
    }

    /// Returns the requirements of the catalogue that are not `planned`, with the reason.
    pub(super) fn left_out(
        &self,
        catalogue: Vec<Requirement>,
        planned: &[Arc<Requirement>],
    ) -> BTreeMap<&'static str, LeftOut> {
        let others = catalogue.into_iter().filter(|one| planned.iter().all(|planned| planned.id != one.id));
        let why = |one: &Requirement| match one.profile {
            profile if profile > self.profile => LeftOut::Profile,
            _ if !self.selection.keeps(one.id) => LeftOut::Selection,
            _ => LeftOut::Shard,
        };
        others.map(|one| (one.id, why(&one))).collect()
    }

    /// Sorts failures of an earlier run first, then the cheapest requirements: time or quotas may not suffice for all.
    /// Observers come last: they need fewer extra exchanges if other requirements have already made many.
    pub(super) fn put_in_order(&self, requirements: &mut [Arc<Requirement>], estimate: &Estimate) {
        let failed_before =
            |id: &str| self.replays.iter().any(|replay| replay.shown_by == id || replay.requirement == id);
        requirements.sort_by_cached_key(|one| {
            let failed_before = failed_before(one.id);
            (!failed_before, !failed_before && one.observer().is_some(), estimate.cost(one))
        });
    }
}

/// A failing case of an earlier run, in a form that another run can repeat.
#[derive(Debug, Clone)]
pub struct Replay {
    /// The requirement that was broken.
    pub requirement: String,
    /// The requirement whose case showed it: the same one, unless the broken requirement observes all exchanges.
    pub shown_by: String,
    /// Seed of that run.
    pub seed: u64,
    /// Index of the case that failed first.
    pub case_index: u32,
    /// The smallest case, with placeholders such as `{website_id}` for texts of one target.
    pub case: Value,
}

impl Replay {
    /// Replaces the texts of one target in `case` with their placeholders. `own` contains the texts by placeholder.
    pub fn generalise(case: &Value, own: &OwnTexts) -> Value {
        map_texts(case, &|text| {
            let found = own.iter().find(|(_, known)| *known == text);
            found.map_or(text, |(name, _)| *name).to_owned()
        })
    }

    /// Returns the case with its placeholders replaced by the texts in `own`.
    pub(super) fn filled(&self, own: &OwnTexts) -> Value {
        map_texts(&self.case, &|text| own.get(text).map_or(text, String::as_str).to_owned())
    }
}

/// Signals a run to end. Undecided requirements are skipped, and registrations are removed.
///
/// The default value never signals.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Option<watch::Receiver<bool>>);

/// Turns an [`Interrupt`] on. If it is dropped unused, the run continues to its end.
#[derive(Debug)]
pub struct InterruptSwitch(watch::Sender<bool>);

impl Interrupt {
    /// Returns an interrupt and its switch.
    pub fn new() -> (InterruptSwitch, Self) {
        let (sender, receiver) = watch::channel(false);
        (InterruptSwitch(sender), Self(Some(receiver)))
    }

    /// Returns true if the run must end.
    pub fn is_on(&self) -> bool {
        self.0.as_ref().is_some_and(|receiver| *receiver.borrow())
    }

    /// Returns once the run must end.
    pub async fn turned_on(&self) {
        let Some(mut receiver) = self.0.clone() else { return future::pending().await };
        if receiver.wait_for(|is_on| *is_on).await.is_err() {
            future::pending::<()>().await;
        }
    }
}

impl InterruptSwitch {
    /// Ends the run.
    pub fn turn_on(&self) {
        self.0.send_replace(true);
    }
}
