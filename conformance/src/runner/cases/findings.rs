//! The findings of one requirement so far, available to a run that is cut short.

use crate::runner::outcome::{Failure, Outcome};
use crate::runner::settings::Flaky;

/// The findings of one requirement.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// The failed case that is being repeated or shrunk.
    suspect: Option<Suspect>,
    flaky_count: usize,
    broken_connections: usize,
    /// The first finding that was not seen again, and the result of repeating it.
    flaky: Option<(Box<Failure>, String)>,
}

#[derive(Debug)]
struct Suspect {
    failure: Box<Failure>,
    /// True if it failed again.
    is_confirmed: bool,
}

impl Findings {
    /// Records a case that has failed once.
    pub(super) fn suspect(&mut self, failure: Box<Failure>) {
        self.suspect = Some(Suspect { failure, is_confirmed: false });
    }

    /// Records that it failed again.
    pub(super) fn confirm(&mut self, failure: Box<Failure>) {
        self.suspect = Some(Suspect { failure, is_confirmed: true });
    }

    /// Drops a case that cannot be decided.
    pub(super) fn drop_suspect(&mut self) {
        self.suspect = None;
    }

    /// Records that it did not fail again.
    pub(super) fn add_flaky(&mut self, failure: Box<Failure>, again: String) {
        self.suspect = None;
        self.flaky_count += 1;
        // The network may have broken a single connection.
        let is_broken = failure.finding.is_without_response() && !failure.finding.is_timeout();
        self.broken_connections += usize::from(is_broken);
        if !is_broken || self.broken_connections > 1 {
            self.flaky.get_or_insert((failure, again));
        }
    }

    /// Returns the number of findings that were not seen again.
    pub(super) const fn flaky_count(&self) -> usize {
        self.flaky_count
    }

    /// Returns true if one of them is worth reporting.
    pub(super) const fn has_flaky(&self) -> bool {
        self.flaky.is_some()
    }

    /// Returns true if a case has failed and is being repeated.
    pub(in crate::runner) fn has_open_suspect(&self) -> bool {
        self.suspect.as_ref().is_some_and(|suspect| !suspect.is_confirmed)
    }

    /// Returns the outcome of the requirement, given the `outcome` of its other cases.
    pub(in crate::runner) fn with(&self, outcome: Outcome, flaky: Flaky) -> Outcome {
        match (&self.flaky, outcome) {
            (Some((failure, again)), Outcome::Passed | Outcome::Inconclusive(_)) => {
                seen_once(failure.clone(), again.clone(), flaky)
            }
            (_, outcome) => outcome,
        }
    }

    /// Returns the outcome of the requirement if its run is cut short for `reason`.
    pub(in crate::runner) fn cut_short(&self, reason: &str, flaky: Flaky) -> Outcome {
        match &self.suspect {
            Some(suspect) if suspect.is_confirmed => Outcome::Failed(suspect.failure.clone()),
            Some(suspect) => seen_once(suspect.failure.clone(), format!("{reason} before it was repeated"), flaky),
            None => self.with(Outcome::Inconclusive(format!("{reason} while it ran")), flaky),
        }
    }
}

/// Returns the outcome of a finding that was seen once. `again` describes the repetition.
pub(in crate::runner) fn seen_once(mut failure: Box<Failure>, again: String, flaky: Flaky) -> Outcome {
    match flaky {
        Flaky::Warn => Outcome::Flaky { failure, again },
        Flaky::Fail => {
            failure.finding.observed = format!("{}; {again}", failure.finding.observed);
            Outcome::Failed(failure)
        }
    }
}
