//! The verdict as a sentence, the same in every report.
//!
//! What it means for an exit code is decided in `cli`.

use super::model::{Conclusion, Report};

/// The sentence, without a full stop.
pub(super) fn verdict(report: &Report) -> String {
    let target = &report.target.base_url;
    let profile = report.profile;
    match report.conclusion {
        Conclusion::Conformant => format!("{target} keeps the {profile} profile"),
        Conclusion::PartiallyConformant => {
            format!(
                "{target} keeps what was checked of the {profile} profile; see what was not asked for, was skipped, is open \
                 or known"
            )
        }
        Conclusion::NotConformant => {
            let broken = report.summary.failed;
            let (noun, verb) = if broken == 1 { ("requirement", "is") } else { ("requirements", "are") };
            format!("{target} does not keep the {profile} profile: {broken} {noun} {verb} broken")
        }
        Conclusion::SetUpFailed => "the set-up broke for some requirements, so there is no verdict".to_owned(),
        Conclusion::NothingRan => {
            "no requirement was decided, so there is no verdict: see why each one was skipped or is open".to_owned()
        }
    }
}
