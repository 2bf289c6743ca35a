//! The differences between two reports as a comment in Markdown, as lines for a terminal or a log, and as JSON.

use std::fmt::Write as _;

use super::choices::ChoiceDifference;
use super::diff::{ReportDiff, RequirementChange, fails};
use super::markdown_escape::{code, escaped, fenced};
use super::model::Status;
use super::visible::{on_one_line, pretty, visible_json};
use crate::check::excerpt;

/// Maximum length of a comment in bytes: GitHub accepts 65,536 characters, and this leaves room for headings.
const MAX_COMMENT_BYTES: usize = 60_000;
/// Maximum number of characters of each text in a comment.
const KEPT: usize = 240;
/// Maximum number of broken requirements with the command that repeats them.
const REPEATED: usize = 5;
/// Maximum number of characters of each text in a line.
const KEPT_OF_LINE: usize = 400;

impl ReportDiff {
    /// Returns the comment on a pull request, in Markdown, at most 64 KiB long. All text from the reports is escaped and
    /// shown as code, so that it cannot be markup.
    pub fn markdown(&self) -> String {
        let mark = match () {
            () if self.is_worse() => "❌",
            () if self.is_only_better() => "✅",
            () => "🟡",
        };
        let mut text = format!("### {mark} Conformance: {}\n", self.sentence());
        if !self.head.is_empty() {
            text.push_str("\n> **The runs differ:**\n");
        }
        for entry in &self.head {
            let (old, new) = (code(&entry.old, KEPT), code(&entry.new, KEPT));
            add(&mut text, format_args!("> - {}: {old} → {new}\n", entry.what));
        }
        table(&mut text, "What broke", &self.broke);
        table(&mut text, "What was fixed", &self.mended);
        table(&mut text, "What is new", &self.new);
        table(&mut text, "What was removed", &self.gone);
        table(&mut text, "What changed in another way", &self.changed);
        allowed(&mut text, &self.allowed);
        commands(&mut text, self);
        text
    }

    /// Returns the differences as lines for a terminal, without terminal escapes.
    pub fn text(&self) -> String {
        let mut lines = vec![format!("Conformance: {}", self.sentence())];
        for entry in &self.head {
            let (old, new) = (shown(&entry.old), shown(&entry.new));
            lines.push(format!("The runs differ: {} {old} -> {new}", entry.what));
        }
        let sections = [
            ("Broke", &self.broke),
            ("Fixed", &self.mended),
            ("New", &self.new),
            ("Removed", &self.gone),
            ("Changed", &self.changed),
        ];
        for (title, changes) in sections {
            lines.extend(changes.iter().map(|change| line(title, change)));
        }
        lines.extend(self.allowed.iter().map(allowed_line));
        lines.push(String::new());
        lines.join("\n")
    }

    /// Returns the differences as JSON. It is safe to print: no text controls a terminal or a CI system.
    pub fn json(&self) -> String {
        visible_json(&pretty(self))
    }

    /// Returns true if the only changes are fixes.
    fn is_only_better(&self) -> bool {
        [&self.broke, &self.new, &self.gone, &self.changed].into_iter().all(Vec::is_empty)
    }

    /// Returns the changes in one sentence.
    fn sentence(&self) -> String {
        let counts = &self.counts;
        let mut parts: Vec<String> = [
            (counts.broke, "broke"),
            (counts.mended, "fixed"),
            (counts.new, "new"),
            (counts.gone, "removed"),
            (counts.changed, "changed in another way"),
            (self.allowed.len(), "differences that the document allows"),
        ]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| match (word, counts.new_failing) {
            ("new", failing @ 1..) => format!("{count} new ({failing} of them failing)"),
            _ => format!("{count} {word}"),
        })
        .collect();
        if parts.is_empty() {
            parts.push("nothing changed".to_owned());
        }
        let failing = match counts.still_failing {
            0 => String::new(),
            count => format!(", {count} of them still failing"),
        };
        format!("{}; {} as before{failing}", parts.join(", "), counts.same)
    }
}

fn table(text: &mut String, title: &str, changes: &[RequirementChange]) {
    if changes.is_empty() {
        return;
    }
    add(text, format_args!("\n#### {title} ({})\n\n", changes.len()));
    let mut left_out = 0;
    for (at, change) in changes.iter().enumerate() {
        let row = row(change);
        if text.len() + row.len() > MAX_COMMENT_BYTES {
            left_out = changes.len() - at;
            break;
        }
        if at == 0 {
            text.push_str("| Requirement | Before | Now | Why |\n|---|---|---|---|\n");
        }
        text.push_str(&row);
    }
    if left_out > 0 {
        add(text, format_args!("\n{left_out} more do not fit here; `--format json` has them.\n"));
    }
}

/// Adds a table of differences that the document allows.
fn allowed(text: &mut String, differences: &[ChoiceDifference]) {
    if differences.is_empty() {
        return;
    }
    add(text, format_args!("\n#### What the document allows ({})\n\n", differences.len()));
    text.push_str("| Subject | Only before | Only now | Why |\n|---|---|---|---|\n");
    for (at, difference) in differences.iter().enumerate() {
        let ChoiceDifference { subject, old, new, allowed_by, .. } = difference;
        let subject = code(subject, KEPT);
        let (old, new, why) = (code(&listed(old), KEPT), code(&listed(new), KEPT), escaped(allowed_by, KEPT));
        let row = format!("| {subject} | {old} | {new} | {why} |\n");
        if text.len() + row.len() > MAX_COMMENT_BYTES {
            add(text, format_args!("\n{} more do not fit here; `--format json` has them.\n", differences.len() - at));
            return;
        }
        text.push_str(&row);
    }
}

/// Returns the values of one side of a difference.
fn listed(values: &[String]) -> String {
    if values.is_empty() { "\u{2013}".to_owned() } else { values.join(", ") }
}

fn row(change: &RequirementChange) -> String {
    let word = |status: Option<Status>| status.map_or("–", Status::word);
    format!("| {} | {} | {} | {} |\n", code(&change.id, KEPT), word(change.old), word(change.new), why(change))
}

fn why(change: &RequirementChange) -> String {
    let mut parts = Vec::new();
    if let (Some(expected), Some(observed)) = (&change.expected, &change.observed) {
        parts.push(format!("expected {}, observed {}", code(expected, KEPT), code(observed, KEPT)));
    }
    parts.extend(change.reason.as_ref().map(|reason| code(reason, KEPT)));
    if parts.is_empty() {
        parts.push(escaped(&change.clause, KEPT));
    }
    parts.join("<br>")
}

/// Adds the commands that repeat new failures.
fn commands(text: &mut String, diff: &ReportDiff) {
    let failing = diff.broke.iter().chain(diff.new.iter().filter(|change| change.new.is_some_and(fails)));
    for change in failing.filter(|change| change.repeat.is_some()).take(REPEATED) {
        let command = fenced(change.repeat.as_deref().unwrap_or_default());
        let summary = code(&change.id, KEPT);
        let block = format!("\n<details><summary>Repeat {summary}</summary>\n\n{command}\n\n</details>\n");
        if text.len() + block.len() > MAX_COMMENT_BYTES {
            return;
        }
        text.push_str(&block);
    }
}

fn add(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a `String` never fails.
    let _ = text.write_fmt(arguments);
}

fn line(title: &str, change: &RequirementChange) -> String {
    let word = |status: Option<Status>| status.map_or("-", Status::word);
    let head = format!("{title:>8} {}: {} -> {}", shown(&change.id), word(change.old), word(change.new));
    let found = change.expected.as_ref().zip(change.observed.as_ref());
    let found = found.map(|(expected, observed)| format!("expected {}, observed {}", shown(expected), shown(observed)));
    let reason = change.reason.as_deref().map(shown);
    [Some(head), found, reason].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

fn allowed_line(difference: &ChoiceDifference) -> String {
    let ChoiceDifference { subject, old, new, allowed_by, requirements } = difference;
    let side =
        |name: &str, values: &[String]| (!values.is_empty()).then(|| format!("{} only {name}", values.join(", ")));
    let sides: Vec<String> = [side("before", old), side("now", new)].into_iter().flatten().collect();
    let cases = match requirements.as_slice() {
        [] => String::new(),
        [only] => format!(" (in cases of {only})"),
        [first, rest @ ..] => format!(" (in cases of {first} and {} more)", rest.len()),
    };
    format!("{:>8} {}: {}{}; {}", "Allowed", shown(subject), shown(&sides.join(", ")), shown(&cases), shown(allowed_by))
}

fn shown(text: &str) -> String {
    excerpt(&on_one_line(text), KEPT_OF_LINE)
}
