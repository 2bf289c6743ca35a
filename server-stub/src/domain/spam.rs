//! Whether a lead looks like spam: a sum of few signs, each of which can be told to a person. Nothing is dropped for it.

use std::sync::LazyLock;
use std::time::Duration;

use regex::Regex;
use serde::{Deserialize, Serialize};

use super::personal::Personal;

/// From this score on a lead is suspected.
const SUSPECTED_FROM: u8 = 50;
/// The highest score.
const MAX_SCORE: u8 = 100;

/// A person needs longer to fill in a form, even when the browser fills in the address.
const QUICKEST_PERSON: Duration = Duration::from_secs(2);

/// A field that people do not see was filled: that alone decides.
const TRAP_SCORE: u8 = 100;
/// Suspicious, and not enough alone: clocks of pages can be wrong.
const SPEED_SCORE: u8 = 40;
/// Each link of the message. Three make it suspected; people send one or two.
const LINK_SCORE: u8 = 20;
/// No person has an address as a name.
const LINK_AS_NAME_SCORE: u8 = 60;

static LINK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\bhttps?://|\bwww\.|<a\s|\[url").expect("the pattern is valid"));

/// How much a lead looks like spam.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpamReport {
    /// Whether the score is at least `SUSPECTED_FROM`.
    pub suspected: bool,
    /// 0 to 100.
    pub score: u8,
    /// What the score consists of.
    pub reasons: Vec<SpamReason>,
}

/// One sign of spam.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpamReason {
    /// A field that people do not see was filled.
    TrapFilled,
    /// The form was sent sooner than a person fills it.
    SentTooFast,
    /// The message has one link or more.
    ManyLinks,
    /// The name or the company is a link.
    LinkAsName,
}

impl SpamReason {
    /// The name in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TrapFilled => "trap_filled",
            Self::SentTooFast => "sent_too_fast",
            Self::ManyLinks => "many_links",
            Self::LinkAsName => "link_as_name",
        }
    }
}

/// What is looked at.
#[derive(Debug, Clone, Default)]
pub struct Signs<'a> {
    /// Whether the trap was filled.
    pub is_trap_filled: bool,
    /// From when the form was shown until it was sent, where the page measured it.
    pub elapsed: Option<Duration>,
    /// The message.
    pub message: Personal<&'a str>,
    /// The name.
    pub name: Personal<&'a str>,
    /// The company.
    pub company: Personal<&'a str>,
}

/// Adds up the signs.
pub fn judge(signs: &Signs<'_>) -> SpamReport {
    let links = u8::try_from(LINK.find_iter(*signs.message).count()).unwrap_or(u8::MAX);
    let found = [
        (SpamReason::TrapFilled, signs.is_trap_filled, TRAP_SCORE),
        (SpamReason::SentTooFast, signs.elapsed.is_some_and(|elapsed| elapsed < QUICKEST_PERSON), SPEED_SCORE),
        (SpamReason::ManyLinks, links > 0, LINK_SCORE.saturating_mul(links)),
        (SpamReason::LinkAsName, LINK.is_match(*signs.name) || LINK.is_match(*signs.company), LINK_AS_NAME_SCORE),
    ];
    let mut report = SpamReport::default();
    for (reason, _, score) in found.into_iter().filter(|(_, is_there, _)| *is_there) {
        report.score = report.score.saturating_add(score).min(MAX_SCORE);
        report.reasons.push(reason);
    }
    report.suspected = report.score >= SUSPECTED_FROM;
    report
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(signs: &Signs<'_>) -> (u8, bool) {
        let report = judge(signs);
        assert_eq!(report.reasons.is_empty(), report.score == 0);
        (report.score, report.suspected)
    }

    #[test]
    fn people_are_not_suspected_and_robots_are() {
        let person = Signs { message: "See https://example.com/a and www.example.org".into(), ..Signs::default() };
        assert_eq!(score(&Signs::default()), (0, false));
        assert_eq!(score(&person), (40, false));
        assert_eq!(score(&Signs { elapsed: Some(Duration::from_secs(1)), ..Signs::default() }), (40, false));
        assert_eq!(score(&Signs { elapsed: Some(Duration::from_secs(2)), ..Signs::default() }), (0, false));
        assert_eq!(score(&Signs { elapsed: Some(Duration::from_secs(1)), ..person.clone() }), (80, true));
        assert_eq!(score(&Signs { name: "http://cheap.example".into(), ..Signs::default() }), (60, true));
        assert_eq!(score(&Signs { is_trap_filled: true, ..person.clone() }), (100, true));
        let flood = "https://a.example ".repeat(500);
        assert_eq!(score(&Signs { message: flood.as_str().into(), ..Signs::default() }), (100, true));
    }
}
