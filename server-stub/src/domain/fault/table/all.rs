//! All areas together.

use super::super::Fault;
use super::{
    article, auth, benign, contract, hooks, http, idempotency, input, isolation, json, leads, limits, outside, paging,
    problems, state, unobservable, validation,
};

/// Every switch there is.
pub fn all() -> impl Iterator<Item = Fault> {
    let areas = [
        article::ALL,
        auth::ALL,
        contract::ALL,
        hooks::ALL,
        http::ALL,
        idempotency::ALL,
        input::ALL,
        isolation::ALL,
        json::ALL,
        leads::ALL,
        limits::ALL,
        outside::ALL,
        paging::ALL,
        problems::ALL,
        state::ALL,
        unobservable::ALL,
        validation::ALL,
        benign::ALL,
    ];
    areas.into_iter().flatten().copied()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn every_switch_has_a_name_of_its_own_and_a_sentence() {
        let mut names = BTreeSet::new();
        for fault in super::all() {
            assert!(names.insert(fault.name), "{} twice", fault.name);
            assert!(fault.name.starts_with(fault.area), "{}", fault.name);
            assert!(fault.description.ends_with('.'), "{}", fault.name);
        }
        assert!(names.len() >= 150);
    }

    #[cfg(not(feature = "faults"))]
    #[test]
    fn an_ordinary_build_has_every_switch_off() {
        assert!(super::all().all(|fault| !fault.is_on()));
    }
}
