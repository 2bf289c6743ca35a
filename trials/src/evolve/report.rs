//! Output for people: progress, failures with the commands that reproduce them, and the final table.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use indicatif::{ProgressBar, ProgressStyle};
use xtask::compatibility::Kind;

use super::additions::AdditionKind;
use super::verdict::{Failing, Verdict};

/// Maximum number of failures shown for one evolution.
const SHOWN: usize = 5;

/// A progress bar of the evolutions; hidden when the output is not a terminal.
pub(super) fn progress(count: usize) -> ProgressBar {
    let bar = ProgressBar::new(count.try_into().unwrap_or(u64::MAX));
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} evolutions, {elapsed}, {eta} left") {
        bar.set_style(style);
    }
    bar
}

/// Describes the failures of one evolution, its changes, and the command that reproduces it.
pub(super) fn failure(name: &str, changes: &[String], verdict: &Verdict, again: &str) -> String {
    let mut text = format!("FAIL  {name}\n");
    for change in changes {
        let _infallible = writeln!(text, "      changed: {change}");
    }
    for failure in verdict.failures.iter().take(SHOWN) {
        let _infallible = writeln!(text, "      {failure}");
    }
    if let Some(more) = verdict.failures.len().checked_sub(SHOWN + 1) {
        let _infallible = writeln!(text, "      and {} more", more + 1);
    }
    let _infallible = writeln!(text, "      repeat with: {again}");
    text
}

/// Summarises the trial: its size, its failures, and the number of changes of each kind.
pub(super) fn summary(
    (allowed, forbidden): (usize, usize),
    verdict: &Verdict,
    additions: &BTreeMap<AdditionKind, usize>,
    breaks: &BTreeMap<Kind, usize>,
    seconds: f64,
) -> String {
    let mut text = String::new();
    let mut row = |name: &str, count: usize| {
        let _infallible = writeln!(text, "{name:<44}{count:>9}");
    };
    row("allowed evolutions", allowed);
    row("forbidden evolutions", forbidden);
    row("calls of the SDK", verdict.calls);
    row("webhooks", verdict.hooks);
    row("runs of the command line", verdict.commands);
    row("new fields that were read", verdict.new.members);
    row("new values of vocabularies that were read", verdict.new.values);
    for failing in Failing::ALL {
        row(failing.name(), verdict.count(failing));
    }
    for (kind, count) in additions {
        row(&format!("  allowed: {}", kind.name()), *count);
    }
    for (kind, count) in breaks {
        row(&format!("  forbidden: {kind}"), *count);
    }
    let _infallible = writeln!(text, "in {seconds:.0} s");
    text
}
