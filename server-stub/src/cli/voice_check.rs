//! `voice check`: shows where texts break the rules of a voice.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::json;

use super::failure::{Exit, Failure};
use super::output::print;
use super::{text_file, voice};
use crate::config::CheckVoice;
use crate::domain::voice::{BrandVoice, Mark, TermMatcher, VoiceCheck, check_wording, marks};

/// Maximum length of a quoted part of a text, in characters.
const MAX_SHOWN_CHARS: usize = 60;

/// A rule that a text breaks, at one place.
struct Finding<'c> {
    check: &'c VoiceCheck,
    /// Line and column, both from 1; the column counts characters. `None` if the rule applies to the whole text.
    place: Option<(usize, usize)>,
    expected: String,
    observed: String,
}

pub(super) fn check(options: &CheckVoice) -> Result<(), Failure> {
    let voice = voice::read(&options.voice)?;
    let mut broken = 0;
    for path in &options.files {
        let text = text_file::without_front_matter(&text_file::read(path)?);
        let checks = check_wording(&voice, &options.language, &text);
        let findings = findings(&voice, &options.language, &text, &checks);
        broken += findings.len();
        let mut shown = String::new();
        for finding in &findings {
            let line = if options.json { as_json(path, finding) } else { as_line(path, finding) };
            let _ = writeln!(shown, "{}", line.replace(char::is_control, "\u{fffd}"));
        }
        if !options.json {
            let kept = checks.iter().filter(|check| check.passed).count();
            let _ = writeln!(shown, "{}: {kept} of {} rules are kept", path.display(), checks.len());
        }
        print(&shown)?;
    }
    if broken == 0 {
        return Ok(());
    }
    let (places, texts) = (plural(broken, "place"), plural(options.files.len(), "text"));
    let name = voice.name.replace(char::is_control, "\u{fffd}");
    let what = format!("the rules of the voice \"{name}\" are broken at {places} in {texts}");
    Err(Failure::new(Exit::Failed, what))
}

fn findings<'c>(voice: &BrandVoice, language: &str, text: &str, checks: &'c [VoiceCheck]) -> Vec<Finding<'c>> {
    let marks = marks(voice, language, text);
    let mut findings = Vec::new();
    for check in checks.iter().filter(|check| !check.passed) {
        let marks: Vec<&Mark> = marks.iter().filter(|mark| mark.rule == check.rule).collect();
        let expected = check.expected.clone().unwrap_or_default();
        if marks.is_empty() {
            let observed = check.observed.clone().unwrap_or_default();
            findings.push(Finding { check, place: None, expected: expected.clone(), observed });
        }
        for mark in marks {
            let observed = shortened(&text[mark.range.clone()]);
            let expected = substitute(voice, mark.rule, &observed).unwrap_or_else(|| expected.clone());
            findings.push(Finding { check, place: Some(place(text, mark.range.start)), expected, observed });
        }
    }
    findings.sort_by_key(|finding| finding.place);
    findings
}

/// Returns the voice's replacement for a term.
fn substitute(voice: &BrandVoice, rule: &str, term: &str) -> Option<String> {
    let mut pairs = voice.vocabulary.replace.iter().filter(|_| rule == "replacements");
    let pair = pairs.find(|pair| TermMatcher::new([pair.from.as_str()]).matches(term))?;
    Some(format!("\"{}\"", pair.to))
}

/// Returns line and column of a byte.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// Returns a part of a text on one line, without control characters.
fn shortened(part: &str) -> String {
    let clean = part.split_whitespace().collect::<Vec<_>>().join(" ").replace(char::is_control, "\u{fffd}");
    if clean.chars().count() <= MAX_SHOWN_CHARS {
        return clean;
    }
    clean.chars().take(MAX_SHOWN_CHARS - 1).chain(['\u{2026}']).collect()
}

fn as_line(path: &Path, finding: &Finding<'_>) -> String {
    let place = finding.place.map_or_else(String::new, |(line, column)| format!(":{line}:{column}"));
    let Finding { check, expected, observed, .. } = finding;
    format!("{}{place}: {}: expected {expected}, observed \"{observed}\"", path.display(), check.rule)
}

fn as_json(path: &Path, finding: &Finding<'_>) -> String {
    let (line, column) = finding.place.unzip();
    let Finding { check, expected, observed, .. } = finding;
    json!({
        "file": path.display().to_string(), "line": line, "column": column, "rule": check.rule,
        "expected": expected, "observed": observed,
    })
    .to_string()
}

fn plural(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
