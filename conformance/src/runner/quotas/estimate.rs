//! Estimates how long a run will take at the target's quotas, and counts the requests that each requirement makes of each quota.
//!
//! The contract provides the measured number of requests of each requirement. Other targets respond differently, so
//! this is a rough estimate. `ledger` waits for quotas.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::ledger::{self, MAX_QUOTAS};
use super::policy::Quota;
use crate::check::{Exchange, Facts, Origin, Requirement};
use crate::runner::Contract;
use crate::strategies::Space;

/// Delays up to this length are not reported.
const WORTH_TELLING: Duration = Duration::from_mins(2);
/// Numbers of cases that are suggested as an alternative.
const FEWER_CASES: [u32; 2] = [16, 1];

/// The requests that a run will make of the target.
pub(in crate::runner) struct Workload<'run> {
    /// The requirements that can run before this target.
    pub(in crate::runner) requirements: &'run [Arc<Requirement>],
    pub(in crate::runner) space: &'run Space,
    /// Cases of a searched requirement.
    pub(in crate::runner) cases: u32,
    pub(in crate::runner) max_time: Option<Duration>,
    /// The measured costs of the contract's requirements: [`crate::runner::Contract::measured_costs`].
    pub(in crate::runner) measured: &'static str,
}

/// The effect on the run of the quotas that are known before it.
pub(in crate::runner) struct Estimate {
    quotas: Vec<Quota>,
    measured: &'static str,
    /// A sentence on how long they delay the run, if that is worth reporting.
    pub(in crate::runner) remark: Option<String>,
}

impl Estimate {
    /// Adds the `unannounced` quotas to the `known` ones, unless both have the same name. If the target announces no quotas and its owner
    /// declares none, it has none.
    pub(in crate::runner) fn new(workload: &Workload<'_>, known: Vec<Quota>, unannounced: Vec<Quota>) -> Self {
        let mut quotas = known;
        if !quotas.is_empty() {
            let new = unannounced.into_iter().filter(|one| quotas.iter().all(|known| known.name != one.name));
            quotas.extend(new.collect::<Vec<_>>());
        }
        Self { remark: workload.remark(&quotas), quotas, measured: workload.measured }
    }

    /// Returns true if the quotas delay the run for long.
    pub(in crate::runner) const fn is_held_up(&self) -> bool {
        self.remark.is_some()
    }

    /// Returns the cost of one case of a requirement, for comparing: the time that it waits for quotas, then the number of requests.
    pub(in crate::runner) fn cost(&self, requirement: &Requirement) -> (Duration, u64) {
        let measured = lines(self.measured).filter(|line| line.requirement == requirement.id);
        let requests = measured.map(|line| u64::from(line.requests.div_ceil(line.cases.max(1)))).sum();
        (time_of_one(self.measured, requirement, &self.quotas), requests)
    }
}

impl Workload<'_> {
    /// Returns a sentence on how long the target's quotas delay the run, if it is worth reporting.
    fn remark(&self, quotas: &[Quota]) -> Option<String> {
        let needed = self.time_for(self.cases, quotas);
        if needed < self.max_time.unwrap_or(WORTH_TELLING).min(WORTH_TELLING) {
            return None;
        }
        let told = |quota: &Quota| format!("{} {} in {} s", quota.name, quota.requests, quota.window.as_secs());
        let quotas_told = quotas.iter().map(told).collect::<Vec<_>>().join(", ");
        let fewer = FEWER_CASES.into_iter().filter(|cases| *cases < self.cases);
        let shorter = fewer.map(|cases| format!("about {} with --cases {cases}", rough(self.time_for(cases, quotas))));
        let shorter = shorter.collect::<Vec<_>>().join(", ");
        let shorter = if shorter.is_empty() { String::new() } else { format!(", {shorter}") };
        let end = match self.max_time {
            Some(limit) => format!(
                "It ends after {} s (--max-time): every requirement runs once before any runs twice, and the requirements that \
                 did not run are not decided",
                limit.as_secs()
            ),
            None => "Select a part of it with --only, or end it early with --max-time 15m: every requirement runs once before any \
                     runs twice"
                .to_owned(),
        };
        Some(format!("at the target's quotas ({quotas_told}) this run takes about {}{shorter}. {end}", rough(needed)))
    }

    /// Returns how long a run with so many cases waits for quotas. Requirements wait for one quota after the other, one
    /// requirement at a time.
    fn time_for(&self, cases: u32, quotas: &[Quota]) -> Duration {
        let of_quota = |quota: &Quota| {
            let requests: f64 = self.requirements.iter().map(|one| self.requests(one, cases, &quota.name)).sum();
            quota.time_for(requests).saturating_sub(quota.window)
        };
        quotas.iter().map(of_quota).sum()
    }

    /// Returns roughly how many requests `requirement` makes of a quota.
    fn requests(&self, requirement: &Requirement, cases: u32, quota: &str) -> f64 {
        requests_of_one(self.measured, requirement, quota) * f64::from(requirement.case_count(self.space, cases))
    }
}

/// Returns how long one case of a requirement waits for the quotas if it uses them alone.
fn time_of_one(measured: &'static str, requirement: &Requirement, quotas: &[Quota]) -> Duration {
    let time = |quota: &Quota| quota.time_for(requests_of_one(measured, requirement, &quota.name));
    quotas.iter().map(time).max().unwrap_or_default()
}

/// Returns roughly how many requests one case makes of a quota.
fn requests_of_one(measured: &'static str, requirement: &Requirement, quota: &str) -> f64 {
    let measured = lines(measured).find(|line| line.requirement == requirement.id && line.quota == quota);
    measured.map_or(0.0, |line| f64::from(line.requests) / f64::from(line.cases.max(1)))
}

/// The measured cost of one requirement.
struct Line<'text> {
    requirement: &'text str,
    quota: &'text str,
    requests: u32,
    cases: u32,
}

fn lines(measured: &'static str) -> impl Iterator<Item = Line<'static>> {
    measured.lines().skip(1).filter_map(|line| {
        let mut parts = line.split(',');
        let (requirement, quota) = (parts.next()?, parts.next()?);
        Some(Line { requirement, quota, requests: parts.next()?.parse().ok()?, cases: parts.next()?.parse().ok()? })
    })
}

/// Returns a time in rounded words.
fn rough(time: Duration) -> String {
    match time.as_secs() {
        0..=89 => format!("{} s", time.as_secs()),
        seconds @ 90..=5_399 => format!("{} min", seconds.div_ceil(60)),
        seconds => format!("{} h", seconds.div_ceil(3_600)),
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_roughly() {
        let told = [0, 89, 90, 725, 5_400, 100_000].map(|seconds| rough(Duration::from_secs(seconds)));
        assert_eq!(told, ["0 s", "89 s", "2 min", "13 min", "2 h", "28 h"]);
    }
}
