//! Bounds of filters by time that are easily misread: short fractions, far years, more digits than times are told with.
//!
//! Bounds at the very moment are in `leads`, zones in `pages_moments`.

use chrono::{DateTime, Duration, Utc};
use serde_json::Value;

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::leads::captured;
use super::pages_moments::{in_utc, moment};
use super::requirement::Requirement;
use super::steps;
use super::steps_lists::{List, shows};
use super::verdict::{Halt, Verdict};

const LEADS: &[Capability] = &[Capability::Leads, Capability::Capture];
const SOURCE: &str = "RFC 3339, section 5.6; openapi.yaml, list_leads";

/// How often a lead is captured until its time fits.
const TRIES: usize = 5;

pub(super) fn requirements() -> Vec<Requirement> {
    let all = vec![
        Requirement::must(
            "leads.filter.fractions",
            "A fraction of one or two digits is tenths or hundredths of a second: .5 is half a second.",
            SOURCE,
            fractions,
        ),
        Requirement::must(
            "leads.filter.far-bounds",
            "Only leads captured at this time or later, only leads before this time: also when that is centuries away.",
            SOURCE,
            far,
        ),
        // Who keeps finer times than are told may sort a lead on the other side.
        Requirement::must(
            "leads.filter.finer-bounds",
            "A bound half a millisecond after a lead's captured_at is after it.",
            SOURCE,
            finer,
        )
        .should(),
    ];
    all.into_iter().map(|requirement| requirement.needs(LEADS)).collect()
}

/// A lead: its id and when it was captured.
async fn lead(context: &Context) -> Result<(String, DateTime<Utc>), Halt> {
    let email = format!("{}@example.com", context.fresh("bound"));
    let lead = captured(context, &email, "Robin Bound", "just in time").await?;
    Ok((demand::text(&lead, "id")?.to_owned(), moment(&lead, "captured_at")?))
}

/// Whether the lead `id` of the time `at` is in the range that begins, and in the one that ends, with `bound`.
async fn sides(context: &Context, (id, at): (&str, DateTime<Utc>), bound: &str, since: bool) -> Verdict {
    let leads = List::named("/leads");
    let bound = steps::segment(bound);
    // What is captured meanwhile does not push the lead down the list.
    let soon = in_utc(at + Duration::seconds(2));
    shows(context, leads, &format!("limit=100&captured_since={bound}&captured_until={soon}"), id, since).await?;
    shows(context, leads, &format!("limit=100&captured_until={bound}"), id, !since).await
}

async fn fractions(context: Context, _: Value) -> Verdict {
    for _ in 0..TRIES {
        let (id, at) = lead(&context).await?;
        // Later in its second the next tenth belongs to the next second, and has no fraction to misread.
        if !(1..900).contains(&at.timestamp_subsec_millis()) {
            continue;
        }
        for (digits, unit) in [(1, 100), (2, 10)] {
            let before = i64::from(at.timestamp_subsec_millis()) / unit;
            for (number, since) in [(before, true), (before + 1, false)] {
                let is_edge = i64::from(at.timestamp_subsec_millis()) == number * unit;
                let bound = format!("{}.{number:0digits$}Z", at.format("%Y-%m-%dT%H:%M:%S"));
                if !is_edge {
                    sides(&context, (&id, at), &bound, since).await?;
                }
            }
        }
        return Ok(());
    }
    Err(Halt::inconclusive("all leads were captured near the end of a second, or their times have no fraction"))
}

async fn far(context: Context, _: Value) -> Verdict {
    let (id, at) = lead(&context).await?;
    let leads = List::named("/leads");
    let (from, soon) = (in_utc(at), in_utc(at + Duration::seconds(2)));
    let (past, future) = ("1900-01-01T00%3A00%3A00Z", "9999-12-31T23%3A59%3A59Z");
    for (query, expected) in [
        (format!("captured_since={past}&captured_until={soon}"), true),
        (format!("captured_since={from}&captured_until={future}"), true),
        (format!("captured_until={past}"), false),
        (format!("captured_since={future}"), false),
    ] {
        shows(&context, leads, &format!("limit=100&{query}"), &id, expected).await?;
    }
    Ok(())
}

async fn finer(context: Context, _: Value) -> Verdict {
    let (id, at) = lead(&context).await?;
    let bound = format!("{}5Z", at.format("%Y-%m-%dT%H:%M:%S%.3f"));
    sides(&context, (&id, at), &bound, false).await
}
