//! The kill matrix: every fault with what noticed it, and whether that is good enough.
//!
//! It is written as JSON as it stands, and as a page by `page`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::trial::{Trial, Verdict};

/// Version of the JSON form.
pub const VERSION: u32 = 2;

/// A run against the healthy server.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct HealthyRun {
    /// Its seed.
    pub seed: u64,
    /// What failed, one line for each; nothing should.
    pub failed: Vec<String>,
    /// Wall-clock time in seconds.
    pub seconds: f64,
}

/// What came of the faults of an area.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Area {
    /// Faults, or variants.
    pub all: usize,
    /// Those with which the suite did what it should; skipped ones are not counted.
    pub good: usize,
    /// Those that this set-up cannot show.
    pub skipped: usize,
}

/// Everything that was found out.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Matrix {
    /// Version of this form.
    pub version: u32,
    /// Version of the suite.
    pub suite_version: String,
    /// Seed of every case.
    pub seed: u64,
    /// Cases of a searched requirement.
    pub cases: u32,
    /// Whether every requirement was run against every fault.
    pub full: bool,
    /// Wall-clock time in seconds.
    pub seconds: f64,
    /// The healthy server's runs.
    pub healthy: Vec<HealthyRun>,
    /// By area.
    pub areas: BTreeMap<String, Area>,
    /// Every fault and every variant.
    pub trials: Vec<Trial>,
}

impl Matrix {
    /// What the trials of each area came to.
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

    /// The faults and the benign variants, in this order.
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

    /// Why the suite is not proven, one sentence for each reason.
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
