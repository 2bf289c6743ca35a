//! Lists the faults of all areas.

use super::fault::Fault;
use super::{
    article, auth, benign, contract, hooks, http, idempotency, input, isolation, json, leads, limits, outside, paging,
    problems, state, transport, validation,
};

/// Every fault, then every benign variant.
pub fn all() -> impl Iterator<Item = Fault> {
    let areas = [
        article::FAULTS,
        auth::FAULTS,
        contract::FAULTS,
        hooks::FAULTS,
        http::FAULTS,
        idempotency::FAULTS,
        input::FAULTS,
        isolation::FAULTS,
        json::FAULTS,
        leads::FAULTS,
        limits::FAULTS,
        outside::FAULTS,
        paging::FAULTS,
        problems::FAULTS,
        state::FAULTS,
        transport::FAULTS,
        validation::FAULTS,
        benign::FAULTS,
    ];
    areas.into_iter().flatten().copied().flatten().copied()
}

/// Returns the fault with this name.
pub fn find(name: &str) -> Option<Fault> {
    all().find(|fault| fault.name == name)
}

/// Minimum similarity, from 0 to 1, for suggesting a name.
const ALIKE: f64 = 0.85;

/// Returns names similar to a mistyped one, the most similar first.
pub fn similar(name: &str) -> Vec<&'static str> {
    let likeness = |known: &str| strsim::jaro_winkler(name, known);
    let mut alike: Vec<&str> = all().map(|fault| fault.name).filter(|known| likeness(known) >= ALIKE).collect();
    alike.sort_by(|one, other| likeness(other).total_cmp(&likeness(one)));
    alike.truncate(5);
    alike
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn every_fault_has_a_name_of_its_own_and_a_sentence_and_does_something() {
        let mut names = BTreeSet::new();
        for fault in super::all() {
            assert!(names.insert(fault.name), "{} twice", fault.name);
            assert!(fault.name.split_once('.').is_some_and(|(_, what)| !what.is_empty()), "{}", fault.name);
            // A variant may end with a quotation of the document.
            assert!(fault.description.trim_end_matches('"').ends_with('.'), "{}", fault.name);
            assert!(fault.edge.is_used() || fault.hooks.is_used(), "{} acts nowhere", fault.name);
        }
    }
}
