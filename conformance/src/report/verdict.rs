//! The verdict as a sentence, the same in every report.
//!
//! `cli` derives the exit code from it.

use super::features;
use super::model::{Conclusion, Report};

/// Returns the sentence with the counts of all features, without a full stop.
pub(super) fn verdict(report: &Report) -> String {
    let sentence = sentence(report);
    match report.conclusion {
        Conclusion::SetUpFailed | Conclusion::NothingRan => sentence,
        _ => format!("{sentence}: {}", features::line(&report.features)),
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
