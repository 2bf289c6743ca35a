//! Collects all records that are derived from every exchange of a run.

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

/// The records of a run's exchanges.
#[derive(Clone)]
pub(super) struct Records {
    pub(super) observers: Arc<Observers>,
    pub(super) latency: Arc<Latency>,
    pub(super) coverage: Arc<Recorder>,
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
            cost: Arc::new(Cost::new(Arc::clone(contract), Arc::clone(facts))),
            archive: Arc::new(Archive::new(settings.keep_exchanges)),
        })
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
            if !exchange.is_waited_out() {
                records.observers.look(&document, &facts, exchange, origin);
            }
        })
    }
}
