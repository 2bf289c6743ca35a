//! The tables beside the operations: problem codes and limits.

use serde_json::Value;

use super::comparison::Comparison;
use super::kind::Kind;
use super::part::Part;

/// The problem codes, in the document.
const CODES: &str = "/x-problem-codes";
/// The fields of a code that clients rely on. Its description may be reworded.
const MEANING: [&str; 4] = ["status", "type", "title", "retryable"];
/// The limits, in the document.
const LIMITS: &str = "/x-limits";
/// How a limit is counted.
const COUNTED: [&str; 3] = ["unit", "per", "policy"];
/// Limits on the data that the service sends: these may not get wider.
const OF_WHAT_IS_RECEIVED: [&str; 3] = ["hook_body", "hook_body_whole", "problem_errors"];

impl<'a> Comparison<'a> {
    /// The codes of problems.
    pub(super) fn problem_codes(&mut self) {
        let (old, new) = self.both(CODES);
        let mut codes = new.members();
        for (code, before) in old.members() {
            let Some(now) = codes.remove(&code) else {
                self.breaks(Kind::ProblemCodeRemoved, before.place, format!("the problem code {code} is gone"));
                continue;
            };
            for name in MEANING.iter().filter(|name| before.value.get(**name) != now.value.get(**name)) {
                let what = format!("`{name}` of {code} has changed");
                self.breaks(Kind::ProblemCodeChanged, before.place_of(name), what);
            }
        }
        for (code, now) in codes {
            self.allows(now.place, format!("the problem code {code}"));
        }
    }

    /// The codes that a response can have.
    pub(super) fn codes_of_a_response(&mut self, old: &Part<'a>, new: &Part<'a>) {
        let (before, now) = (old.texts("x-codes"), new.texts("x-codes"));
        for code in before.iter().filter(|code| !now.contains(code)) {
            self.breaks(Kind::ProblemCodeRemoved, old.place_of("x-codes"), format!("{code} is no longer listed here"));
        }
        for code in now.iter().filter(|code| !before.contains(code)) {
            self.allows(new.place_of("x-codes"), format!("the problem code {code}"));
        }
    }

    /// The named limits.
    pub(super) fn limits(&mut self) {
        let (old, new) = self.both(LIMITS);
        let mut limits = new.members();
        for (name, before) in old.members() {
            match limits.remove(&name) {
                Some(now) => self.limit(&name, &before, &now),
                None => self.breaks(Kind::LimitRemoved, before.place, format!("the limit {name} is gone")),
            }
        }
        for (name, now) in limits {
            self.allows(now.place, format!("the limit {name}"));
        }
    }

    fn limit(&mut self, name: &str, before: &Part<'a>, now: &Part<'a>) {
        for member in COUNTED.iter().filter(|member| before.value.get(**member) != now.value.get(**member)) {
            let what = format!("`{member}` of {name} has changed");
            self.breaks(Kind::LimitTightened, before.place_of(member), what);
        }
        let is_received = OF_WHAT_IS_RECEIVED.contains(&name);
        // Without a maximum, the minimum is a promise: at least this much.
        let is_promise = before.value.get("maximum").is_none();
        let tightens: [(&str, bool); 3] =
            [("maximum", is_received), ("minimum", !is_promise), ("window_seconds", true)];
        for (member, is_worse_when_raised) in tightens {
            let number = |part: &Part<'a>| part.value.get(member).and_then(Value::as_i64);
            let shown = |part: &Part<'a>| number(part).map_or_else(|| "none".to_owned(), |number| number.to_string());
            let what = || format!("`{member}` of {name}: {} became {}", shown(before), shown(now));
            match (number(before), number(now)) {
                (Some(one), Some(other)) if one == other => {}
                (None, None) => {}
                (Some(one), Some(other)) if (other > one) != is_worse_when_raised => {
                    self.allows(before.place_of(member), what());
                }
                _ => self.breaks(Kind::LimitTightened, before.place_of(member), what()),
            }
        }
    }
}
