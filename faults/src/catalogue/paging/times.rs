//! Filters by time.

use chrono::{DateTime, Duration};

use super::super::fault::{Fault, fault};
use super::pages::{self, filter_in_force, link_as_asked, retain_rows};
use super::parameters::{TIMES, misread_times, moment_later, reread};
use crate::memory::Memory;
use crate::message::{Operation, Request, Response, parse_time, write_time};

pub(super) const FAULTS: &[Fault] = &[
    fault("paging.time-lenient", "A filter by time accepts a date.", &["pages.filter.refused"])
        .request(dates_as_midnights)
        .response(link_as_asked),
    fault("paging.until-in-seconds", "captured_until accepts seconds since 1970.", &["pages.filter.refused"])
        .request(|request, _| {
            reread(request, "captured_until", |text| {
                text.parse::<i64>().ok().and_then(|seconds| DateTime::from_timestamp(seconds, 0)).map(write_time)
            });
        })
        .response(link_as_asked),
    fault("paging.since-exclusive", "captured_since leaves out its own moment.", &["leads.filter.half-open"])
        .request(|request, _| later(request, "captured_since"))
        .response(link_as_asked),
    fault("paging.until-inclusive", "captured_until takes in its own moment.", &["leads.filter.half-open"])
        .request(|request, _| later(request, "captured_until"))
        .response(link_as_asked),
    fault("paging.updated-exclusive", "updated_since leaves out its own moment.", &["pages.filter.changed-since"])
        .request(|request, _| later(request, "updated_since"))
        .response(link_as_asked),
    fault("paging.updated-is-created", "updated_since looks at the time of creation.", &["pages.filter.changed-since"])
        .response(created_since),
    fault(
        "paging.zone-cut",
        "The zone of a filter by time is cut off.",
        &["leads.filter.moments", "pages.filter.moments"],
    )
    .request(|request, _| {
        misread_times(request, |text, _| Some(DateTime::parse_from_rfc3339(text).ok()?.naive_local().and_utc()));
    })
    .response(link_as_asked),
    fault(
        "paging.second-ends",
        "A filter by time without milliseconds counts from the end of its second.",
        &["leads.filter.moments"],
    )
    .request(|request, _| {
        misread_times(request, |text, bound| (!text.contains('.')).then(|| bound + Duration::seconds(1)));
    })
    .response(link_as_asked),
];

fn later(request: &mut Request, name: &str) {
    reread(request, name, |text| moment_later(text, parse_time(text)?).map(write_time));
}

fn dates_as_midnights(request: &mut Request, _: &Memory) {
    for name in TIMES {
        reread(request, name, |text| {
            let midnight = format!("{text}T00:00:00Z");
            parse_time(&midnight).map(|_| midnight)
        });
    }
}

/// What was changed since is not shown where it was created before.
fn created_since(response: &mut Response, request: &Request, memory: &Memory) {
    pages::note(response, request, memory);
    let since = filter_in_force(request, memory, "updated_since").as_deref().and_then(parse_time);
    if let Some(since) = since.filter(|_| request.is(Operation::ListArticles)) {
        retain_rows(response, |row| pages::time_of(row).is_none_or(|created| created >= since));
    }
}
