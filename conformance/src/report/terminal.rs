//! The live view and the summary: a moving line or plain lines during the run, then the summary as text.

use std::fmt::{self, Write as _};
use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::model::{Conclusion, FailureReport, Report, RequirementReport, Status};
use super::transcript;
use super::verdict::verdict;
use super::visible::on_one_line;
use crate::check::excerpt;
use crate::runner::{Event, Outcome, RequirementResult};

/// Shows a run in progress.
pub struct Terminal {
    bar: ProgressBar,
    live: bool,
    lines: Mutex<Box<dyn Write + Send>>,
    colour: bool,
    broken: Mutex<usize>,
}

impl fmt::Debug for Terminal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Terminal").field("live", &self.live).finish_non_exhaustive()
    }
}

impl Terminal {
    /// Creates the view. `live` draws a moving line on standard error; otherwise every decided requirement is one line
    /// of `lines`. `colour` uses ANSI colours.
    pub fn new(live: bool, colour: bool, lines: Box<dyn Write + Send>) -> Self {
        let target = if live { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        Self {
            bar: ProgressBar::with_draw_target(None, target),
            live,
            lines: Mutex::new(lines),
            colour,
            broken: Mutex::new(0),
        }
    }

    /// Handles one event.
    pub fn take(&self, event: &Event<'_>) {
        match event {
            Event::Started { seed, requirements, facts, notes } => {
                let website = match facts.website_id.as_str() {
                    "" => String::new(),
                    id => format!(", website {}", on_one_line(id)),
                };
                self.line(&format!(
                    "{} {requirements} requirements against {}{website}",
                    self.word("Starting", GREEN),
                    on_one_line(&facts.base_url)
                ));
                self.line(&format!("{} {seed}", self.word("Seed", GREEN)));
                for note in *notes {
                    self.line(&format!("{} {}", self.word("Note", YELLOW), on_one_line(note)));
                }
                self.bar.set_length(*requirements as u64);
                let style =
                    ProgressStyle::with_template("{spinner} [{elapsed_precise}] {bar:32} {pos}/{len} {wide_msg}")
                        .unwrap_or_else(|_| ProgressStyle::default_bar());
                self.bar.set_style(style);
                if self.live {
                    self.bar.enable_steady_tick(Duration::from_millis(120));
                }
            }
            Event::Begun { requirement, .. } => self.bar.set_message(requirement.id),
            Event::Progress { id, cases, exchanges } => {
                if self.live && cases % 8 == 0 {
                    let broken = *self.broken.lock().unwrap_or_else(PoisonError::into_inner);
                    self.bar.set_message(format!("{id}, {cases} cases, {exchanges} exchanges, {broken} broken"));
                }
            }
            Event::Waiting => self.bar.set_message("waiting for webhooks and quotas"),
            Event::Decided(result) => self.decided(result),
            Event::Noted(note) => self.line(&format!("{} {}", self.word("Note", YELLOW), on_one_line(note))),
            Event::Finished(_) => self.bar.finish_and_clear(),
        }
    }

    fn decided(&self, result: &RequirementResult) {
        let (word, colour, tail) = match &result.outcome {
            Outcome::Passed => ("PASS", GREEN, String::new()),
            Outcome::Failed(_) if result.is_failure() => ("FAIL", RED, String::new()),
            Outcome::Failed(_) => ("WARN", YELLOW, String::new()),
            Outcome::Flaky { again, .. } => ("FLAKY", YELLOW, format!(": {again}")),
            Outcome::Known { reason, .. } => ("KNOWN", YELLOW, format!(": {reason}")),
            Outcome::Stale { complaint, .. } => ("FAIL", RED, format!(": {complaint}")),
            Outcome::NotApplicable(reason) | Outcome::Skipped(reason) => ("SKIP", YELLOW, format!(": {reason}")),
            Outcome::Inconclusive(reason) => ("OPEN", YELLOW, format!(": {reason}")),
            Outcome::Error(reason) => ("ERROR", RED, format!(": {reason}")),
        };
        if result.is_failure() {
            *self.broken.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        }
        self.line(&format!(
            "{} [{:>8.3}s] {:>4} {} {}{tail}",
            self.word(word, colour),
            result.duration.as_secs_f64(),
            result.cases,
            if result.cases == 1 { "case " } else { "cases" },
            result.requirement.id,
            tail = on_one_line(&tail)
        ));
        self.bar.inc(1);
    }

    /// Shows a remark of one sentence.
    pub fn note(&self, text: &str) {
        self.line(&format!("{} {}", self.word("Note", YELLOW), on_one_line(text)));
    }

    /// Returns one broken requirement in full.
    pub fn failure(&self, requirement: &RequirementReport) -> String {
        self.block(requirement, true)
    }

    /// Returns the summary of a run.
    pub fn summary(&self, report: &Report) -> String {
        let mut text = String::new();
        let seconds = Duration::from_millis(report.duration_ms.max(1)).as_secs_f64();
        let rate = report.exchanges * 1000 / report.duration_ms.max(1);
        let rule = "-".repeat(12);
        let total = report.requirements.len();
        let mut add = |line: String| {
            text.push_str(&line);
            text.push('\n');
        };
        add(rule);
        add(format!(
            "{} [{seconds:>8.3}s] {total} requirements, {} exchanges ({rate}/s): {}",
            self.word("Summary", GREEN),
            report.exchanges,
            report.summary.counts().map(|(word, count)| format!("{count} {word}")).join(", ")
        ));
        let is_broken = |row: &&RequirementReport| {
            matches!(row.status, Status::Failed | Status::Warned | Status::Flaky | Status::Error)
        };
        for (index, requirement) in report.requirements.iter().filter(is_broken).enumerate() {
            add(self.block(requirement, index < DETAILED));
        }
        for (label, status) in [("KNOWN", Status::Known), ("SKIP", Status::Skipped), ("OPEN", Status::Inconclusive)] {
            for (reason, ids) in by_reason(report, status) {
                add(format!("{} {}: {}", self.word(label, YELLOW), shortened(&ids), on_one_line(reason)));
            }
        }
        for entry in report.fix_first.iter().take(NAMED) {
            let [first, more @ ..] = entry.requirements.as_slice() else { continue };
            let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
            let (why, what) = (entry.urgency.words(), on_one_line(&entry.demanded));
            let clause = on_one_line(&entry.clause);
            add(format!("{} {first}{more}, {why}: {clause} Expected {what}", self.word("Fix first", YELLOW)));
        }
        if !report.coverage.totals.is_empty() {
            add(format!("{} {}", self.word("Coverage", GREEN), report.coverage.sentence()));
        }
        let colour = if matches!(report.conclusion, Conclusion::Conformant | Conclusion::PartiallyConformant) {
            GREEN
        } else {
            RED
        };
        add(format!("{} {}", self.word("Verdict", colour), on_one_line(&verdict(report))));
        text
    }

    fn block(&self, requirement: &RequirementReport, detailed: bool) -> String {
        let (word, colour) = match requirement.status {
            Status::Failed => ("FAIL", RED),
            Status::Error => ("ERROR", RED),
            Status::Flaky => ("FLAKY", YELLOW),
            _ => ("WARN", YELLOW),
        };
        let mut text = format!("{} {}", self.word(word, colour), requirement.id);
        if let Some(reason) = &requirement.reason {
            // Writing to a `String` never fails.
            let _ = write!(text, ": {}", on_one_line(reason));
        }
        match &requirement.failure {
            Some(failure) if detailed => text.push_str(&details(requirement, failure)),
            Some(failure) => {
                let _ = write!(text, ": expected {}", on_one_line(&failure.expected));
            }
            None => {}
        }
        text
    }

    fn line(&self, text: &str) {
        if self.live {
            self.bar.println(text);
        } else {
            // The output may be closed. The run continues.
            let _ = writeln!(self.lines.lock().unwrap_or_else(PoisonError::into_inner), "{text}");
        }
    }

    fn word(&self, word: &str, colour: &str) -> String {
        if self.colour { format!("{colour}{word:>12}\u{1b}[0m") } else { format!("{word:>12}") }
    }
}

const GREEN: &str = "\u{1b}[1;32m";
const YELLOW: &str = "\u{1b}[1;33m";
const RED: &str = "\u{1b}[1;31m";

/// Maximum number of broken requirements with all details. The others get one line each, and are in `report.json`.
const DETAILED: usize = 20;

/// Maximum number of entries of the list of faults to fix first.
const NAMED: usize = 5;

/// Returns the ids of the requirements with the status `status` by their reason, in the order of the first one.
fn by_reason(report: &Report, status: Status) -> Vec<(&str, Vec<&str>)> {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for row in report.requirements.iter().filter(|row| row.status == status) {
        let reason = row.reason.as_deref().unwrap_or_default();
        match groups.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, ids)) => ids.push(&row.id),
            None => groups.push((reason, vec![&row.id])),
        }
    }
    groups
}

fn shortened(ids: &[&str]) -> String {
    match ids {
        [one] => (*one).to_owned(),
        [first, .., last] => format!("{} requirements, {first} to {last}", ids.len()),
        [] => String::new(),
    }
}

/// Maximum length in bytes of a curl command, maximum characters of a case and of a webhook's body, and maximum number of webhooks.
const LONGEST_COMMAND: usize = 900;
const LONGEST_CASE: usize = 600;
const LONGEST_HOOK: usize = 300;
/// Maximum number of lines of an observed behaviour.
const LONGEST_HISTORY: usize = 40;
const SHOWN_HOOKS: usize = 3;

fn details(requirement: &RequirementReport, failure: &FailureReport) -> String {
    let indent = " ".repeat(13);
    let mut text = String::new();
    let mut add = |label: &str, value: &str| {
        // Writing to a `String` never fails.
        let _ = write!(text, "\n{indent}{label:<9} {}", on_one_line(value));
    };
    add("clause", &requirement.clause);
    for source in &requirement.sources {
        add("source", source);
    }
    add("expected", &failure.expected);
    // A history has a line for each call.
    for line in failure.observed.splitn(LONGEST_HISTORY, '\n') {
        add("observed", line);
    }
    if !failure.case.is_null() {
        add("case", &excerpt(&failure.case.to_string(), LONGEST_CASE));
    }
    if let Some(exchange) = failure.decisive() {
        add("exchange", &format!("{}: {}", transcript::place(failure, exchange), transcript::line(exchange)));
        // Half of a command is useless.
        let is_short = exchange.curl.len() <= LONGEST_COMMAND;
        add(
            "request",
            if is_short { &exchange.curl } else { "too long to show here; report.html and report.json have it" },
        );
    }
    let later = failure.hooks.len().saturating_sub(SHOWN_HOOKS - 1);
    for (at, hook) in failure.hooks.iter().enumerate().filter(|(at, _)| *at == 0 || *at >= later) {
        // The omitted webhooks come after the first one.
        let number = if at == 0 { 1 } else { failure.hook_count - failure.hooks.len() + at + 1 };
        add("hook", &format!("{number} of {}: {}", failure.hook_count, transcript::hook_line(hook)));
        // A label prevents that a line begins with foreign text, which programs that read logs may take for a command.
        add("body", &excerpt(&hook.body, LONGEST_HOOK));
    }
    add("repeat", &failure.repeat);
    text
}
