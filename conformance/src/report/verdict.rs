//! The verdict as a sentence, the same in every report, and by feature, such as
//! `core 17/17 · webhooks 59/61, 2 open · isolation: not configured`.

use std::collections::BTreeMap;

use super::model::{Conclusion, FeatureReport, Report};
use crate::check::Level;
use crate::runner::{Outcome, Run};

/// Returns the sentence with the counts of all features, without a full stop.
pub(super) fn verdict(report: &Report) -> String {
    let sentence = sentence(report);
    match report.conclusion {
        Conclusion::SetUpFailed | Conclusion::NothingRan => sentence,
        _ => format!("{sentence}: {}", features_line(&report.features)),
    }
}

/// Returns the sentence, without a full stop.
pub(super) fn sentence(report: &Report) -> String {
    let target = &report.target.base_url;
    let profile = report.profile;
    match report.conclusion {
        Conclusion::Conformant => format!("{target} conforms to the {profile} profile"),
        Conclusion::PartiallyConformant => {
            let summary = &report.summary;
            let mut reasons = Vec::new();
            if !report.is_whole {
                reasons.push("only a part of the requirements was asked for".to_owned());
            }
            for (count, what) in [
                (summary.flaky, "failed once and then passed"),
                (summary.known, "are known to fail"),
                (report.open_in_core(), "of core were not decided"),
            ] {
                if count > 0 {
                    reasons.push(format!("{count} {what}"));
                }
            }
            if reasons.is_empty() {
                reasons.push("the run ended early".to_owned());
            }
            format!("{target} breaks nothing of the {profile} profile, but {}", reasons.join(", "))
        }
        Conclusion::NotConformant => {
            let broken = report.summary.failed;
            let (noun, verb) = if broken == 1 { ("requirement", "fails") } else { ("requirements", "fail") };
            format!("{target} does not conform to the {profile} profile: {broken} {noun} {verb}")
        }
        Conclusion::SetUpFailed => "the set-up failed for some requirements, so there is no verdict".to_owned(),
        Conclusion::NothingRan => {
            "no requirement was decided, so there is no verdict: see why each one was skipped or is open".to_owned()
        }
    }
}

/// The feature that every server has.
pub(super) const CORE: &str = "core";

/// Counts the results of a run by feature, `core` first.
pub(super) fn features_of(run: &Run) -> Vec<FeatureReport> {
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
pub(super) fn features_line(features: &[FeatureReport]) -> String {
    features.iter().map(FeatureReport::words).collect::<Vec<_>>().join(" \u{b7} ")
}
