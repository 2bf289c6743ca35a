//! `publish_at`: how it is read and how far ahead it may lie.

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

/// Surely ahead, and less than a year.
const SOME_DAYS: Duration = Duration::days(300);

pub(super) const FAULTS: &[Fault] = &[
    fault("validation.time-trimmed", "Blanks around publish_at are trimmed.", MALFORMED)
        .request(|request, _| read_as(request, |time| Some(time.trim().to_owned()))),
    fault("validation.time-without-seconds", "publish_at may lack its seconds.", MALFORMED).request(|request, _| {
        read_as(request, |time| {
            let (minutes, zone) = time.split_at_checked("2026-11-02T08:00".len())?;
            Some(format!("{minutes}:00{zone}")).filter(|time| parse_time(time).is_some())
        });
    }),
    fault("validation.time-of-24", "24:00 is taken for midnight.", MALFORMED).request(|request, _| {
        read_as(request, |time| {
            let begin = time.contains("T24:00:00").then(|| parse_time(&time.replace("T24:", "T00:")))??;
            Some(write_time(begin + Duration::days(1)))
        });
    }),
    fault(
        "validation.time-with-blank",
        "A blank may stand between the date and the time of publish_at.",
        &["generate.publish-at.space"],
    )
    .request(|request, _| {
        read_as(request, |time| {
            let (date, rest) = time.split_at_checked("2026-11-02".len())?;
            Some(format!("{date}T{}", rest.strip_prefix(' ')?))
        });
    }),
    fault("validation.date-only", "publish_at may be a date without a time.", FORMAT)
        .request(|request, _| read_as(request, |date| with_end(date, "T00:00:00Z"))),
    fault("validation.time-without-zone", "publish_at without a zone is taken for UTC.", FORMAT)
        .request(|request, _| read_as(request, |time| with_end(time, "Z"))),
    fault("validation.year-of-360", "A year ahead is twelve months of thirty days.", ONE_YEAR).exchange(|exchange| {
        refuse(exchange, "publish_at", "out_of_range", |time| is_ahead(time, Duration::days(360))).boxed()
    }),
    fault("validation.year-of-400", "A year ahead is 400 days, to be on the safe side.", ONE_YEAR)
        .exchange(|exchange| {
            further_ahead(exchange, |time| {
                if !is_ahead(time, Duration::days(400)) {
                    *time = in_some_days();
                }
            })
            .boxed()
        })
        .response(echo::show),
    fault("validation.far-future", "publish_at may lie any time ahead.", &["generate.invalid.range"])
        .exchange(|exchange| further_ahead(exchange, |time| *time = in_some_days()).boxed())
        .response(echo::show),
    fault("validation.past-refused", "A publish_at in the past is refused.", KEPT).exchange(|exchange| {
        refuse(exchange, "publish_at", "out_of_range", |time| read(time).is_some_and(|time| time < clock::now()))
            .boxed()
    }),
    fault("validation.only-utc", "publish_at must end with Z.", KEPT).exchange(|exchange| {
        refuse(exchange, "publish_at", "invalid_format", |time| {
            read(time).is_some() && !time.as_str().is_some_and(|time| time.ends_with('Z'))
        })
        .boxed()
    }),
];

/// What a parser makes of a time that takes more than the standard.
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

/// Accepts a time that lies too far ahead, and shows it in the form that times have in answers.
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
