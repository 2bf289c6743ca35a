//! Cases that find nothing that their clause covers, such as a list without rows.

use crate::runner::outcome::Outcome;

/// The cases of a requirement that found nothing to check.
#[derive(Default)]
pub(super) struct Unmet {
    count: u32,
    /// The reason, from the case with the lowest index.
    first: Option<(u32, String)>,
}

impl Unmet {
    pub(super) fn add(&mut self, index: u32, reason: String) {
        self.count += 1;
        if self.first.as_ref().is_none_or(|(known, _)| index < *known) {
            self.first = Some((index, reason));
        }
    }

    /// Returns the outcome of the requirement, given the `outcome` of its other cases. `done` is the number of all
    /// cases. It has passed if at least one case found something to check and passed.
    pub(super) fn or(self, outcome: Outcome, done: u32, met_before: bool) -> Outcome {
        match (self.first, outcome) {
            (Some((_, first)), Outcome::Passed) if self.count == done && !met_before => Outcome::Inconclusive(first),
            (_, outcome) => outcome,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Unmet};

    #[test]
    fn a_requirement_is_open_where_none_of_its_cases_met_what_it_is_about() {
        let told = |indices: &[u32], done: u32, met_before: bool| {
            let mut unmet = Unmet::default();
            for index in indices {
                unmet.add(*index, format!("case {index}"));
            }
            match unmet.or(Outcome::Passed, done, met_before) {
                Outcome::Inconclusive(reason) => reason,
                other => format!("{other:?}"),
            }
        };
        assert_eq!(told(&[], 0, false), "Passed");
        assert_eq!(told(&[2, 1], 2, false), "case 1");
        assert_eq!(told(&[2, 1], 3, false), "Passed");
        assert_eq!(told(&[2, 1], 2, true), "Passed");
    }
}
