//! How long a run will take at the target's quotas, told before it begins.
//!
//! How many requests each requirement makes was measured, and the contract tells it. Another target answers in other ways, so the number is a rough one. Waiting for quotas is `ledger`'s.

use std::sync::Arc;
use std::time::Duration;

use super::policy::Quota;
use crate::check::Requirement;
use crate::strategies::Space;

/// A run that is not held up longer needs no word about it.
const WORTH_TELLING: Duration = Duration::from_mins(2);
/// Numbers of cases that are told as an alternative.
const FEWER_CASES: [u32; 2] = [16, 1];

/// What a run will ask of the target.
pub(in crate::runner) struct Workload<'run> {
    /// Those that can run before this target.
    pub(in crate::runner) requirements: &'run [Arc<Requirement>],
    pub(in crate::runner) space: &'run Space,
    /// Cases of a searched requirement.
    pub(in crate::runner) cases: u32,
    pub(in crate::runner) max_time: Option<Duration>,
    /// What the contract says was measured of its requirements: [`crate::runner::Contract::measured_costs`].
    pub(in crate::runner) measured: &'static str,
}

/// What the target's quotas, as far as they are known before the run, mean for it.
pub(in crate::runner) struct Estimate {
    quotas: Vec<Quota>,
    measured: &'static str,
    /// A sentence on how long they hold the run up, if that is worth telling.
    pub(in crate::runner) remark: Option<String>,
}

impl Estimate {
    /// Of `unannounced` quotas those count that the target has not announced meanwhile; one that announces none has none.
    pub(in crate::runner) fn new(workload: &Workload<'_>, announced: Vec<Quota>, unannounced: Vec<Quota>) -> Self {
        let mut quotas = announced;
        if !quotas.is_empty() {
            let new = unannounced.into_iter().filter(|one| quotas.iter().all(|known| known.name != one.name));
            quotas.extend(new.collect::<Vec<_>>());
        }
        Self { remark: workload.remark(&quotas), quotas, measured: workload.measured }
    }

    /// Whether the quotas hold the run up for long.
    pub(in crate::runner) const fn is_held_up(&self) -> bool {
        self.remark.is_some()
    }

    /// What one case of a requirement costs, for comparing: how long it waits for the quotas, then how many requests it makes.
    pub(in crate::runner) fn cost(&self, requirement: &Requirement) -> (Duration, u64) {
        let measured = lines(self.measured).filter(|line| line.requirement == requirement.id);
        let requests = measured.map(|line| u64::from(line.requests.div_ceil(line.cases.max(1)))).sum();
        (time_of_one(self.measured, requirement, &self.quotas), requests)
    }
}

impl Workload<'_> {
    /// A sentence on how long the target's quotas hold the run up, if it is worth telling.
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

    /// How long a run of so many cases waits for quotas: they are waited for one after the other, by one requirement at a time.
    fn time_for(&self, cases: u32, quotas: &[Quota]) -> Duration {
        let of_quota = |quota: &Quota| {
            let requests: f64 = self.requirements.iter().map(|one| self.requests(one, cases, &quota.name)).sum();
            quota.time_for(requests).saturating_sub(quota.window)
        };
        quotas.iter().map(of_quota).sum()
    }

    /// About how many requests `requirement` makes of a quota.
    fn requests(&self, requirement: &Requirement, cases: u32, quota: &str) -> f64 {
        requests_of_one(self.measured, requirement, quota) * f64::from(requirement.case_count(self.space, cases))
    }
}

/// How long one case of a requirement waits for the quotas, if nobody else used them.
fn time_of_one(measured: &'static str, requirement: &Requirement, quotas: &[Quota]) -> Duration {
    let time = |quota: &Quota| quota.time_for(requests_of_one(measured, requirement, &quota.name));
    quotas.iter().map(time).max().unwrap_or_default()
}

/// About how many requests one case makes of a quota.
fn requests_of_one(measured: &'static str, requirement: &Requirement, quota: &str) -> f64 {
    let measured = lines(measured).find(|line| line.requirement == requirement.id && line.quota == quota);
    measured.map_or(0.0, |line| f64::from(line.requests) / f64::from(line.cases.max(1)))
}

/// What was measured of one requirement.
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

/// A time as people tell it.
fn rough(time: Duration) -> String {
    match time.as_secs() {
        0..=89 => format!("{} s", time.as_secs()),
        seconds @ 90..=5_399 => format!("{} min", seconds.div_ceil(60)),
        seconds => format!("{} h", seconds.div_ceil(3_600)),
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
