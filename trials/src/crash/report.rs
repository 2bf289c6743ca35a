//! Reports on the scenarios: progress, findings, a table, JSON.

use std::fmt::Write as _;
use std::time::Duration;

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::outcome::Outcome;

/// Maximum number of ids that a finding shows; the JSON report has all.
const SHOWN: usize = 5;

/// A progress line while a scenario runs; hidden when the output is not a terminal.
#[derive(Debug)]
pub(super) struct Progress(ProgressBar);

impl Progress {
    /// Starts the line with the scenario's name.
    pub(super) fn start(name: &'static str) -> Self {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix} {elapsed} {msg}") {
            bar.set_style(style);
        }
        bar.set_prefix(name);
        bar.enable_steady_tick(Duration::from_millis(100));
        Self(bar)
    }

    /// Shows the current step.
    pub(super) fn say(&self, message: String) {
        self.0.set_message(message);
    }

    /// Removes the line.
    pub(super) fn finish(&self) {
        self.0.finish_and_clear();
    }
}

/// Returns one line for a scenario, and two for each check that found something.
pub(super) fn lines(outcome: &Outcome) -> String {
    if let Some(reason) = &outcome.skipped {
        return format!("skip  {}: {reason}\n", outcome.name());
    }
    let checks = outcome.verdicts.len();
    let word = if outcome.has_failed() { "FAIL" } else { "ok  " };
    let mut text = format!("{word}  {}: {checks} checks in {:.1} s\n", outcome.name(), outcome.tally.seconds);
    for verdict in outcome.verdicts.iter().filter(|verdict| !verdict.faults.is_empty()) {
        let shown: Vec<&str> = verdict.faults.iter().take(SHOWN).map(String::as_str).collect();
        let more = verdict.faults.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let _ =
            writeln!(text, "      {}: {}\n        {}{more}", verdict.check, verdict.sentence, shown.join("\n        "));
    }
    for note in &outcome.notes {
        let _ = writeln!(text, "      {note}");
    }
    for path in &outcome.evidence {
        let _ = writeln!(text, "      evidence: {path}");
    }
    text
}

/// Returns the final table.
pub(super) fn table(outcomes: &[Outcome]) -> String {
    let heads = [
        "scenario",
        "result",
        "kills",
        "restarts",
        "jobs",
        "articles",
        "events",
        "deliveries",
        "requests",
        "duplicates",
        "seconds",
    ];
    let mut rows = vec![heads.map(str::to_owned)];
    for outcome in outcomes {
        let tally = &outcome.tally;
        let result = match (&outcome.skipped, outcome.has_failed()) {
            (Some(_), _) => "skipped",
            (None, true) => "FAILED",
            (None, false) => "passed",
        };
        rows.push([
            outcome.name().to_owned(),
            result.to_owned(),
            tally.kills.to_string(),
            tally.restarts.to_string(),
            tally.jobs.to_string(),
            tally.articles.to_string(),
            tally.events.to_string(),
            tally.deliveries.to_string(),
            tally.requests.to_string(),
            tally.duplicates.to_string(),
            format!("{:.1}", tally.seconds),
        ]);
    }
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or_default();
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let mut text = String::new();
    for row in &rows {
        let cells = row.iter().zip(&widths).enumerate();
        let padded = cells.map(|(column, (cell, width))| match column {
            0 | 1 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        let _ = writeln!(text, "{}", padded.collect::<Vec<_>>().join("  ").trim_end());
    }
    text
}

/// Returns the table and all findings as JSON.
pub(super) fn json(outcomes: &[Outcome], seed: u64, repetition: &str) -> Result<String> {
    let report = json!({ "seed": seed, "repeat_with": repetition, "scenarios": outcomes });
    Ok(serde_json::to_string_pretty(&report)? + "\n")
}
