//! Counts the requests that each requirement makes of each quota.
//!
//! `estimate` predicts the cost of a run.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::ledger::{self, MAX_QUOTAS};
use crate::check::{Exchange, Facts, Origin};
use crate::runner::Contract;

/// Counts the requests of a run.
#[derive(Debug)]
pub(in crate::runner) struct Cost {
    contract: Arc<dyn Contract>,
    facts: Arc<Facts>,
    by_requirement: Mutex<BTreeMap<&'static str, BTreeMap<String, u64>>>,
}

impl Cost {
    pub(in crate::runner) fn new(contract: Arc<dyn Contract>, facts: Arc<Facts>) -> Self {
        Self { contract, facts, by_requirement: Mutex::default() }
    }

    /// Records one exchange of the case `origin`.
    pub(in crate::runner) fn record(&self, exchange: &Exchange, origin: Option<&Arc<Origin>>) {
        let Some(origin) = origin else { return };
        let mut charged = ledger::charged(exchange);
        if charged.is_empty() {
            charged.extend(self.contract.charged_unannounced(exchange, &self.facts).map(ToOwned::to_owned));
        }
        for quota in charged {
            let mut by_requirement = self.by_requirement.lock().unwrap_or_else(PoisonError::into_inner);
            let counts = by_requirement.entry(origin.requirement).or_default();
            // A target may name another quota in each response.
            if counts.len() < MAX_QUOTAS || counts.contains_key(&quota) {
                *counts.entry(quota).or_default() += 1;
            }
        }
    }

    /// Returns the number of requests of one requirement, by the name of the quota.
    pub(in crate::runner) fn of(&self, requirement: &str) -> BTreeMap<String, u64> {
        let by_requirement = self.by_requirement.lock().unwrap_or_else(PoisonError::into_inner);
        by_requirement.get(requirement).cloned().unwrap_or_default()
    }
}
