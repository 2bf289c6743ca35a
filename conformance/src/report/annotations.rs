//! What failed and what only warns, as commands that a GitHub Actions runner turns into annotations of the run.
//!
//! `cli` prints them; where they show is GitHub's.

use std::fmt::Write as _;

use super::model::{FailureReport, Report, RequirementReport, Status};
use super::visible::on_one_line;
use crate::check::excerpt;

/// Most annotations of one kind: GitHub shows ten of each for a step.
const MAX_ANNOTATIONS: usize = 10;
/// How much of each text is shown, in characters.
const KEPT: usize = 500;

/// At most ten errors (what fails, worst first) and ten warnings (what is advised, or flaky), a line each. When there are more, the
/// last of each kind says how many.
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
    // A String takes every write.
    let _ = writeln!(text, "::{command} title={title}::{}", data(message));
}

/// A text of which nothing ends the command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}
