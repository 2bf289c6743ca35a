//! Times in the document's form: RFC 3339 in UTC with milliseconds.

use chrono::{DateTime, Duration, SecondsFormat, Utc};
use serde_json::{Value, json};

use super::value::edit_objects;

/// Reads a time of a body.
pub fn parse_time(text: &str) -> Option<DateTime<Utc>> {
    DateTime::parse_from_rfc3339(text).ok().map(|time| time.to_utc())
}

/// Writes a time for a body.
pub fn write_time(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// Moves every time below `value`: fields named `at` or ending in `_at`.
pub fn shift_times(value: &mut Value, by: Duration) {
    edit_objects(value, &mut |members| {
        for (name, member) in members {
            let time = member.as_str().filter(|_| name == "at" || name.ends_with("_at")).and_then(parse_time);
            if let Some(time) = time {
                *member = json!(write_time(time + by));
            }
        }
    });
}

/// Rewrites every time below `value`: fields named `at` or ending in `_at`.
pub fn edit_times(value: &mut Value, write: &dyn Fn(DateTime<Utc>) -> Value) {
    edit_objects(value, &mut |members| {
        for (name, member) in members {
            let time = member.as_str().filter(|_| name == "at" || name.ends_with("_at")).and_then(parse_time);
            if let Some(time) = time {
                *member = write(time);
            }
        }
    });
}
