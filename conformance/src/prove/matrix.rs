//! The kill matrix: the result of every fault, the requirements that noticed it, and whether that is sufficient.

use std::collections::BTreeMap;

use contentgen_faults::catalogue::{Fault, Kind};
use serde::{Deserialize, Serialize};

/// Version of the JSON form.
pub const VERSION: u32 = 2;

/// A run against the healthy server.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct HealthyRun {
    /// Its seed.
    pub seed: u64,
    /// Failed requirements, one line for each; must be empty.
    pub failed: Vec<String>,
    /// Wall-clock time in seconds.
    pub seconds: f64,
}

/// Results of the faults of an area.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Area {
    /// Number of faults, or variants.
    pub all: usize,
    /// Number of faults for which the suite was right, without skipped ones.
    pub good: usize,
    /// Number of faults that this set-up cannot show.
    pub skipped: usize,
}

/// Complete results.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Matrix {
    /// Version of this form.
    pub version: u32,
    /// Version of the suite.
    pub suite_version: String,
    /// Seed of every case.
    pub seed: u64,
    /// Number of cases of a searched requirement.
    pub cases: u32,
    /// True if every requirement was run against every fault.
    pub full: bool,
    /// Wall-clock time in seconds.
    pub seconds: f64,
    /// The healthy server's runs.
    pub healthy: Vec<HealthyRun>,
    /// Results by area.
    pub areas: BTreeMap<String, Area>,
    /// Every fault and every variant.
    pub trials: Vec<Trial>,
}

impl Matrix {
    /// Returns the results of the trials of each area.
    pub(super) fn areas(trials: &[Trial]) -> BTreeMap<String, Area> {
        let mut areas: BTreeMap<String, Area> = BTreeMap::new();
        for trial in trials {
            let area = areas.entry(trial.area.clone()).or_default();
            area.all += 1;
            area.skipped += usize::from(trial.verdict == Verdict::Skipped);
            area.good += usize::from(matches!(trial.verdict, Verdict::Caught | Verdict::Passed));
        }
        areas
    }

    /// Returns the totals of the faults and of the benign variants, in this order.
    pub fn totals(&self) -> (Area, Area) {
        let mut totals = (Area::default(), Area::default());
        for (name, area) in &self.areas {
            let total = if name == "benign" { &mut totals.1 } else { &mut totals.0 };
            total.all += area.all;
            total.good += area.good;
            total.skipped += area.skipped;
        }
        totals
    }

    /// Returns the reasons why the suite is not proven, one sentence each.
    pub fn objections(&self) -> Vec<String> {
        let mut objections: Vec<String> = Vec::new();
        for run in self.healthy.iter().filter(|run| !run.failed.is_empty()) {
            objections.push(format!("the healthy server fails with seed {}: {}", run.seed, run.failed.join("; ")));
        }
        for trial in self.trials.iter().filter(|trial| !trial.verdict.is_good()) {
            objections.push(match trial.verdict {
                Verdict::Survived => format!("{} survives: no requirement notices it", trial.name),
                Verdict::CaughtByOthers => {
                    format!("{} is noticed by {} only", trial.name, trial.caught_by.join(", "))
                }
                Verdict::Blamed => {
                    format!("{} is a correct variant, but fails {}", trial.name, trial.caught_by.join(", "))
                }
                _ => format!("{} could not be tried", trial.name),
            });
        }
        objections
    }
}

/// Result of a fault or a variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// A requirement that must notice it did.
    Caught,
    /// Only requirements noticed it that are not listed in `expected`.
    CaughtByOthers,
    /// No requirement noticed it.
    Survived,
    /// This set-up cannot show it, for the reason in the remark.
    Skipped,
    /// A correct variant passed.
    Passed,
    /// A correct variant failed.
    Blamed,
    /// The server could not be tried.
    Broken,
}

impl Verdict {
    /// Returns true if the suite was right.
    pub fn is_good(&self) -> bool {
        matches!(self, Self::Caught | Self::Skipped | Self::Passed)
    }
}

/// One tried fault or variant.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Trial {
    /// Its name.
    pub name: String,
    /// The part of the contract that it affects.
    pub area: String,
    /// Behaviour of the server.
    pub description: String,
    /// The requirements that must notice it; empty for a correct variant.
    pub expected: Vec<String>,
    /// The requirements that failed, or warned.
    pub caught_by: Vec<String>,
    /// The result.
    pub verdict: Verdict,
    /// The explanation, if needed: the finding, or the reason of the declaration.
    pub remark: Option<String>,
    /// Wall-clock time in seconds.
    pub seconds: f64,
}

impl Trial {
    /// Returns a trial with only a verdict.
    pub(super) fn new(fault: Fault, verdict: Verdict, remark: Option<String>) -> Self {
        let named = if let Kind::Broken(named) = fault.kind { named } else { &[] };
        Self {
            name: fault.name.to_owned(),
            area: fault.area().to_owned(),
            description: fault.description.to_owned(),
            expected: named.iter().map(ToString::to_string).collect(),
            caught_by: Vec::new(),
            verdict,
            remark,
            seconds: 0.0,
        }
    }
}
