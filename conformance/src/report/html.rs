//! `report.html`: one self-contained file for users.
//!
//! The page is `templates/report.html`. The template escapes all values, and a content security policy allows only the
//! page's own script and style.

use std::path::Path;

use askama::Template;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::coverage::CoveragePage;
use super::evidence::ExchangeReport;
use super::har::Archives;
use super::latency::{self, Axis, LatencyReport};
use super::model::{Conclusion, FailureReport, Report, RequirementReport, Status};
use super::transcript;
use super::verdict::sentence;
use super::visible::{shell_word, visible};
use crate::check::excerpt;

const STYLE: &str = include_str!("../../templates/report.css");
const SCRIPT: &str = include_str!("../../templates/report.js");

/// Maximum number of exchanges that are shown for each failure; `har/` contains more.
const SHOWN_EXCHANGES: usize = 4;

/// The whole page.
#[derive(Template)]
#[template(path = "report.html")]
struct Page<'report> {
    report: &'report Report,
    /// True if `har/` contains the failures.
    has_archives: bool,
    policy: String,
    style: &'static str,
    script: &'static str,
    title: String,
    verdict: String,
    tone: &'static str,
    facts: Vec<(&'static str, String)>,
    counts: Vec<Count>,
    axis: String,
    strips: Vec<Strip<'report>>,
    unanswered: Vec<&'report str>,
    coverage: CoveragePage<'report>,
    areas: Vec<Area<'report>>,
}

/// Number of requirements with one outcome.
struct Count {
    word: &'static str,
    number: usize,
    /// Start and length of its part of the bar, in thousandths.
    from: usize,
    length: usize,
}

/// One operation in the latency plot.
struct Strip<'report> {
    operation: &'report str,
    svg: String,
    p50: String,
    p95: String,
    max: String,
    count: u64,
}

/// Requirements that share the first word of their id.
struct Area<'report> {
    name: &'report str,
    rows: Vec<Row<'report>>,
}

struct Row<'report> {
    requirement: &'report RequirementReport,
    word: &'static str,
    reason: String,
    time: String,
    evidence: Option<Evidence>,
}

/// A failure, safe to show.
struct Evidence {
    expected: String,
    observed: String,
    case: String,
    case_index: u32,
    shown_by: String,
    /// The exchange that shows the fault.
    decisive: Option<Shown>,
    /// Other exchanges of the case, in order, and the number of exchanges that are only in the archive or omitted.
    others: Vec<Shown>,
    archived: usize,
    dropped: usize,
    hooks: Vec<Arrived>,
    dropped_hooks: usize,
    curl: String,
    replay: String,
    repeat: String,
}

/// One exchange as text.
struct Shown {
    place: String,
    line: String,
    request: String,
    answer: String,
}

/// One webhook as text.
struct Arrived {
    line: String,
    text: String,
}

/// Renders the page.
///
/// `saved` is the folder of saved failures, relative to the folder in which the run was started.
pub(super) fn render(report: &Report, saved: &Path, archives: Archives) -> Result<String, askama::Error> {
    let (offered, unanswered): (Vec<&LatencyReport>, Vec<&LatencyReport>) =
        report.latency.iter().partition(|row| row.is_offered);
    let axis = Axis::over(&offered);
    let page = Page {
        report,
        has_archives: archives != Archives::None,
        policy: format!(
            "default-src 'none'; style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'",
            digest(STYLE),
            digest(SCRIPT)
        ),
        style: STYLE,
        script: SCRIPT,
        title: title(report),
        verdict: visible(&sentence(report)).into_owned(),
        tone: match report.conclusion {
            Conclusion::Conformant => "good",
            Conclusion::PartiallyConformant => "fair",
            Conclusion::NotConformant => "bad",
            Conclusion::SetUpFailed | Conclusion::NothingRan => "none",
        },
        facts: facts(report),
        counts: counts(report),
        axis: axis.render(),
        strips: offered
            .into_iter()
            .map(|row| Strip {
                operation: &row.operation,
                svg: axis.strip(row),
                p50: latency::duration(row.p50_ms),
                p95: latency::duration(row.p95_ms),
                max: latency::duration(row.max_ms),
                count: row.count,
            })
            .collect(),
        unanswered: unanswered.into_iter().map(|row| row.operation.as_str()).collect(),
        coverage: CoveragePage::of(&report.coverage, shown_as),
        areas: areas(report, saved),
    };
    page.render()
}

/// Returns the title of a browser tab.
fn title(report: &Report) -> String {
    let word = match report.conclusion {
        Conclusion::Conformant => "Conformant",
        Conclusion::PartiallyConformant => "Partially conformant",
        Conclusion::NotConformant => "Not conformant",
        Conclusion::SetUpFailed => "Set-up failed",
        Conclusion::NothingRan => "Nothing checked",
    };
    format!("{word}: {}", excerpt(&visible(&report.target.base_url), 40))
}

/// Returns the source expression that allows exactly this inline text.
fn digest(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text.as_bytes())))
}

fn facts(report: &Report) -> Vec<(&'static str, String)> {
    let started = chrono::DateTime::from_timestamp(report.started_unix, 0).unwrap_or_default();
    let seconds = std::time::Duration::from_millis(report.duration_ms).as_secs_f64();
    let rate = report.exchanges * 1000 / report.duration_ms.max(1);
    let facts = [
        ("Target", Some(report.target.base_url.clone())),
        ("Profile", Some(report.profile.to_string())),
        ("Started", Some(started.format("%Y-%m-%d %H:%M:%S UTC").to_string())),
        ("Took", Some(format!("{seconds:.1} s, {} exchanges, {rate} a second", report.exchanges))),
        (
            "Webhooks arrived within",
            report
                .hook_latency
                .map(|hooks| format!("{} ms (p50), {} ms (p95), {} measured", hooks.p50_ms, hooks.p95_ms, hooks.count)),
        ),
        ("Seed", Some(report.seed.to_string())),
        ("Suite", Some(report.suite_version.clone())),
        (
            "Document",
            Some(format!(
                "{} (SHA-256 {}…)",
                report.document_version,
                report.document_sha256.get(..12).unwrap_or_default()
            )),
        ),
        ("Website", Some(report.target.website_id.clone())),
        ("Capabilities", Some(report.target.capabilities.join(", "))),
        ("Organisation", report.about.organisation.clone()),
        ("Contact", report.about.contact.clone()),
    ];
    facts.into_iter().filter_map(|(name, value)| Some((name, visible(&value?).into_owned()))).collect()
}

fn counts(report: &Report) -> Vec<Count> {
    let summary = &report.summary;
    let total = report.requirements.len().max(1);
    let mut from = 0;
    let numbers = [
        (Status::Failed, summary.failed),
        (Status::Error, summary.errors),
        (Status::Warned, summary.warned),
        (Status::Flaky, summary.flaky),
        (Status::Known, summary.known),
        (Status::Inconclusive, summary.inconclusive),
        (Status::Skipped, summary.skipped),
        (Status::Passed, summary.passed),
    ];
    numbers
        .into_iter()
        .filter(|(_, number)| *number > 0)
        .map(|(status, number)| {
            let end = from + number;
            let (begin, stop) = (from * 1000 / total, end * 1000 / total);
            from = end;
            Count { word: status.word(), number, from: begin, length: stop - begin }
        })
        .collect()
}

fn areas<'report>(report: &'report Report, saved: &Path) -> Vec<Area<'report>> {
    let mut areas: Vec<Area<'_>> = Vec::new();
    for requirement in &report.requirements {
        let name = requirement.id.split('.').next().unwrap_or_default();
        if areas.last().is_none_or(|area| area.name != name) {
            areas.push(Area { name, rows: Vec::new() });
        }
        if let Some(area) = areas.last_mut() {
            area.rows.push(row(requirement, saved));
        }
    }
    areas
}

fn row<'report>(requirement: &'report RequirementReport, saved: &Path) -> Row<'report> {
    let file = saved.join(format!("{}.json", requirement.id));
    Row {
        word: requirement.status.word(),
        reason: visible(requirement.reason.as_deref().unwrap_or_default()).into_owned(),
        time: format!("{:.2} s", std::time::Duration::from_millis(requirement.duration_ms).as_secs_f64()),
        evidence: requirement.failure.as_ref().map(|failure| evidence(failure, &file)),
        requirement,
    }
}

fn evidence(failure: &FailureReport, saved: &Path) -> Evidence {
    let decisive = failure.decisive();
    let others: Vec<&ExchangeReport> = failure.exchanges.iter().filter(|exchange| !exchange.is_decisive).collect();
    let hidden = others.len().saturating_sub(SHOWN_EXCHANGES - 1);
    let shown = |exchange: &ExchangeReport| Shown {
        place: transcript::place(failure, exchange),
        line: shown_as(&transcript::line(exchange)),
        request: shown_as(&transcript::request(exchange)),
        answer: shown_as(&transcript::answer(exchange)),
    };
    let arrived =
        |hook| Arrived { line: shown_as(&transcript::hook_line(hook)), text: shown_as(&transcript::hook(hook)) };
    Evidence {
        expected: shown_as(&failure.expected),
        observed: shown_as(&failure.observed),
        case: if failure.case.is_null() { String::new() } else { shown_as(&format!("{:#}", failure.case)) },
        case_index: failure.case_index,
        shown_by: failure.shown_by.clone().unwrap_or_default(),
        decisive: decisive.map(shown),
        others: others.iter().skip(hidden).copied().map(shown).collect(),
        archived: hidden,
        dropped: failure.exchange_count - failure.exchanges.len(),
        hooks: failure.hooks.iter().map(arrived).collect(),
        dropped_hooks: failure.hook_count - failure.hooks.len(),
        curl: decisive.map(|exchange| shown_as(&exchange.curl)).unwrap_or_default(),
        replay: if failure.repeat.starts_with("contentgen-conformance run ") {
            shown_as(&format!("contentgen-conformance replay {}", shell_word(&saved.display().to_string())))
        } else {
            String::new()
        },
        repeat: shown_as(&failure.repeat),
    }
}

fn shown_as(text: &str) -> String {
    visible(text).into_owned()
}
