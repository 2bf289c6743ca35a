//! The result of a scenario. `report` shows it.

use serde::Serialize;

use super::oracle::Verdict;

/// Counts of a run.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Tally {
    /// Processes that ended early, and copies made as a power cut would leave them.
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
    /// Requests that arrived again although an earlier one got the response 200.
    pub(super) duplicates: usize,
    /// Duration of the run.
    pub(super) seconds: f64,
}

impl Tally {
    /// Adds the counts of another run of the same scenario.
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
    /// Reason for which the scenario was skipped.
    pub(super) skipped: Option<String>,
    /// Counts of the run.
    pub(super) tally: Tally,
    /// Results of the checks.
    pub(super) verdicts: Vec<Verdict>,
    /// Other observations, a sentence each.
    pub(super) notes: Vec<String>,
    /// Paths of the evidence of a failure.
    pub(super) evidence: Vec<String>,
}

impl Outcome {
    /// Creates the outcome of a judged scenario.
    pub(super) const fn judged(scenario: &'static str, tally: Tally, verdicts: Vec<Verdict>) -> Self {
        Self { scenario, skipped: None, tally, verdicts, notes: Vec::new(), evidence: Vec::new() }
    }

    /// Creates the outcome of a scenario that cannot run here.
    pub(super) fn skipped(scenario: &'static str, reason: impl Into<String>) -> Self {
        let skipped = Some(reason.into());
        let tally = Tally::default();
        Self { scenario, skipped, tally, verdicts: Vec::new(), notes: Vec::new(), evidence: Vec::new() }
    }

    /// Returns the scenario's name.
    pub(super) const fn name(&self) -> &'static str {
        self.scenario
    }

    /// Returns true if a check found something.
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
