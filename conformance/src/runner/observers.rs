//! Requirements that look at every exchange of the run, whoever made it.
//!
//! What they look for is theirs: see `requirements`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::check::{Exchange, Facts, Finding, Observe, Origin, Requirement};
use crate::spec::Document;

/// How much of an answer's body is kept to show what was found.
const KEPT_BODY: usize = 64 * 1024;

/// What an observer found, in which exchange, made by which case.
#[derive(Debug, Clone)]
pub(crate) struct Sighting {
    pub(crate) finding: Finding,
    pub(crate) exchange: Arc<Exchange>,
    pub(crate) origin: Option<Arc<Origin>>,
}

/// The smallest exchange that shows a broken clause, by requirement.
#[derive(Default)]
pub(crate) struct Observers {
    watching: Vec<(Arc<Requirement>, Observe)>,
    concerned: Mutex<BTreeSet<&'static str>>,
    found: Mutex<BTreeMap<&'static str, Sighting>>,
}

impl fmt::Debug for Observers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let watching = self.watching.iter().map(|(requirement, _)| requirement.id);
        formatter.debug_list().entries(watching).finish()
    }
}

impl Observers {
    /// Watches for those of `requirements` that observe.
    pub(crate) fn new(requirements: &[Arc<Requirement>]) -> Self {
        Self {
            watching: requirements
                .iter()
                .filter_map(|requirement| Some((Arc::clone(requirement), requirement.observer()?)))
                .collect(),
            concerned: Mutex::default(),
            found: Mutex::default(),
        }
    }

    /// Shows them one exchange.
    pub(crate) fn look(
        &self,
        document: &Document,
        facts: &Facts,
        exchange: &Arc<Exchange>,
        origin: Option<&Arc<Origin>>,
    ) {
        if exchange.answered_by_proxy().is_some() {
            return;
        }
        for (requirement, observe) in &self.watching {
            let id = requirement.id;
            let Some(observation) = observe(document, facts, exchange) else {
                continue;
            };
            self.concerned.lock().unwrap_or_else(PoisonError::into_inner).insert(id);
            let Err(finding) = observation else {
                continue;
            };
            if exchange.path_rewritten().is_some() {
                continue;
            }
            let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
            let sighting = Sighting { finding, exchange: exchange.cut(KEPT_BODY), origin: origin.cloned() };
            let smallest = found.get(id).is_none_or(|known| rank(&sighting) < rank(known));
            if smallest {
                found.insert(id, sighting);
            }
        }
    }

    /// Whether any exchange concerned the requirement `id`.
    pub(crate) fn was_concerned(&self, id: &str) -> bool {
        self.concerned.lock().unwrap_or_else(PoisonError::into_inner).contains(id)
    }

    /// Whether something was found for any of the requirements that `counts` is true for.
    pub(crate) fn found_any(&self, counts: &dyn Fn(&Requirement) -> bool) -> bool {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        self.watching.iter().any(|(requirement, _)| found.contains_key(requirement.id) && counts(requirement))
    }

    /// What the requirement `id` found.
    pub(crate) fn found(&self, id: &str) -> Option<Sighting> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }
}

/// The smallest request comes first; among equals the order of cases decides, so that every run names the same one.
fn rank(sighting: &Sighting) -> (usize, Option<(&str, u32)>) {
    let request = &sighting.exchange.request;
    let size = request.path.len() + request.body.as_ref().map_or(0, bytes::Bytes::len);
    (size, sighting.origin.as_ref().map(|origin| (origin.requirement, origin.case_index)))
}
