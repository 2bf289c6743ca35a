//! Faults in parsing `publish_at` and in its limits.

use chrono::{DateTime, Duration, Utc};
use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::echo;
use super::super::fault::{Fault, fault};
use super::schema::{overlook, refuse, tidy_member};
use crate::clock;
use crate::edge::Exchange;
use crate::message::{Request, Response, parse_time, write_time};

const MALFORMED: &[&str] = &["generate.publish-at.malformed"];
const ONE_YEAR: &[&str] = &["generate.publish-at.one-year"];
const KEPT: &[&str] = &["generate.publish-at.kept"];
const FORMAT: &[&str] = &["generate.invalid.format"];

/// Safely in the future, and less than a year ahead.
const SOME_DAYS: Duration = Duration::days(300);

pub(super) const FAULTS: &[Fault] = &[
    fault("validation.time-trimmed", "The server trims spaces around publish_at.", MALFORMED)
        .request(|request, _| read_as(request, |time| Some(time.trim().to_owned()))),
    fault("validation.time-without-seconds", "The server accepts publish_at without seconds.", MALFORMED).request(
        |request, _| {
            read_as(request, |time| {
                let (minutes, zone) = time.split_at_checked("2026-11-02T08:00".len())?;
                Some(format!("{minutes}:00{zone}")).filter(|time| parse_time(time).is_some())
            });
        },
    ),
    fault("validation.time-of-24", "The server accepts 24:00 as midnight.", MALFORMED).request(|request, _| {
        read_as(request, |time| {
            let begin = time.contains("T24:00:00").then(|| parse_time(&time.replace("T24:", "T00:")))??;
            Some(write_time(begin + Duration::days(1)))
        });
    }),
    fault("validation.date-only", "The server accepts a date without a time in publish_at.", FORMAT)
        .request(|request, _| read_as(request, |date| with_end(date, "T00:00:00Z"))),
    fault("validation.time-without-zone", "The server treats publish_at without a zone as UTC.", FORMAT)
        .request(|request, _| read_as(request, |time| with_end(time, "Z"))),
    fault("validation.year-of-360", "The server treats a year as twelve months of thirty days.", ONE_YEAR).exchange(
        |exchange| refuse(exchange, "publish_at", "out_of_range", |time| is_ahead(time, Duration::days(360))).boxed(),
    ),
    fault("validation.year-of-400", "The server accepts publish_at up to 400 days ahead.", ONE_YEAR)
        .exchange(|exchange| {
            further_ahead(exchange, |time| {
                if !is_ahead(time, Duration::days(400)) {
                    *time = in_some_days();
                }
            })
            .boxed()
        })
        .response(echo::show),
    fault("validation.far-future", "The server sets no limit on publish_at.", &["generate.invalid.range"])
        .exchange(|exchange| further_ahead(exchange, |time| *time = in_some_days()).boxed())
        .response(echo::show),
    fault("validation.past-refused", "The server refuses a publish_at in the past.", KEPT).exchange(|exchange| {
        refuse(exchange, "publish_at", "out_of_range", |time| read(time).is_some_and(|time| time < clock::now()))
            .boxed()
    }),
    fault("validation.only-utc", "The server refuses a publish_at that does not end with Z.", KEPT).exchange(
        |exchange| {
            refuse(exchange, "publish_at", "invalid_format", |time| {
                read(time).is_some() && !time.as_str().is_some_and(|time| time.ends_with('Z'))
            })
            .boxed()
        },
    ),
];

/// Parses a time more leniently than the standard.
fn read_as(request: &mut Request, reread: fn(&str) -> Option<String>) {
    tidy_member(request, "publish_at", |time| {
        if let Some(reread) = time.as_str().and_then(reread) {
            *time = json!(reread);
        }
    });
}

fn with_end(time: &str, end: &str) -> Option<String> {
    Some(format!("{time}{end}")).filter(|time| parse_time(time).is_some())
}

/// Accepts a time that is too far ahead, and shows it in the form of times in responses.
async fn further_ahead(mut exchange: Exchange, repair: fn(&mut Value)) -> Response {
    tidy_member(&mut exchange.request, "publish_at", |time| {
        if let Some(moment) = read(time).filter(|moment| *moment > clock::now()) {
            *time = json!(write_time(moment));
        }
    });
    overlook(exchange, "publish_at", "out_of_range", repair).await
}

fn in_some_days() -> Value {
    json!(write_time(clock::now() + SOME_DAYS))
}

fn is_ahead(time: &Value, by: Duration) -> bool {
    read(time).is_some_and(|time| time > clock::now() + by)
}

fn read(time: &Value) -> Option<DateTime<Utc>> {
    time.as_str().and_then(parse_time)
}
