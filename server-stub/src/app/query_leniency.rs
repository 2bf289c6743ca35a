//! Slips in reading the query of a list. Without the feature `faults` all of it is off.

use std::borrow::Cow;

use super::error::{Error, FieldCode, FieldError, Place};
use crate::domain::fault::table::{outside, paging};

/// What the document's lists know.
const KNOWN: [&str; 8] =
    ["limit", "page_token", "website_id", "article_id", "status", "updated_since", "captured_since", "captured_until"];

/// The query as a server sees it that turns what it gets into what it wants.
pub(super) fn tidied(query: &[(String, String)]) -> Cow<'_, [(String, String)]> {
    let mut tidy = Cow::Borrowed(query);
    if paging::DOUBLED_LAST.is_on() {
        let is_last = |at: usize| !query[at + 1..].iter().any(|(name, _)| *name == query[at].0);
        tidy = (0..query.len()).filter(|at| is_last(*at)).map(|at| query[at].clone()).collect();
    }
    if paging::DOUBLED_FILTERS.is_on() {
        let is_first = |at: usize| !query[..at].iter().any(|(name, _)| *name == query[at].0);
        tidy = (0..query.len())
            .filter(|at| is_first(*at) || query[*at].0 == "limit")
            .map(|at| query[at].clone())
            .collect();
    }
    if paging::ID_EMPTY.is_on() {
        tidy.to_mut().retain(|(name, text)| !name.ends_with("_id") || !text.is_empty());
    }
    if outside::EMPTY_VALUES_IGNORED.is_on() {
        let is_filter = |name: &str| name == "status" || name.ends_with("_since") || name.ends_with("_until");
        tidy.to_mut().retain(|(name, text)| !text.is_empty() || !is_filter(name));
    }
    if paging::NAMES_WITHOUT_CASE.is_on() {
        tidy = query.iter().map(|(name, text)| (name.to_lowercase(), text.clone())).collect();
    }
    if paging::LIMIT_UNREADABLE.is_on() {
        tidy.to_mut().retain(|(name, text)| name != "limit" || text.parse::<i64>().is_ok());
    }
    for at in 0..tidy.len() {
        let (name, text) = &tidy[at];
        if let Some(text) = corrected(name, text) {
            tidy.to_mut()[at].1 = text;
        }
    }
    tidy
}

fn corrected(name: &str, text: &str) -> Option<String> {
    let number = text.parse::<i64>().ok();
    match name {
        "limit" if paging::LIMIT_CLAMPED.is_on() => number.map(|limit| limit.clamp(1, 100).to_string()),
        "limit" if paging::LIMIT_0.is_on() && text == "0" => Some("20".to_owned()),
        "limit" if paging::LIMIT_FLOAT.is_on() => text.strip_suffix(".0").map(ToOwned::to_owned),
        "website_id" | "article_id" if paging::ID_ANY_LENGTH.is_on() => Some(text.chars().take(128).collect()),
        "status" if paging::STATUS_WITHOUT_CASE.is_on() => Some(text.to_lowercase()),
        "status" if paging::STATUS_ANY.is_on() && text.starts_with("no-such") => Some("archived".to_owned()),
        "updated_since" | "captured_since" | "captured_until" if paging::TIME_LENIENT.is_on() => {
            (text.len() == 10 && text.contains('-')).then(|| format!("{text}T00:00:00Z"))
        }
        _ => None,
    }
}

/// What is refused that is right.
pub(super) fn refused(query: &[(String, String)]) -> Result<(), Error> {
    let is_wrong = |(name, text): &&(String, String)| {
        (paging::LIMIT_100.is_on() && name == "limit" && text == "100")
            || (paging::ID_IN_BYTES.is_on() && name.ends_with("_id") && text.len() > 128)
            || (paging::ARCHIVED_REFUSED.is_on() && name == "status" && text == "archived")
            || (paging::UNKNOWN_REFUSED.is_on() && !KNOWN.contains(&name.as_str()))
    };
    let errors: Vec<FieldError> = query
        .iter()
        .filter(is_wrong)
        .map(|(name, _)| FieldError {
            code: FieldCode::OutOfRange,
            place: Place::Parameter(name.clone()),
            detail: "it is not allowed".to_owned(),
        })
        .collect();
    if errors.is_empty() { Ok(()) } else { Err(Error::Validation(errors)) }
}
