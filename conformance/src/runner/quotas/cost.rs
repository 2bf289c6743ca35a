//! How many requests each requirement makes of each quota.
//!
//! What a run will cost is told beforehand by `estimate`.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::ledger::{self, MAX_QUOTAS};
use crate::check::{Exchange, Facts, Origin};

/// The name of the quota of lead forms, whose answers announce none (`capture_rate` under `x-limits`).
pub(super) const CAPTURE: &str = "capture";

/// Counts the requests of a run.
#[derive(Debug)]
pub(in crate::runner) struct Cost {
    /// Where lead forms are sent.
    capture_url: Option<String>,
    by_requirement: Mutex<BTreeMap<&'static str, BTreeMap<String, u64>>>,
}

impl Cost {
    pub(in crate::runner) fn new(facts: &Facts) -> Self {
        Self {
            capture_url: facts.capture.as_ref().map(|capture| capture.url.clone()),
            by_requirement: Mutex::default(),
        }
    }

    /// Takes one exchange of the case `origin`.
    pub(in crate::runner) fn record(&self, exchange: &Exchange, origin: Option<&Arc<Origin>>) {
        let Some(origin) = origin else { return };
        let mut charged = ledger::charged(exchange);
        let is_form = self.capture_url.as_ref().is_some_and(|url| exchange.request.path == *url);
        if charged.is_empty() && is_form && exchange.status != 429 {
            charged.push(CAPTURE.to_owned());
        }
        for quota in charged {
            let mut by_requirement = self.by_requirement.lock().unwrap_or_else(PoisonError::into_inner);
            let counts = by_requirement.entry(origin.requirement).or_default();
            // A target may name another quota in each answer.
            if counts.len() < MAX_QUOTAS || counts.contains_key(&quota) {
                *counts.entry(quota).or_default() += 1;
            }
        }
    }

    /// The requests of one requirement, by the name of the quota.
    pub(in crate::runner) fn of(&self, requirement: &str) -> BTreeMap<String, u64> {
        let by_requirement = self.by_requirement.lock().unwrap_or_else(PoisonError::into_inner);
        by_requirement.get(requirement).cloned().unwrap_or_default()
    }
}
