//! Filters by time.

use chrono::{DateTime, Duration};

use super::super::fault::{Fault, fault};
use super::pages::{self, filter_in_force, link_as_asked, retain_rows};
use super::parameters::{TIMES, ignore, misread_times, moment_later, reread};
use crate::clock;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response, parse_time, write_time};

pub(super) const FAULTS: &[Fault] = &[
    fault("paging.time-lenient", "The server accepts a date in a filter by time.", &["pages.filter.refused"])
        .request(dates_as_midnights)
        .response(link_as_asked),
    fault("paging.until-in-seconds", "The server accepts Unix seconds in captured_until.", &["pages.filter.refused"])
        .request(|request, _| {
            reread(request, "captured_until", |text| {
                text.parse::<i64>().ok().and_then(|seconds| DateTime::from_timestamp(seconds, 0)).map(write_time)
            });
        })
        .response(link_as_asked),
    fault("paging.since-exclusive", "captured_since excludes its own moment.", &["leads.filter.moments"])
        .request(|request, _| later(request, "captured_since"))
        .response(link_as_asked),
    fault("paging.until-inclusive", "captured_until includes its own moment.", &["leads.filter.moments"])
        .request(|request, _| later(request, "captured_until"))
        .response(link_as_asked),
    fault("paging.updated-exclusive", "updated_since excludes its own moment.", &["pages.filter.changed-since"])
        .request(|request, _| later(request, "updated_since"))
        .response(link_as_asked),
    fault("paging.updated-is-created", "updated_since compares created_at.", &["pages.filter.changed-since"])
        .response(created_since),
    fault("paging.lead-changes-ignored", "The server ignores updated_since of leads.", &["leads.filter.updated-since"])
        .request(|request, _| {
            if request.is(Operation::ListLeads) {
                ignore(request, "updated_since");
            }
        })
        .response(link_as_asked),
    fault(
        "paging.lead-changes-exclusive",
        "updated_since of leads excludes its own moment.",
        &["leads.filter.updated-since"],
    )
    .request(|request, _| {
        if request.is(Operation::ListLeads) {
            later(request, "updated_since");
        }
    })
    .response(link_as_asked),
    fault(
        "paging.lead-changes-by-capture",
        "updated_since of leads compares captured_at.",
        &["hooks.double-opt-in.updated"],
    )
    .response(captured_since),
    fault(
        "paging.lead-changes-cached",
        "updated_since of leads reads a cache that is an hour old.",
        &["leads.sync.since-date"],
    )
    .response(from_cache),
    fault(
        "paging.zone-cut",
        "The server ignores the zone of a filter by time.",
        &["leads.filter.moments", "pages.filter.moments"],
    )
    .request(|request, _| {
        misread_times(request, |text, _| Some(DateTime::parse_from_rfc3339(text).ok()?.naive_local().and_utc()));
    })
    .response(link_as_asked),
    fault(
        "paging.second-ends",
        "The server rounds a filter by time without milliseconds up to the end of its second.",
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

/// Hides a lead that was captured before the bound, even if it changed since.
fn captured_since(response: &mut Response, request: &Request, memory: &Memory) {
    pages::note(response, request, memory);
    let since = filter_in_force(request, memory, "updated_since").as_deref().and_then(parse_time);
    if let Some(since) = since.filter(|_| request.is(Operation::ListLeads)) {
        retain_rows(response, |row| pages::time_of(row).is_none_or(|captured| captured >= since));
    }
}

/// Hides leads of the last hour if the bound is between two minutes and an hour ago.
fn from_cache(response: &mut Response, request: &Request, memory: &Memory) {
    pages::note(response, request, memory);
    let since = filter_in_force(request, memory, "updated_since").as_deref().and_then(parse_time);
    let now = clock::now();
    let is_cached = since.is_some_and(|since| (2..60).contains(&(now - since).num_minutes()));
    if is_cached && request.is(Operation::ListLeads) {
        retain_rows(response, |row| pages::time_of(row).is_none_or(|captured| now - captured > Duration::hours(1)));
    }
}

/// Hides items that were created before the bound, even if they changed since.
fn created_since(response: &mut Response, request: &Request, memory: &Memory) {
    pages::note(response, request, memory);
    let since = filter_in_force(request, memory, "updated_since").as_deref().and_then(parse_time);
    if let Some(since) = since.filter(|_| request.is(Operation::ListArticles)) {
        retain_rows(response, |row| pages::time_of(row).is_none_or(|created| created >= since));
    }
}
