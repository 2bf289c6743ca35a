//! Cases that decide nothing because of a reverse proxy before the target.
//!
//! `check::proxy_page` detects responses of a proxy.

use std::sync::Arc;

use crate::check::{Exchange, Halt};
use crate::runner::outcome::Outcome;

/// Cases that decided nothing because a proxy responded, or may have changed the request.
#[derive(Default)]
pub(super) struct Proxied {
    count: u32,
    /// The reason, from the case with the lowest index.
    first: Option<(u32, String)>,
}

impl Proxied {
    pub(super) fn add(&mut self, index: u32, reason: String) {
        self.count += 1;
        if self.first.as_ref().is_none_or(|(known, _)| index < *known) {
            self.first = Some((index, reason));
        }
    }

    /// Returns the outcome of the requirement, given the `outcome` of its other cases. `done` is the number of all cases.
    pub(super) fn or(self, outcome: Outcome, done: u32) -> Outcome {
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
    use super::{Outcome, Proxied};

    #[test]
    fn cases_that_a_proxy_answered_leave_a_requirement_undecided() {
        let told = |indices: &[u32], done: u32| {
            let mut proxied = Proxied::default();
            for index in indices {
                proxied.add(*index, format!("case {index}"));
            }
            match proxied.or(Outcome::Passed, done) {
                Outcome::Inconclusive(reason) => reason,
                other => format!("{other:?}"),
            }
        };
        assert_eq!(told(&[], 3), "Passed");
        assert_eq!(told(&[2, 1], 2), "not decided: case 1");
        assert_eq!(told(&[2, 1], 8), "not decided in 2 of 8 cases: case 1; the other cases passed");
    }
}
