//! Failures and warnings as commands that GitHub Actions turns into annotations of the run.

use std::fmt::Write as _;

use super::model::{FailureReport, Report, RequirementReport, Status};
use super::visible::on_one_line;
use crate::check::excerpt;

/// Maximum number of annotations of one kind: GitHub shows ten of each for a step.
const MAX_ANNOTATIONS: usize = 10;
/// Maximum number of characters of each text.
const KEPT: usize = 500;

/// Returns at most ten errors (failures, worst first) and ten warnings (recommendations and flaky failures), one per
/// line. If there are more, the last of each kind says how many.
pub fn github_annotations(report: &Report) -> String {
    let mut text = String::new();
    let ranked = |row: &&RequirementReport| {
        let rank = report.fix_first.iter().position(|entry| entry.requirements.contains(&row.id));
        rank.unwrap_or(usize::MAX)
    };
    for (command, statuses) in
        [("error", [Status::Failed, Status::Error]), ("warning", [Status::Warned, Status::Flaky])]
    {
        let mut rows: Vec<&RequirementReport> =
            report.requirements.iter().filter(|row| statuses.contains(&row.status)).collect();
        rows.sort_by_key(ranked);
        let shown = if rows.len() > MAX_ANNOTATIONS { MAX_ANNOTATIONS - 1 } else { rows.len() };
        for row in rows.iter().take(shown) {
            add(&mut text, command, &format!("{} ({})", row.id, row.status.word()), &message(row));
        }
        if rows.len() > shown {
            let more = format!("{} more are in report.html and report.json", rows.len() - shown);
            add(&mut text, command, "contentgen-conformance", &more);
        }
    }
    text
}

fn message(row: &RequirementReport) -> String {
    let shown = |text: &str| excerpt(&on_one_line(text), KEPT);
    let found = |failure: &FailureReport| {
        format!("expected {}, observed {}", shown(&failure.expected), shown(&failure.observed))
    };
    let mut lines = vec![shown(&row.clause)];
    lines.extend(row.failure.as_ref().map(found));
    lines.extend(row.reason.as_deref().map(shown));
    lines.join("\n")
}

fn add(text: &mut String, command: &str, title: &str, message: &str) {
    // A colon or a comma would end the title.
    let title = data(title).replace(':', "%3A").replace(',', "%2C");
    // Writing to a `String` never fails.
    let _ = writeln!(text, "::{command} title={title}::{}", data(message));
}

/// Escapes a text so that it cannot end the command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}
