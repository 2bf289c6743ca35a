//! Requirements that look at every exchange of the run, whoever made it.
//!
//! What they look for is theirs: see `requirements`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use crate::requirements::{Exchange, Facts, Finding, Observe, Requirement};
use crate::spec::Document;

/// The smallest exchange that shows a broken clause, by requirement.
#[derive(Debug, Default)]
pub(crate) struct Observers {
    watching: Vec<(&'static str, Observe)>,
    concerned: Mutex<BTreeSet<&'static str>>,
    found: Mutex<BTreeMap<&'static str, (Finding, Arc<Exchange>)>>,
}

impl Observers {
    /// Watches for those of `requirements` that observe.
    pub(crate) fn new(requirements: &[Arc<Requirement>]) -> Self {
        Self {
            watching: requirements
                .iter()
                .filter_map(|requirement| Some((requirement.id, requirement.observer()?)))
                .collect(),
            concerned: Mutex::default(),
            found: Mutex::default(),
        }
    }

    /// Shows them one exchange.
    pub(crate) fn look(&self, document: &Document, facts: &Facts, exchange: &Arc<Exchange>) {
        for (id, observe) in &self.watching {
            let Some(observation) = observe(document, facts, exchange) else {
                continue;
            };
            self.concerned.lock().unwrap_or_else(PoisonError::into_inner).insert(id);
            let Err(finding) = observation else {
                continue;
            };
            let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
            let smallest = found.get(id).is_none_or(|(_, known)| size(exchange) < size(known));
            if smallest {
                found.insert(id, (finding, Arc::clone(exchange)));
            }
        }
    }

    /// Whether any exchange concerned the requirement `id`.
    pub(crate) fn was_concerned(&self, id: &str) -> bool {
        self.concerned.lock().unwrap_or_else(PoisonError::into_inner).contains(id)
    }

    /// What the requirement `id` found.
    pub(crate) fn found(&self, id: &str) -> Option<(Finding, Arc<Exchange>)> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }
}

fn size(exchange: &Exchange) -> usize {
    exchange.request.path.len() + exchange.request.body.as_ref().map_or(0, bytes::Bytes::len)
}
