//! What came of a scenario. How it is shown is in `report`.

use serde::Serialize;

use super::oracle::Verdict;

/// How much happened.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Tally {
    /// Processes that ended before their time, and copies made as a power cut would.
    pub(super) kills: usize,
    /// Processes that were started after the first ones.
    pub(super) restarts: usize,
    /// Jobs that are stored.
    pub(super) jobs: usize,
    /// Articles that are stored.
    pub(super) articles: usize,
    /// Events that are stored.
    pub(super) events: usize,
    /// Deliveries that are stored.
    pub(super) deliveries: usize,
    /// Requests that the receiver got.
    pub(super) requests: usize,
    /// Requests that came again although one before was answered 200.
    pub(super) duplicates: usize,
    /// How long it took.
    pub(super) seconds: f64,
}

impl Tally {
    /// Adds another run of the same scenario.
    pub(super) fn add(&mut self, other: &Self) {
        self.kills += other.kills;
        self.restarts += other.restarts;
        self.jobs += other.jobs;
        self.articles += other.articles;
        self.events += other.events;
        self.deliveries += other.deliveries;
        self.requests += other.requests;
        self.duplicates += other.duplicates;
        self.seconds += other.seconds;
    }
}

/// One run of a scenario, or several of its variants together.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Outcome {
    scenario: &'static str,
    /// Why it was not carried out.
    pub(super) skipped: Option<String>,
    /// How much happened.
    pub(super) tally: Tally,
    /// What was checked, and what was found.
    pub(super) verdicts: Vec<Verdict>,
    /// What else happened, a sentence each.
    pub(super) notes: Vec<String>,
    /// Where the evidence of a failure lies.
    pub(super) evidence: Vec<String>,
}

impl Outcome {
    /// A scenario that was judged.
    pub(super) const fn judged(scenario: &'static str, tally: Tally, verdicts: Vec<Verdict>) -> Self {
        Self { scenario, skipped: None, tally, verdicts, notes: Vec::new(), evidence: Vec::new() }
    }

    /// A scenario that cannot be carried out here.
    pub(super) fn skipped(scenario: &'static str, reason: impl Into<String>) -> Self {
        let skipped = Some(reason.into());
        let tally = Tally::default();
        Self { scenario, skipped, tally, verdicts: Vec::new(), notes: Vec::new(), evidence: Vec::new() }
    }

    /// Its name.
    pub(super) const fn name(&self) -> &'static str {
        self.scenario
    }

    /// Whether a check found something.
    pub(super) fn has_failed(&self) -> bool {
        self.verdicts.iter().any(|verdict| !verdict.faults.is_empty())
    }

    /// Adds a variant of the same scenario.
    pub(super) fn add(&mut self, other: Self) {
        self.tally.add(&other.tally);
        for verdict in other.verdicts {
            match self.verdicts.iter_mut().find(|own| own.check == verdict.check) {
                Some(own) => own.faults.extend(verdict.faults),
                None => self.verdicts.push(verdict),
            }
        }
        self.notes.extend(other.notes);
        self.evidence.extend(other.evidence);
    }
}
