//! The verdict as a sentence, the same in every report.
//!
//! What it means for an exit code is decided in `cli`.

use super::model::{Conclusion, Report};

/// The sentence, without a full stop.
pub(super) fn verdict(report: &Report) -> String {
    let target = &report.target.base_url;
    let profile = report.profile;
    match report.conclusion {
        Conclusion::Conformant => format!("{target} conforms to the {profile} profile"),
        Conclusion::PartiallyConformant => {
            let summary = &report.summary;
            let held = summary.passed + summary.warned;
            let rest = [
                (summary.flaky, "failed once and then passed (flaky)"),
                (summary.skipped, "skipped"),
                (summary.inconclusive, "not decided"),
                (summary.known, "known to fail"),
            ];
            let rest = rest.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
            let rest = rest.chain((!report.is_whole).then(|| "the others not selected".to_owned()));
            let rest = rest.collect::<Vec<_>>().join(", ");
            format!(
                "{target} breaks no checked requirement of the {profile} profile: {held} requirements passed, {rest}"
            )
        }
        Conclusion::NotConformant => {
            let broken = report.summary.failed;
            let (noun, verb) = if broken == 1 { ("requirement", "is") } else { ("requirements", "are") };
            format!("{target} does not conform to the {profile} profile: {broken} {noun} {verb} broken")
        }
        Conclusion::SetUpFailed => "the set-up failed for some requirements, so there is no verdict".to_owned(),
        Conclusion::NothingRan => {
            "no requirement was decided, so there is no verdict: see why each one was skipped or is open".to_owned()
        }
    }
}
