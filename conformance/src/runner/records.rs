//! Collects all records that are derived from every exchange of a run.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::contract::Contract;
use super::latency::Latency;
use super::observers::Observers;
use super::outcome::RequirementResult;
use super::quotas::Cost;
use super::settings::Settings;
use crate::check::{Exchange, Facts, Origin, Requirement, Tap};
use crate::choices;
use crate::coverage::Recorder;
use crate::spec::{Document, Profile, SpecError};

/// The records of a run's exchanges.
#[derive(Clone)]
pub(super) struct Records {
    pub(super) observers: Arc<Observers>,
    pub(super) latency: Arc<Latency>,
    pub(super) coverage: Arc<Recorder>,
    pub(super) choices: Arc<choices::Recorder>,
    pub(super) cost: Arc<Cost>,
    pub(super) archive: Arc<Archive>,
}

impl Records {
    /// Returns empty records.
    pub(super) fn new(
        contract: &Arc<dyn Contract>,
        settings: &Settings,
        requirements: &[Arc<Requirement>],
        facts: &Arc<Facts>,
    ) -> Result<Self, SpecError> {
        Ok(Self {
            observers: Arc::new(Observers::new(requirements)),
            latency: Arc::default(),
            // Parts of the document outside of a smaller profile still count.
            coverage: Arc::new(Recorder::new(&*contract.document(Profile::Full)?)),
            choices: Arc::default(),
            cost: Arc::new(Cost::new(Arc::clone(contract), Arc::clone(facts))),
            archive: Arc::new(Archive::new(settings.keep_exchanges)),
        })
    }

    /// Adds to each result its number of requests, and the responses to its cases.
    pub(super) fn complete(&self, results: &mut [RequirementResult]) {
        for result in results {
            result.requests = self.cost.of(result.requirement.id);
            result.responses = self.choices.responses(result.requirement.id);
        }
    }

    /// Returns the function that is called with every exchange.
    pub(super) fn tap(&self, document: &Arc<Document>, facts: &Arc<Facts>) -> Tap {
        let (records, document, facts) = (self.clone(), Arc::clone(document), Arc::clone(facts));
        Arc::new(move |exchange: &Arc<Exchange>, origin: Option<&Arc<Origin>>| {
            records.archive.record(exchange, origin.map(|origin| &**origin));
            records.latency.record(exchange);
            records.cost.record(exchange, origin);
            records.coverage.record(exchange, origin.map(|origin| &**origin));
            // A response without room for the request shows nothing about the contract.
            // Observers compare times with the suite's clock.
            let has_other_clock = facts.clock.as_ref().is_some_and(|clock| clock.has_moved());
            if !exchange.is_waited_out() && !has_other_clock {
                records.choices.record(&document, exchange, origin.map(|origin| &**origin));
                records.observers.look(&document, &facts, exchange, origin);
            }
        })
    }
}

/// Maximum number of exchanges that are kept of a requirement.
const KEPT: usize = 12;
/// Bytes of each response body that are kept, and bytes once [`MAX_BYTES`] are kept of the whole run.
const KEPT_BODY: usize = 16 * 1024;
const KEPT_LATER: usize = 512;
const MAX_BYTES: usize = 32 * 1024 * 1024;

/// Exchanges by requirement, in the order in which they ended.
pub type Archived = BTreeMap<&'static str, Vec<Arc<Exchange>>>;

/// Keeps the exchanges of the first case of each requirement, if the settings ask for them. A failure always keeps its own exchanges.
#[derive(Debug, Default)]
pub(super) struct Archive {
    is_on: bool,
    kept: Mutex<(usize, Archived)>,
}

impl Archive {
    fn new(is_on: bool) -> Self {
        Self { is_on, ..Self::default() }
    }

    /// Records one exchange, and the case that made it.
    fn record(&self, exchange: &Arc<Exchange>, origin: Option<&Origin>) {
        let Some(origin) = origin.filter(|origin| self.is_on && origin.case_index == 0) else { return };
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let (bytes, by_requirement) = &mut *kept;
        let exchanges = by_requirement.entry(origin.requirement).or_default();
        if exchanges.len() < KEPT {
            let exchange = exchange.cut(if *bytes < MAX_BYTES { KEPT_BODY } else { KEPT_LATER });
            *bytes += exchange.body.len() + exchange.request.body.as_ref().map_or(0, bytes::Bytes::len);
            exchanges.push(exchange);
        }
    }

    /// Returns the kept exchanges.
    pub(super) fn take(&self) -> Archived {
        std::mem::take(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner).1)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bytes::Bytes;
    use http::HeaderMap;
    use serde_json::Value;

    use super::*;
    use crate::check::Request;

    fn exchange(length: usize) -> Arc<Exchange> {
        let body = Bytes::from(vec![b'a'; length]);
        Arc::new(Exchange::new(Request::outside("GET", "/"), 200, HeaderMap::new(), body, Duration::ZERO))
    }

    #[test]
    fn only_the_first_case_is_kept_and_only_so_much_of_it() {
        let of_case = |case_index| Origin { requirement: "a.b.c", case_index, case: Value::Null };
        let archive = Archive::new(true);
        for _ in 0..50 {
            archive.record(&exchange(100 * 1024), Some(&of_case(0)));
            archive.record(&exchange(1), Some(&of_case(1)));
            archive.record(&exchange(1), None);
        }
        let lengths: Vec<usize> = archive.take()["a.b.c"].iter().map(|exchange| exchange.body.len()).collect();
        assert_eq!(lengths, [KEPT_BODY; KEPT]);
        let off = Archive::new(false);
        off.record(&exchange(1), Some(&of_case(0)));
        assert!(off.take().is_empty());
    }
}
