//! The verdict by feature, such as `core 17/17 · webhooks 59/61, 2 open · isolation: not configured`.

use std::collections::BTreeMap;

use super::model::FeatureReport;
use crate::check::Level;
use crate::runner::{Outcome, Run};

/// The feature that every server has.
pub(super) const CORE: &str = "core";

/// Counts the results of a run by feature, `core` first.
pub(super) fn of_run(run: &Run) -> Vec<FeatureReport> {
    let mut features: BTreeMap<(bool, &str), FeatureReport> = BTreeMap::new();
    for result in run.results.iter().filter(|result| result.requirement.level == Level::Must) {
        let feature = features.entry((result.feature != CORE, result.feature)).or_insert_with(|| FeatureReport {
            name: result.feature.to_owned(),
            passed: 0,
            applicable: 0,
            open: 0,
            absent: None,
        });
        match &result.outcome {
            Outcome::NotApplicable(reason) => {
                feature.absent.get_or_insert_with(|| reason.clone());
                continue;
            }
            Outcome::Passed => feature.passed += 1,
            Outcome::Skipped(_) | Outcome::Inconclusive(_) | Outcome::Error(_) => feature.open += 1,
            Outcome::Failed(_) | Outcome::Flaky { .. } | Outcome::Known { .. } | Outcome::Stale { .. } => {}
        }
        feature.applicable += 1;
    }
    for feature in features.values_mut().filter(|feature| feature.applicable > 0) {
        feature.absent = None;
    }
    features.into_values().collect()
}

impl FeatureReport {
    /// Returns the feature in a few words.
    pub(super) fn words(&self) -> String {
        let name = &self.name;
        if self.applicable == 0 {
            return format!("{name}: not configured");
        }
        let open = if self.open > 0 { format!(", {} open", self.open) } else { String::new() };
        format!("{name} {}/{}{open}", self.passed, self.applicable)
    }
}

/// Returns all features in one line.
pub(super) fn line(features: &[FeatureReport]) -> String {
    features.iter().map(FeatureReport::words).collect::<Vec<_>>().join(" \u{b7} ")
}
