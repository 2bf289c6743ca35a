//! `summary.md`: the summary that a CI shows beside a run.
//!
//! All text from the target is escaped with character references, so that it cannot be markup.

use std::fmt::Write as _;

use super::coverage::names;
use super::markdown_escape::{self, fenced};
use super::model::{Conclusion, FailureReport, Report, RequirementReport, Status};
use super::transcript;
use super::verdict::sentence;

/// Maximum number of broken requirements with their request, maximum number in the table, and maximum length of each text.
const DETAILED: usize = 10;
const LISTED: usize = 100;
const KEPT: usize = 400;

/// Renders the summary.
pub(super) fn render(report: &Report) -> String {
    let mut text = String::new();
    let mark = match report.conclusion {
        Conclusion::Conformant => "✅",
        Conclusion::PartiallyConformant => "🟡",
        _ => "❌",
    };
    line(&mut text, format_args!("## {mark} {}\n", escaped(&sentence(report))));
    let counts = report.summary.counts();
    line(&mut text, format_args!("| {} |", counts.map(|(word, _)| word).join(" | ")));
    line(&mut text, format_args!("|{}", "---:|".repeat(counts.len())));
    line(&mut text, format_args!("| {} |\n", counts.map(|(_, count)| count.to_string()).join(" | ")));
    line(&mut text, format_args!("| Feature | Passed | Applicable | Open |\n|---|---:|---:|---:|"));
    for feature in &report.features {
        let (name, passed, applicable, open) = (&feature.name, feature.passed, feature.applicable, feature.open);
        match &feature.absent {
            Some(reason) => line(&mut text, format_args!("| {name} | | | {} |", escaped(reason))),
            None => line(&mut text, format_args!("| {name} | {passed} | {applicable} | {open} |")),
        }
    }
    text.push('\n');
    line(
        &mut text,
        format_args!(
            "Profile `{}`, seed `{}`, {} exchanges in {:.1} s, suite {}, document {} (`{}`).\n",
            report.profile,
            report.seed,
            report.exchanges,
            std::time::Duration::from_millis(report.duration_ms).as_secs_f64(),
            report.suite_version,
            report.document_version,
            report.document_sha256.get(..12).unwrap_or_default()
        ),
    );
    if !report.fix_first.is_empty() {
        line(&mut text, format_args!("### What to fix first\n"));
        for entry in report.fix_first.iter().take(DETAILED) {
            let breaks = entry.requirements.first().map_or("", String::as_str);
            let more = match entry.requirements.len() {
                0 | 1 => String::new(),
                count => format!(" and {} more", count - 1),
            };
            let (why, clause, what) = (entry.urgency.words(), escaped(&entry.clause), escaped(&entry.demanded));
            line(&mut text, format_args!("1. `{breaks}`{more}, **{why}**: {clause} Expected {what}"));
        }
        text.push('\n');
    }
    broken(&mut text, report);
    rest(&mut text, report);
    coverage(&mut text, report);
    text
}

/// Maximum number of names of parts of the document after each reason.
const GAPS: usize = 40;

fn coverage(text: &mut String, report: &Report) {
    if report.coverage.totals.is_empty() {
        return;
    }
    line(text, format_args!("Coverage of the API document: {}.\n", report.coverage.sentence()));
    let gaps = report.coverage.gaps();
    if gaps.is_empty() {
        return;
    }
    let count: usize = gaps.iter().map(|(_, parts)| parts.len()).sum();
    line(text, format_args!("<details><summary>{count} parts of the document that are not covered</summary>\n"));
    for (reason, parts) in gaps {
        let names: Vec<String> = names(&parts).iter().map(|name| format!("`{name}`")).collect();
        let more = if names.len() > GAPS { format!(" and {} more", names.len() - GAPS) } else { String::new() };
        let names = &names[..names.len().min(GAPS)];
        line(text, format_args!("- {}: {}{more}", escaped(reason), names.join(", ")));
    }
    line(text, format_args!("\n</details>"));
}

fn broken(text: &mut String, report: &Report) {
    let is_broken = |row: &&RequirementReport| {
        matches!(row.status, Status::Failed | Status::Warned | Status::Flaky | Status::Known | Status::Error)
    };
    let rows: Vec<&RequirementReport> = report.requirements.iter().filter(is_broken).collect();
    if rows.is_empty() {
        return;
    }
    line(text, format_args!("### What is broken\n"));
    line(text, format_args!("| | Requirement | Expected | Observed |\n|---|---|---|---|"));
    for row in rows.iter().take(LISTED) {
        let (expected, observed) = match &row.failure {
            Some(failure) => (escaped(&failure.expected), escaped(&failure.observed)),
            None => (String::new(), String::new()),
        };
        let reason = row.reason.as_deref().map(|reason| format!("<br>{}", escaped(reason))).unwrap_or_default();
        line(text, format_args!("| {} | `{}`{reason} | {expected} | {observed} |", row.status.word(), row.id));
    }
    if rows.len() > LISTED {
        line(text, format_args!("\n{} more are in report.json and report.html.", rows.len() - LISTED));
    }
    text.push('\n');
    let failures = rows.iter().filter_map(|row| Some((row, row.failure.as_ref()?)));
    for (row, failure) in failures.take(DETAILED) {
        details(text, row, failure);
    }
}

fn details(text: &mut String, row: &RequirementReport, failure: &FailureReport) {
    line(text, format_args!("<details><summary><code>{}</code></summary>\n", row.id));
    line(text, format_args!("{} ({})\n", escaped(&row.clause), escaped(&row.sources.join("; "))));
    if let Some(exchange) = failure.decisive() {
        let (place, exchanged) = (transcript::place(failure, exchange), escaped(&transcript::line(exchange)));
        line(text, format_args!("Exchange {place}: {exchanged}\n"));
        line(text, format_args!("{}\n", fenced(&exchange.curl)));
    }
    if let Some(hook) = failure.hooks.last() {
        let (count, arrived) = (failure.hook_count, escaped(&transcript::hook_line(hook)));
        line(
            text,
            format_args!("Webhooks that arrived: {count}, the last one {arrived}, with {}\n", escaped(&hook.body)),
        );
    }
    line(text, format_args!("{}\n\n</details>\n", fenced(&failure.repeat)));
}

fn rest(text: &mut String, report: &Report) {
    for (status, title) in [(Status::Skipped, "skipped"), (Status::Inconclusive, "not decided")] {
        let rows: Vec<&RequirementReport> = report.requirements.iter().filter(|row| row.status == status).collect();
        if rows.is_empty() {
            continue;
        }
        line(text, format_args!("<details><summary>{} {title}</summary>\n", rows.len()));
        for row in rows.iter().take(LISTED) {
            line(text, format_args!("- `{}`: {}", row.id, escaped(row.reason.as_deref().unwrap_or_default())));
        }
        line(text, format_args!("\n</details>\n"));
    }
}

fn line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a `String` never fails.
    let _ = writeln!(text, "{arguments}");
}

/// Returns the first 400 characters of a text, escaped.
fn escaped(text: &str) -> String {
    markdown_escape::escaped(text, KEPT)
}
