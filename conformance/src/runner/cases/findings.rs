//! What the cases of one requirement have shown so far, kept where a run that is cut short finds it.

use crate::runner::outcome::{Failure, Outcome};
use crate::runner::settings::Flaky;

/// The findings of one requirement.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// The failed case that is being repeated or made smaller.
    suspect: Option<Suspect>,
    flaky_count: usize,
    broken_connections: usize,
    /// The first finding that was not seen again, and what came of repeating it.
    flaky: Option<(Box<Failure>, String)>,
}

#[derive(Debug)]
struct Suspect {
    failure: Box<Failure>,
    /// Whether it failed again.
    is_confirmed: bool,
}

impl Findings {
    /// A case has failed once.
    pub(super) fn suspect(&mut self, failure: Box<Failure>) {
        self.suspect = Some(Suspect { failure, is_confirmed: false });
    }

    /// It failed again, and this is the smallest one so far.
    pub(super) fn confirm(&mut self, failure: Box<Failure>) {
        self.suspect = Some(Suspect { failure, is_confirmed: true });
    }

    /// Nothing can be said of it.
    pub(super) fn drop_suspect(&mut self) {
        self.suspect = None;
    }

    /// It did not fail again.
    pub(super) fn add_flaky(&mut self, failure: Box<Failure>, again: String) {
        self.suspect = None;
        self.flaky_count += 1;
        // One connection that breaks may be the network's doing.
        let is_broken = failure.finding.is_without_answer() && !failure.finding.is_hang();
        self.broken_connections += usize::from(is_broken);
        if !is_broken || self.broken_connections > 1 {
            self.flaky.get_or_insert((failure, again));
        }
    }

    /// How many findings were not seen again.
    pub(super) const fn flaky_count(&self) -> usize {
        self.flaky_count
    }

    /// Whether one of them is worth telling.
    pub(super) const fn has_flaky(&self) -> bool {
        self.flaky.is_some()
    }

    /// Whether a case has failed and is being repeated.
    pub(in crate::runner) fn has_open_suspect(&self) -> bool {
        self.suspect.as_ref().is_some_and(|suspect| !suspect.is_confirmed)
    }

    /// What becomes of the requirement whose other cases came to `outcome`.
    pub(in crate::runner) fn with(&self, outcome: Outcome, flaky: Flaky) -> Outcome {
        match (&self.flaky, outcome) {
            (Some((failure, again)), Outcome::Passed | Outcome::Inconclusive(_)) => {
                seen_once(failure.clone(), again.clone(), flaky)
            }
            (_, outcome) => outcome,
        }
    }

    /// What becomes of the requirement when its run is cut short for `reason`.
    pub(in crate::runner) fn cut_short(&self, reason: &str, flaky: Flaky) -> Outcome {
        match &self.suspect {
            Some(suspect) if suspect.is_confirmed => Outcome::Failed(suspect.failure.clone()),
            Some(suspect) => seen_once(suspect.failure.clone(), format!("{reason} before it was repeated"), flaky),
            None => self.with(Outcome::Inconclusive(format!("{reason} while it ran")), flaky),
        }
    }
}

/// What becomes of a finding that was seen once, and `again` when the case was repeated.
fn seen_once(mut failure: Box<Failure>, again: String, flaky: Flaky) -> Outcome {
    match flaky {
        Flaky::Warn => Outcome::Flaky { failure, again },
        Flaky::Fail => {
            failure.finding.observed = format!("{}; {again}", failure.finding.observed);
            Outcome::Failed(failure)
        }
    }
}
