//! Everything that looks at each exchange of a run and adds something up.

use std::sync::Arc;

use super::archive::Archive;
use super::contract::Contract;
use super::latency::Latency;
use super::observers::Observers;
use super::quotas::Cost;
use super::settings::Settings;
use crate::check::{Exchange, Facts, Origin, Requirement, Tap};
use crate::coverage::Recorder;
use crate::spec::{Document, Profile, SpecError};

/// What a run records of its exchanges.
#[derive(Clone)]
pub(super) struct Records {
    pub(super) observers: Arc<Observers>,
    pub(super) latency: Arc<Latency>,
    pub(super) coverage: Arc<Recorder>,
    pub(super) cost: Arc<Cost>,
    pub(super) archive: Arc<Archive>,
}

impl Records {
    /// Nothing so far.
    pub(super) fn new(
        contract: &Arc<dyn Contract>,
        settings: &Settings,
        requirements: &[Arc<Requirement>],
        facts: &Arc<Facts>,
    ) -> Result<Self, SpecError> {
        Ok(Self {
            observers: Arc::new(Observers::new(requirements)),
            latency: Arc::default(),
            // What a lesser profile does not demand is still a part of the document.
            coverage: Arc::new(Recorder::new(&*contract.document(Profile::Full)?)),
            cost: Arc::new(Cost::new(Arc::clone(contract), Arc::clone(facts))),
            archive: Arc::new(Archive::new(settings.keep_exchanges)),
        })
    }

    /// Called with every exchange.
    pub(super) fn tap(&self, document: &Arc<Document>, facts: &Arc<Facts>) -> Tap {
        let (records, document, facts) = (self.clone(), Arc::clone(document), Arc::clone(facts));
        Arc::new(move |exchange: &Arc<Exchange>, origin: Option<&Arc<Origin>>| {
            records.archive.record(exchange, origin.map(|origin| &**origin));
            records.latency.record(exchange);
            records.cost.record(exchange, origin);
            records.coverage.record(exchange, origin.map(|origin| &**origin));
            records.observers.look(&document, &facts, exchange, origin);
        })
    }
}
