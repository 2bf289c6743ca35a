//! The differences between two reports as lines for a terminal or a log.

use super::diff::{ReportDiff, RequirementChange};
use super::model::Status;
use super::visible::on_one_line;
use crate::check::excerpt;

/// Maximum number of characters of each text.
const KEPT: usize = 400;

/// Renders the lines.
pub(super) fn render(diff: &ReportDiff) -> String {
    let mut lines = vec![format!("Conformance: {}", diff.sentence())];
    for entry in &diff.head {
        let (old, new) = (shown(&entry.old), shown(&entry.new));
        lines.push(format!("The runs differ: {} {old} -> {new}", entry.what));
    }
    let sections = [
        ("Broke", &diff.broke),
        ("Fixed", &diff.mended),
        ("New", &diff.new),
        ("Removed", &diff.gone),
        ("Changed", &diff.changed),
    ];
    for (title, changes) in sections {
        lines.extend(changes.iter().map(|change| line(title, change)));
    }
    lines.push(String::new());
    lines.join("\n")
}

fn line(title: &str, change: &RequirementChange) -> String {
    let word = |status: Option<Status>| status.map_or("-", Status::word);
    let head = format!("{title:>8} {}: {} -> {}", shown(&change.id), word(change.old), word(change.new));
    let found = change.expected.as_ref().zip(change.observed.as_ref());
    let found = found.map(|(expected, observed)| format!("expected {}, observed {}", shown(expected), shown(observed)));
    let reason = change.reason.as_deref().map(shown);
    [Some(head), found, reason].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

fn shown(text: &str) -> String {
    excerpt(&on_one_line(text), KEPT)
}
