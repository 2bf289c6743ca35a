//! A copy of the leads that is kept by `updated_since` misses nothing.

use chrono::Duration;
use serde_json::Value;

use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure};
use crate::steps::leads::captured;
use crate::steps::lists;
use crate::steps::lists::{List, shows};
use crate::steps::moments::{in_utc, moment};
use crate::steps::times::date_of;

const CAPTURE: &[Capability] = &[Capability::LEADS, Capability::CAPTURE];

const SOURCE: &str = "openapi.yaml, info.description, Keeping a copy in sync";

/// Overlap of two walks, in minutes.
const OVERLAP: i64 = 5;

/// Leads that are there before the walk, leads that are captured during it, and pages that are read at most.
const THERE: usize = 3;
const MEANWHILE: usize = 2;
const PAGES: usize = 200;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "leads.sync.since-date",
            "A lead that is captured after a page was answered is shown by updated_since with that page's Date minus five minutes.",
            SOURCE,
            since_date,
        )
        .needs(CAPTURE),
        Requirement::must(
            "leads.sync.walk",
            "A walk with updated_since shows each lead that matched before it exactly once, while others are captured.",
            SOURCE,
            walk,
        )
        .needs(CAPTURE),
    ]
}

async fn since_date(context: Context, _: Value) -> Verdict {
    let list = List::named("/leads");
    let page = lists::page(&context, list, "limit=1").await?;
    let since = date_of(&page)? - Duration::minutes(OVERLAP);
    let email = format!("{}@example.com", context.fresh("synced"));
    let lead = captured(&context, &email, "Robin Sync", "after the walk").await?;
    shows(&context, list, &format!("limit=100&updated_since={}", in_utc(since)), demand::text(&lead, "id")?, true).await
}

async fn walk(context: Context, _: Value) -> Verdict {
    let list = List::named("/leads");
    let mut there = Vec::new();
    let mut since = None;
    for number in 0..THERE {
        let email = format!("{number}-{}@example.com", context.fresh("walked"));
        let lead = captured(&context, &email, "Robin Walk", "before the walk").await?;
        since = since.or(Some(moment(&lead, "updated_at")?));
        there.push(demand::text(&lead, "id")?.to_owned());
    }
    let since = since.map(in_utc).unwrap_or_default();
    let query = format!("limit=1&updated_since={since}");
    let mut next = query.clone();
    let mut seen = Vec::new();
    for number in 0..PAGES {
        let page = lists::page(&context, list, &next).await?;
        let body = demand::json(&page)?;
        seen.extend(list.ids(body).into_iter().filter(|id| there.contains(id)));
        let Some(token) = lists::next_of(body) else { break };
        next = lists::with_token(&query, token);
        if number < MEANWHILE {
            let email = format!("{number}-{}@example.com", context.fresh("meanwhile"));
            captured(&context, &email, "Robin Meanwhile", "during the walk").await?;
        }
    }
    let mut sorted = seen.clone();
    sorted.sort_unstable();
    there.sort_unstable();
    ensure(sorted == there, format!("each of {} once", there.join(", ")), || seen.join(", "))
}
