//! Slips in what times say: the clock on the wall, labelled as UTC.

use chrono::{DateTime, Duration, SecondsFormat, Utc};
use serde_json::{Value, json};

use super::answer::{Answer, Asked};
use crate::domain::fault::table::{contract, leads};

pub(super) fn spoil(asked: &Asked, answer: &mut Answer) {
    let is_local = match asked.operation {
        "generate" | "get_job" => contract::JOB_TIMES_LOCAL.is_on(),
        "get_article" => contract::ARTICLE_TIMES_LOCAL.is_on(),
        "list_leads" | "get_lead" => leads::TIMES_LOCAL.is_on(),
        _ => false,
    };
    if is_local {
        answer.edit(shift);
    }
    if leads::CONSENT_LOCAL.is_on() && asked.operation == "get_lead" {
        answer.edit(|lead| shift(&mut lead["consent"]));
    }
}

/// Moves every time below `value` by an hour.
fn shift(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(shift),
        Value::Object(members) => {
            for (name, member) in members {
                let time = member.as_str().filter(|_| name == "at" || name.ends_with("_at"));
                match time.and_then(|text| DateTime::parse_from_rfc3339(text).ok()) {
                    Some(time) => *member = json!(later(time.with_timezone(&Utc))),
                    None => shift(member),
                }
            }
        }
        _ => {}
    }
}

fn later(time: DateTime<Utc>) -> String {
    (time + Duration::hours(1)).to_rfc3339_opts(SecondsFormat::Millis, true)
}
