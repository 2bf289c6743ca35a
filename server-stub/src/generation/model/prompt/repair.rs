//! Messages that ask a model to improve its draft.

use crate::domain::voice::VoiceReport;

use super::super::grounding::Removal;
use super::super::text::{cut, one_line};
use super::delimiters::Delimiters;

/// Maximum number of failed checks in a message.
const MAX_CHECKS: usize = 20;
/// Maximum number of removed texts in a message.
const MAX_REMOVALS: usize = 12;
/// Maximum length of each value or removed text, in characters.
const MAX_CHARS: usize = 240;

/// Returns the message after a draft, with the failed checks and the removed texts.
pub(in super::super) fn repair(report: &VoiceReport, removed: &[Removal], delimiters: &Delimiters) -> String {
    let line = |text: &str| one_line(cut(text, MAX_CHARS));
    let checks: Vec<String> = report
        .failures()
        .take(MAX_CHECKS)
        .map(|check| {
            let told = |value: &Option<String>| value.as_deref().map_or_else(|| "-".to_owned(), line);
            format!("{}: expected {}; found {}", check.rule, told(&check.expected), told(&check.observed))
        })
        .collect();
    let mut text = "The draft does not keep these rules yet. Write it once more, whole, as one JSON object of the same form, and keep \
                    what was good.\n"
        .to_owned();
    text.push_str(&delimiters.around("failed checks", &checks.join("\n"), MAX_CHECKS * MAX_CHARS * 3));
    if !removed.is_empty() {
        text.push_str("\nThis was taken out, because nothing in the order or the profile says it. Say nothing of the kind again:\n");
        let lines: Vec<String> = removed
            .iter()
            .take(MAX_REMOVALS)
            .map(|removal| format!("{}: {}", removal.why.as_str(), line(&removal.text)))
            .collect();
        text.push_str(&delimiters.around("taken out", &lines.join("\n"), MAX_REMOVALS * MAX_CHARS * 2));
    }
    text
}

/// Returns the message after a response that contains no draft, or only the beginning of one.
pub(in super::super) fn again(was_cut_off: bool) -> &'static str {
    if was_cut_off {
        "Your answer was cut off. Answer once more with the whole JSON object, and say less in each section."
    } else {
        "Your answer held no JSON object of the form that was asked for. Answer once more with that object and nothing else."
    }
}
