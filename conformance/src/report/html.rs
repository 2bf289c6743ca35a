//! `report.html`: one file that needs nothing else, for people.
//!
//! The page is `templates/report.html`; everything in it is escaped by the template, and a content security policy
//! names the only script and style that may run.

use askama::Template;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::evidence::ExchangeReport;
use super::model::{Conclusion, FailureReport, Report, RequirementReport, Status};
use super::plot::{self, Axis};
use super::verdict::verdict;
use super::visible::visible;

const STYLE: &str = include_str!("../../templates/report.css");
const SCRIPT: &str = include_str!("../../templates/report.js");

/// Exchanges that are shown for each failure; more are in `har/`.
const SHOWN_EXCHANGES: usize = 4;

/// The whole page.
#[derive(Template)]
#[template(path = "report.html")]
struct Page<'report> {
    report: &'report Report,
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
    areas: Vec<Area<'report>>,
}

/// How many requirements ended in one way.
struct Count {
    word: &'static str,
    number: usize,
    /// Where its part of the bar begins and how long it is, in thousandths.
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

/// A failure, made safe to look at.
struct Evidence {
    expected: String,
    observed: String,
    case: String,
    case_index: u32,
    shown_by: String,
    more: usize,
    exchanges: Vec<Shown>,
    curl: String,
    repeat: String,
}

/// One exchange as text.
struct Shown {
    line: String,
    request: String,
    answer: String,
}

/// The page as text.
pub(super) fn render(report: &Report) -> Result<String, askama::Error> {
    let axis = Axis::over(&report.latency);
    let page = Page {
        report,
        policy: format!(
            "default-src 'none'; style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'",
            digest(STYLE),
            digest(SCRIPT)
        ),
        style: STYLE,
        script: SCRIPT,
        title: title(report),
        verdict: visible(&verdict(report)).into_owned(),
        tone: match report.conclusion {
            Conclusion::Conformant => "good",
            Conclusion::PartiallyConformant => "fair",
            Conclusion::NotConformant => "bad",
            Conclusion::SetUpFailed | Conclusion::NothingRan => "none",
        },
        facts: facts(report),
        counts: counts(report),
        axis: axis.render(),
        strips: report
            .latency
            .iter()
            .map(|row| Strip {
                operation: &row.operation,
                svg: axis.strip(row),
                p50: plot::duration(row.p50_ms),
                p95: plot::duration(row.p95_ms),
                max: plot::duration(row.max_ms),
                count: row.count,
            })
            .collect(),
        areas: areas(report),
    };
    page.render()
}

/// What a browser shows on a tab.
fn title(report: &Report) -> String {
    let word = match report.conclusion {
        Conclusion::Conformant => "Conformant",
        Conclusion::PartiallyConformant => "Partially conformant",
        Conclusion::NotConformant => "Not conformant",
        Conclusion::SetUpFailed => "Set-up failed",
        Conclusion::NothingRan => "Nothing checked",
    };
    let target: String = visible(&report.target.base_url).chars().take(40).collect();
    format!("{word}: {target}")
}

/// The source expression that allows exactly this inline text.
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
            "Hooks arrived within",
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
        ("Offers", Some(report.target.capabilities.join(", "))),
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

fn areas(report: &Report) -> Vec<Area<'_>> {
    let mut areas: Vec<Area<'_>> = Vec::new();
    for requirement in &report.requirements {
        let name = requirement.id.split('.').next().unwrap_or_default();
        if areas.last().is_none_or(|area| area.name != name) {
            areas.push(Area { name, rows: Vec::new() });
        }
        if let Some(area) = areas.last_mut() {
            area.rows.push(row(requirement));
        }
    }
    areas
}

fn row(requirement: &RequirementReport) -> Row<'_> {
    Row {
        word: requirement.status.word(),
        reason: visible(requirement.reason.as_deref().unwrap_or_default()).into_owned(),
        time: format!("{:.2} s", std::time::Duration::from_millis(requirement.duration_ms).as_secs_f64()),
        evidence: requirement.failure.as_ref().map(evidence),
        requirement,
    }
}

fn evidence(failure: &FailureReport) -> Evidence {
    let hidden = failure.exchanges.len().saturating_sub(SHOWN_EXCHANGES);
    Evidence {
        expected: visible(&failure.expected).into_owned(),
        observed: visible(&failure.observed).into_owned(),
        case: if failure.case.is_null() { String::new() } else { visible(&format!("{:#}", failure.case)).into_owned() },
        case_index: failure.case_index,
        shown_by: failure.shown_by.clone().unwrap_or_default(),
        more: hidden,
        exchanges: failure.exchanges[hidden..].iter().map(shown).collect(),
        curl: failure.exchanges.last().map(|exchange| visible(&exchange.curl).into_owned()).unwrap_or_default(),
        repeat: failure.repeat.clone(),
    }
}

fn shown(exchange: &ExchangeReport) -> Shown {
    let headers = |headers: &[(String, String)]| {
        headers.iter().flat_map(|(name, value)| [name.as_str(), ": ", value, "\n"]).collect::<String>()
    };
    let request = format!(
        "{} {}\n{}\n{}",
        exchange.method,
        exchange.path,
        headers(&exchange.request_headers),
        exchange.request_body.as_deref().unwrap_or_default()
    );
    let answer = format!("{}\n{}\n{}", exchange.status, headers(&exchange.headers), exchange.body);
    Shown {
        line: visible(&format!(
            "{} {} → {}, {} ms",
            exchange.method, exchange.path, exchange.status, exchange.elapsed_ms
        ))
        .into_owned(),
        request: visible(request.trim_end()).into_owned(),
        answer: visible(answer.trim_end()).into_owned(),
    }
}
