//! Spam score of a lead: the sum of a few signs that can be explained to a person. Suspected leads are never dropped.

use std::sync::LazyLock;
use std::time::Duration;

use regex::Regex;
use serde::{Deserialize, Serialize};

use super::names::names;
use super::personal::Personal;

/// Minimum score of a suspected lead.
const SUSPECTED_FROM: u8 = 50;
/// Maximum score.
const MAX_SCORE: u8 = 100;

/// Minimum time in which a person fills in a form, even if the browser completes the address.
const QUICKEST_PERSON: Duration = Duration::from_secs(2);

/// Score for a filled field that people do not see: enough alone.
const TRAP_SCORE: u8 = 100;
/// Score for a form sent too fast: not enough alone, because clocks of pages can be wrong.
const SPEED_SCORE: u8 = 40;
/// Score for each link of the message. Three make the lead suspected; people send one or two.
const LINK_SCORE: u8 = 20;
/// Score for a link as a name, which no person has.
const LINK_AS_NAME_SCORE: u8 = 60;

static LINK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\bhttps?://|\bwww\.|<a\s|\[url").expect("the pattern is valid"));

/// Spam report of a lead.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpamReport {
    /// True if the score is at least `SUSPECTED_FROM`.
    pub suspected: bool,
    /// Score from 0 to 100.
    pub score: u8,
    /// Signs that contribute to the score.
    pub reasons: Vec<SpamReason>,
}

names! {
    /// One sign of spam.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum SpamReason {
        /// A field that people do not see was filled.
        TrapFilled = "trap_filled",
        /// The form was sent faster than a person can fill it in.
        SentTooFast = "sent_too_fast",
        /// The message has at least one link.
        ManyLinks = "many_links",
        /// The name or the company is a link.
        LinkAsName = "link_as_name",
    }
}

/// Input of the spam score.
#[derive(Debug, Clone, Default)]
pub struct Signs<'a> {
    /// True if the hidden field was filled.
    pub is_trap_filled: bool,
    /// Time between showing and sending the form, if the page measured it.
    pub elapsed: Option<Duration>,
    /// The message.
    pub message: Personal<&'a str>,
    /// The name.
    pub name: Personal<&'a str>,
    /// The company.
    pub company: Personal<&'a str>,
}

/// Adds up the scores of all signs.
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
