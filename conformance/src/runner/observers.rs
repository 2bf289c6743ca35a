//! Requirements that check every exchange of the run.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::check::{Exchange, Facts, Finding, Observe, Origin, Requirement};
use crate::spec::Document;

/// Maximum number of bytes of a response body that are kept as evidence.
const KEPT_BODY: usize = 64 * 1024;

/// A finding of an observer, with its exchange and the case that made it.
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
    /// Number of exchanges that concerned a requirement.
    concerned: Mutex<BTreeMap<&'static str, u32>>,
    found: Mutex<BTreeMap<&'static str, Sighting>>,
    /// Number of exchanges with a finding, by requirement.
    counts: Mutex<BTreeMap<&'static str, u32>>,
}

impl fmt::Debug for Observers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let watching = self.watching.iter().map(|(requirement, _)| requirement.id);
        formatter.debug_list().entries(watching).finish()
    }
}

impl Observers {
    /// Creates the observers of `requirements`.
    pub(crate) fn new(requirements: &[Arc<Requirement>]) -> Self {
        Self {
            watching: requirements
                .iter()
                .filter_map(|requirement| Some((Arc::clone(requirement), requirement.observer()?)))
                .collect(),
            concerned: Mutex::default(),
            found: Mutex::default(),
            counts: Mutex::default(),
        }
    }

    /// Passes one exchange to the observers.
    pub(crate) fn look(
        &self,
        document: &Document,
        facts: &Facts,
        exchange: &Arc<Exchange>,
        origin: Option<&Arc<Origin>>,
    ) {
        if exchange.answered_by_proxy(document.profile()).is_some() {
            return;
        }
        for (requirement, observe) in &self.watching {
            let id = requirement.id;
            let Some(observation) = observe(document, facts, exchange) else {
                continue;
            };
            *self.concerned.lock().unwrap_or_else(PoisonError::into_inner).entry(id).or_default() += 1;
            let Err(finding) = observation else {
                continue;
            };
            if exchange.path_rewritten().is_some() {
                continue;
            }
            *self.counts.lock().unwrap_or_else(PoisonError::into_inner).entry(id).or_default() += 1;
            let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
            let sighting = Sighting { finding, exchange: exchange.cut(KEPT_BODY), origin: origin.cloned() };
            let smallest = found.get(id).is_none_or(|known| rank(&sighting) < rank(known));
            if smallest {
                found.insert(id, sighting);
            }
        }
    }

    /// Returns the number of exchanges that concerned the requirement `id`.
    pub(crate) fn concerned(&self, id: &str) -> u32 {
        self.concerned.lock().unwrap_or_else(PoisonError::into_inner).get(id).copied().unwrap_or_default()
    }

    /// Returns true if an observer found something for any of the requirements for which `counts` returns true.
    pub(crate) fn found_any(&self, counts: &dyn Fn(&Requirement) -> bool) -> bool {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        self.watching.iter().any(|(requirement, _)| found.contains_key(requirement.id) && counts(requirement))
    }

    /// Returns the number of exchanges in which the requirement `id` found something.
    pub(crate) fn count(&self, id: &str) -> u32 {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).get(id).copied().unwrap_or_default()
    }

    /// Returns the finding of the requirement `id`.
    pub(crate) fn found(&self, id: &str) -> Option<Sighting> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }
}

/// Ranks the smallest request first. Among equals the order of cases decides, so that every run names the same one.
fn rank(sighting: &Sighting) -> (usize, Option<(&str, u32)>) {
    let request = &sighting.exchange.request;
    let size = request.path.len() + request.body.as_ref().map_or(0, bytes::Bytes::len);
    (size, sighting.origin.as_ref().map(|origin| (origin.requirement, origin.case_index)))
}
