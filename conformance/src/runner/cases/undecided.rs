//! Cases that decide nothing: a reverse proxy before the target responded, or there was nothing that the clause covers, such as a list
//! without rows.
//!
//! `check::proxy_page` detects responses of a proxy.

use std::sync::Arc;

use crate::check::{Exchange, Halt};
use crate::runner::outcome::Outcome;

/// The cases of a requirement that decided nothing for one kind of reason.
#[derive(Default)]
pub(super) struct Undecided {
    count: u32,
    /// The reason, from the case with the lowest index.
    first: Option<(u32, String)>,
}

impl Undecided {
    pub(super) fn add(&mut self, index: u32, reason: String) {
        self.count += 1;
        if self.first.as_ref().is_none_or(|(known, _)| index < *known) {
            self.first = Some((index, reason));
        }
    }

    /// Returns the outcome of the requirement if a proxy responded in these cases, given the `outcome` of the other ones. `done` is the
    /// number of all cases.
    pub(super) fn proxied(self, outcome: Outcome, done: u32) -> Outcome {
        match (self.first, outcome) {
            (Some((_, first)), Outcome::Passed) if self.count == done => {
                Outcome::Inconclusive(format!("not decided: {first}"))
            }
            (Some((_, first)), Outcome::Passed) => Outcome::Inconclusive(format!(
                "not decided in {} of {done} cases: {first}; the other cases passed",
                self.count
            )),
            (_, outcome) => outcome,
        }
    }

    /// Returns the outcome of the requirement if these cases found nothing to check. It has passed if at least one case, perhaps one
    /// before (`met_before`), found something to check and passed.
    pub(super) fn unmet(self, outcome: Outcome, done: u32, met_before: bool) -> Outcome {
        match (self.first, outcome) {
            (Some((_, first)), Outcome::Passed) if self.count == done && !met_before => Outcome::Inconclusive(first),
            (_, outcome) => outcome,
        }
    }
}

/// Returns a finding, unless a proxy may have changed the path of the request that shows it.
pub(super) fn unless_rewritten(halt: Halt, trace: &[Arc<Exchange>]) -> Halt {
    let Halt::Fail(finding) = &halt else {
        return halt;
    };
    let decisive = finding.decisive.and_then(|id| trace.iter().find(|exchange| exchange.id() == id));
    let rewritten = decisive.or(trace.last()).and_then(|exchange| exchange.path_rewritten());
    rewritten.map_or(halt, Halt::Proxied)
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Undecided};

    fn cases(indices: &[u32]) -> Undecided {
        let mut undecided = Undecided::default();
        for index in indices {
            undecided.add(*index, format!("case {index}"));
        }
        undecided
    }

    fn told(outcome: Outcome) -> String {
        match outcome {
            Outcome::Inconclusive(reason) => reason,
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn cases_that_a_proxy_answered_leave_a_requirement_undecided() {
        let told = |indices: &[u32], done: u32| told(cases(indices).proxied(Outcome::Passed, done));
        assert_eq!(told(&[], 3), "Passed");
        assert_eq!(told(&[2, 1], 2), "not decided: case 1");
        assert_eq!(told(&[2, 1], 8), "not decided in 2 of 8 cases: case 1; the other cases passed");
    }

    #[test]
    fn a_requirement_is_open_where_none_of_its_cases_met_what_it_is_about() {
        let told = |indices: &[u32], done: u32, met_before: bool| {
            told(cases(indices).unmet(Outcome::Passed, done, met_before))
        };
        assert_eq!(told(&[], 0, false), "Passed");
        assert_eq!(told(&[2, 1], 2, false), "case 1");
        assert_eq!(told(&[2, 1], 3, false), "Passed");
        assert_eq!(told(&[2, 1], 2, true), "Passed");
    }
}
