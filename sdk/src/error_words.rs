//! Texts of errors. Text from outside is put on one line, cut, and shown once.

use crate::generated::types;

/// Maximum length of an excerpt from a body that is not a problem document, in characters.
const EXCERPT_CHARACTERS: usize = 300;
/// Maximum number of request faults in an error's text; the problem has them all.
const MOST_FAULTS: usize = 3;

/// Returns true if an object has any field of a problem. Any object can be deserialized as a problem.
pub(crate) fn says_something(problem: &types::Problem) -> bool {
    let types::Problem { code, detail, title, type_, request_id, errors, .. } = problem;
    [detail, title, type_, request_id].iter().any(|text| text.is_some()) || code.is_some() || !errors.is_empty()
}

/// Describes a problem: its detail, and the first faults with their places.
pub(crate) fn words_of(problem: &types::Problem) -> Option<String> {
    let happened = problem.detail.iter().chain(&problem.title).map(|text| sentence(text)).next().unwrap_or_default();
    let faults: Vec<String> = problem.errors.iter().take(MOST_FAULTS).map(|fault| fault_of(fault, &happened)).collect();
    let faults = faults.into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join("; ");
    match (happened.is_empty(), faults.is_empty()) {
        (true, true) => None,
        (false, true) => Some(happened),
        (true, false) => Some(faults),
        (false, false) => Some(format!("{happened} ({faults})")),
    }
}

/// Describes a fault: its place, and its detail unless that was said before.
fn fault_of(fault: &types::FieldError, said: &str) -> String {
    let place = fault.pointer.as_ref().or(fault.parameter.as_ref()).or(fault.header.as_ref());
    let detail = sentence(&fault.detail);
    let detail = if detail.to_lowercase() == said.to_lowercase() { String::new() } else { detail };
    match (place, detail.is_empty()) {
        (Some(place), true) => excerpt(place),
        (Some(place), false) => format!("{}: {detail}", excerpt(place)),
        (None, _) => detail,
    }
}

/// Returns the start of a text from outside, without a final full stop, so that the sentence can continue.
fn sentence(text: &str) -> String {
    let text = excerpt(text);
    text.strip_suffix('.').map_or_else(|| text.clone(), str::to_owned)
}

/// Returns the place in a response where the decoder stopped.
pub(crate) fn place(fault: &serde_json::Error) -> String {
    let what = match fault.classify() {
        serde_json::error::Category::Data => "a field does not match the API document",
        serde_json::error::Category::Eof => "it ends too early",
        serde_json::error::Category::Syntax => "it is not JSON",
        serde_json::error::Category::Io => "it could not be read",
    };
    format!("{what}, at line {} column {}", fault.line(), fault.column())
}

/// Returns the text of the innermost cause, which is the informative one.
pub(crate) fn innermost(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(below) = cause.source() {
        cause = below;
    }
    cause.to_string()
}

/// Returns the start of a text from outside, on one line and without control characters.
pub(crate) fn excerpt(text: &str) -> String {
    let words = text.split(|letter: char| letter.is_whitespace() || letter.is_control());
    let mut line = String::new();
    let mut left = EXCERPT_CHARACTERS;
    for word in words.filter(|word| !word.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
            left -= 1;
        }
        line.extend(word.chars().take(left));
        left = left.saturating_sub(word.chars().take(left).count());
        if left <= 1 {
            break;
        }
    }
    line
}
