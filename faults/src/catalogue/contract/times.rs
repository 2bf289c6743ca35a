//! Faults in the format and value of times.

use chrono::{DateTime, Duration, FixedOffset, SecondsFormat, Utc};
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use crate::message::{Operation, Request, Response, edit_times, shift_times};

pub(super) const FAULTS: &[Fault] = &[
    fault("contract.job-times-local", "Times of jobs are local times marked as UTC.", &["jobs.times.real"]).response(
        |response, request, _| {
            shift_of(&[Operation::Generate, Operation::GetJob, Operation::CancelJob], response, request);
        },
    ),
    fault("contract.article-times-local", "Times of articles are local times marked as UTC.", &["articles.times.real"])
        .response(|response, request, _| {
            shift_of(&[Operation::GetArticle, Operation::ListArticles], response, request);
        }),
    fault("contract.unix-times", "created_at of the 202 is a number of seconds.", &["answers.generate.schema"])
        .response(|response, request, _| {
            if request.is(Operation::Generate) && response.is_success() {
                response.edit(|job| edit_times(job, &|time| json!(time.timestamp())));
            }
        }),
    fault("contract.local-times", "Times have an offset instead of being in UTC.", &["answers.times.utc"])
        .response(|response, _, _| write_times(response, with_offset)),
    fault("contract.second-times", "Times are written without milliseconds.", &["answers.times.utc"])
        .response(|response, _, _| write_times(response, |time| time.to_rfc3339_opts(SecondsFormat::Secs, true))),
];

fn shift_of(operations: &[Operation], response: &mut Response, request: &Request) {
    if response.is_success() && request.operation().is_some_and(|operation| operations.contains(&operation)) {
        response.edit(|body| shift_times(body, Duration::hours(1)));
    }
}

fn write_times(response: &mut Response, write: fn(DateTime<Utc>) -> String) {
    if response.is_success() {
        response.edit(|body| edit_times(body, &|time| Value::String(write(time))));
    }
}

/// Offset of local time, one hour east of Greenwich.
fn with_offset(time: DateTime<Utc>) -> String {
    let zone = FixedOffset::east_opt(3600).map(|zone| time.with_timezone(&zone));
    zone.map_or_else(String::new, |time| time.to_rfc3339_opts(SecondsFormat::Millis, false))
}
