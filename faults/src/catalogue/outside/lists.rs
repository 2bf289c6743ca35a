//! Faults in pages, filters and their times.

use std::cmp::Reverse;

use chrono::{DateTime, Duration, Utc};
use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::super::paging::pages::{self, Listing, Place, filter_in_force, link_as_asked, retain_rows, time_of};
use super::super::paging::parameters::{TIMES, ignore, is_page, misread_times, reread, single, valid};
use crate::memory::Memory;
use crate::message::{Operation, Request, Response, parse_time, write_time};

/// Maximum time until a publication is recorded.
const PUBLISHING: Duration = Duration::seconds(2);

pub(super) const FAULTS: &[Fault] = &[
    fault("outside.summary-of-creation", "Lists do not show that an article was published.", &["pages.filter.status"])
        .response(|response, request, _| {
            if request.is(Operation::ListArticles) {
                response.edit_rows(as_created);
            }
        }),
    fault(
        "outside.publishing-no-update",
        "The filter updated_since ignores publications.",
        &["pages.filter.changed-since"],
    )
    .response(publishing_no_update),
    fault(
        "outside.link-stands-still",
        "From the second page on, the Link header points to the same page.",
        &["pages.link.next"],
    )
    .response(|response, request, _| {
        let is_later = single(request, "page_token").is_some() && response.text("/next_page").is_some();
        if is_page(request) && is_later {
            let query = request.query.as_deref().unwrap_or_default();
            response.set("link", &format!("<{}?{query}>; rel=\"next\"", request.public_path()));
        }
    }),
    fault("outside.hundred-ends", "A page of 100 items is always the last.", &["pages.walk.beyond-hundred"]).response(
        |response, request, _| {
            if is_page(request) && response.json().is_some_and(|page| pages::rows_of(&page).len() == 100) {
                pages::lead_on(response, request, None);
            }
        },
    ),
    fault(
        "outside.ties-skipped",
        "The server skips items created in the same millisecond as the last item of a page.",
        &["pages.walk.same-moment"],
    )
    .response(|response, request, memory| {
        pages::lose_rows(response, request, memory, |time, end| time >= end);
    }),
    fault(
        "outside.ties-upwards",
        "Items of the same millisecond are sorted by ascending id.",
        &["pages.walk.same-moment"],
    )
    .exchange(|exchange| pages::arranged(exchange, ids_upwards, |_, _| 0).boxed()),
    fault(
        "outside.empty-values-ignored",
        "The server ignores a status or a time without a value.",
        &["pages.filter.refused"],
    )
    .request(empty_values_ignored)
    .response(link_as_asked),
    fault(
        "outside.half-hour-cut",
        "The server ignores the minutes of a time zone in filters.",
        &["pages.filter.moments"],
    )
    .request(|request, _| misread_times(request, half_hour_cut))
    .response(link_as_asked),
    fault(
        "outside.fraction-as-millis",
        "The server reads .5 in a time as five milliseconds.",
        &["leads.filter.fractions"],
    )
    .request(|request, _| misread_times(request, fraction_as_millis))
    .response(link_as_asked),
    fault(
        "outside.reversed-swapped",
        "The server swaps the bounds of a range whose end is before its start.",
        &["leads.filter.moments"],
    )
    .request(reversed_swapped)
    .response(link_as_asked),
    fault(
        "outside.until-alone-ignored",
        "The server ignores captured_until without captured_since.",
        &["leads.filter.moments"],
    )
    .request(|request, _| {
        if request.parameter("captured_since").is_none() {
            ignore(request, "captured_until");
        }
    })
    .response(link_as_asked),
    fault("outside.article-wins", "The server ignores website_id if article_id is given.", &["leads.filter.together"])
        .request(|request, _| {
            if valid(request, "article_id").is_some() {
                ignore(request, "website_id");
            }
        })
        .response(link_as_asked),
    fault(
        "outside.since-lost-with-status",
        "The server ignores updated_since if status is given.",
        &["pages.filter.articles-together"],
    )
    .request(|request, _| {
        if valid(request, "status").is_some() {
            ignore(request, "updated_since");
        }
    })
    .response(link_as_asked),
    fault(
        "outside.cancelled-unlisted",
        "The list of scheduled posts omits cancelled ones unless filtered by that status.",
        &["jobs.cancel.no-article"],
    )
    .response(|response, request, memory| {
        pages::note(response, request, memory);
        if request.is(Operation::ListScheduledPosts) && filter_in_force(request, memory, "status").is_none() {
            retain_rows(response, |row| row["status"] != "cancelled");
        }
    }),
    fault(
        "outside.finer-bound-cut",
        "The server rounds bounds down to the millisecond.",
        &["leads.filter.finer-bounds"],
    )
    .request(|request, _| misread_times(request, |_, bound| parse_time(&write_time(bound))))
    .response(link_as_asked),
    fault("outside.year-2262", "Bounds beyond 64 bits of nanoseconds overflow.", &["leads.filter.far-bounds"])
        .request(|request, _| {
            misread_times(request, |_, bound| {
                let nanoseconds = bound.timestamp().wrapping_mul(1_000_000_000);
                Some(DateTime::from_timestamp_nanos(nanoseconds.wrapping_add(bound.timestamp_subsec_nanos().into())))
            });
        })
        .response(link_as_asked),
    fault("outside.before-1970", "The server ignores the sign of bounds before 1970.", &["leads.filter.far-bounds"])
        .request(|request, _| {
            misread_times(request, |_, bound| DateTime::from_timestamp_millis(bound.timestamp_millis().abs()));
        })
        .response(link_as_asked),
    fault(
        "outside.token-of-key",
        "The server refuses a page token with another key of the same account.",
        &["pages.token.other-key"],
    )
    .request(|request, memory| {
        let owner = Place::of(request, memory).map(|place| place.key);
        if owner.is_some_and(|owner| request.key() != Some(&owner)) {
            request.set_parameter("page_token", "of-another-key");
        }
    })
    .response(|response, request, memory| pages::note(response, request, memory)),
    fault("outside.websites-first-page", "The list of websites ignores page_token.", &["pages.token.made-up"])
        .request(|request, _| {
            if request.is(Operation::ListWebsites) {
                ignore(request, "page_token");
            }
        })
        .response(link_as_asked),
];

/// Shows a published article as a draft if it was published after its creation.
fn as_created(row: &mut Value) {
    let was_draft = row["status"] == "published"
        && (row["published_at"] != row["created_at"] || row["updated_at"] != row["created_at"]);
    if was_draft {
        row["status"] = json!("draft");
        row["url"] = Value::Null;
        row["published_at"] = Value::Null;
        row["updated_at"] = row["created_at"].clone();
    }
}

fn publishing_no_update(response: &mut Response, request: &Request, memory: &Memory) {
    pages::note(response, request, memory);
    let since = filter_in_force(request, memory, "updated_since").as_deref().and_then(parse_time);
    let Some(since) = since.filter(|_| request.is(Operation::ListArticles)) else { return };
    retain_rows(response, |row| {
        let time = |name: &str| row[name].as_str().and_then(parse_time);
        let published = time("published_at").filter(|_| row["status"] == "published");
        let is_last_change =
            published.zip(time("updated_at")).is_some_and(|(published, updated)| updated - published < PUBLISHING);
        !is_last_change || time("created_at").is_none_or(|created| created >= since)
    });
}

/// Reverses the order within a millisecond, but not the comparison with the last row.
fn ids_upwards(listing: &Listing, rows: &mut Vec<Value>) {
    let key = |row: &Value| (time_of(row), pages::id_of(row).to_owned());
    if let Some(place) = &listing.from {
        rows.retain(|row| key(row) < key(&place.last));
    }
    rows.sort_by_key(|row| (Reverse(time_of(row)), pages::id_of(row).to_owned()));
}

fn empty_values_ignored(request: &mut Request, _: &Memory) {
    for name in TIMES.into_iter().chain(["status"]) {
        if single(request, name).is_some_and(|value| value.is_empty()) {
            request.remove_parameter(name);
        }
    }
}

fn half_hour_cut(text: &str, bound: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let minutes = DateTime::parse_from_rfc3339(text).ok()?.offset().local_minus_utc() / 60 % 60;
    (minutes != 0).then(|| bound + Duration::minutes(minutes.into()))
}

fn fraction_as_millis(text: &str, bound: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let digits: String = text.split_once('.')?.1.chars().take_while(char::is_ascii_digit).collect();
    let milliseconds = digits.parse().ok().filter(|_| digits.len() < 3)?;
    Some(DateTime::from_timestamp(bound.timestamp(), 0)? + Duration::milliseconds(milliseconds))
}

fn reversed_swapped(request: &mut Request, _: &Memory) {
    let [since, until] = ["captured_since", "captured_until"].map(|name| valid(request, name));
    let (Some(since), Some(until)) = (since, until) else { return };
    if parse_time(&since) > parse_time(&until) {
        reread(request, "captured_since", |_| Some(until));
        reread(request, "captured_until", |_| Some(since));
    }
}
