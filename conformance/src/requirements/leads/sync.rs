//! Copies of the leads that are updated with `updated_since`: they miss no lead.

use chrono::Duration;
use serde_json::Value;

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Halt, Requirement, Verdict, demand, ensure};
use crate::steps::leads::{captured, erase};
use crate::steps::lists;
use crate::steps::lists::{List, shows};
use crate::steps::times::{date_of, in_utc, moment};

const CAPTURE: &[Capability] = &[Capability::LEADS, Capability::CAPTURE];

/// Overlap of two runs of a synchronization, in minutes.
const OVERLAP: i64 = 5;

/// Number of leads that are captured before paginating.
const THERE: usize = 3;
/// Number of leads that are captured while paginating.
const MEANWHILE: usize = 2;
/// Maximum number of pages that are read.
const PAGES: usize = 200;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "leads.sync.since-date",
            "A lead that is captured after a page was returned is in the list with updated_since set to that page's Date minus five minutes.",
            &[
                Sentence("Next time set `updated_since` to the remembered `Date` minus five minutes."),
                Sentence("The overlap covers changes that were not yet stored when the first page was answered, and clocks that differ."),
            ],
            since_date,
        )
        .needs(CAPTURE),
        Requirement::new(
            "leads.sync.walk",
            "Paginating with updated_since returns each lead that matched at the start exactly once, while others are captured.",
            &[
                Sentence("An item that matches the filters during the whole walk appears in it exactly once."),
                Sentence("A change does not move an item."),
            ],
            |context: Context, _| async move { walk(&context, Meanwhile::Captured).await },
        )
        .needs(CAPTURE),
        Requirement::new(
            "leads.sync.walk-over-erased",
            "Paginating continues behind a lead that was erased after its page: each of the others is returned exactly once.",
            &[
                Sentence("An item that matches the filters during the whole walk appears in it exactly once."),
                Sentence("To go on, pass `next_page` as `page_token`."),
            ],
            |context: Context, _| async move { walk(&context, Meanwhile::Erased).await },
        )
        .needs(&[Capability::LEADS, Capability::CAPTURE, Capability::ERASING]),
    ]
}

async fn since_date(context: Context, _: Value) -> Verdict {
    let list = List::named("/leads");
    let page = lists::page(&context, list, "limit=1").await?;
    let since = date_of(&page)? - Duration::minutes(OVERLAP);
    let email = format!("{}@example.com", context.fresh("synced"));
    let lead = captured(&context, &email, "Robin Sync", "after the page").await?;
    shows(&context, list, &format!("limit=100&updated_since={}", in_utc(since)), demand::text(&lead, "id")?, true).await
}

/// Event while the list is read.
#[derive(Clone, Copy, PartialEq)]
enum Meanwhile {
    /// Others are captured.
    Captured,
    /// The lead of the last page is erased, once.
    Erased,
}

async fn walk(context: &Context, meanwhile: Meanwhile) -> Verdict {
    let list = List::named("/leads");
    let mut there = Vec::new();
    let mut since = None;
    for number in 0..THERE {
        let email = format!("{number}-{}@example.com", context.fresh("walked"));
        let lead = captured(context, &email, "Robin Walk", "before paginating").await?;
        let updated = moment(&lead, "updated_at")?;
        // The clocks of several machines may differ.
        since = Some(since.map_or(updated, |since| updated.min(since)));
        there.push(demand::text(&lead, "id")?.to_owned());
    }
    let since = since.map(in_utc).unwrap_or_default();
    let query = format!("limit=1&updated_since={since}");
    let mut next = query.clone();
    let mut seen = Vec::new();
    let mut is_complete = false;
    for number in 0..PAGES {
        let page = lists::page(context, list, &next).await?;
        let body = demand::json(&page)?;
        let own: Vec<String> = list.ids(body).into_iter().filter(|id| there.contains(id)).collect();
        let last = own.last().cloned();
        seen.extend(own);
        let Some(token) = lists::next_of(body) else {
            is_complete = true;
            break;
        };
        next = lists::with_token(&query, token);
        if let Some(shown) = last.filter(|_| meanwhile == Meanwhile::Erased && seen.len() == 1) {
            erase(context, &shown).await?;
        }
        if number < MEANWHILE && meanwhile == Meanwhile::Captured {
            let email = format!("{number}-{}@example.com", context.fresh("meanwhile"));
            captured(context, &email, "Robin Meanwhile", "while paginating").await?;
        }
    }
    if !is_complete {
        return Err(Halt::inconclusive(format!("the list did not end within {PAGES} pages")));
    }
    let mut sorted = seen.clone();
    sorted.sort_unstable();
    there.sort_unstable();
    ensure(sorted == there, format!("each of {} once", there.join(", ")), || seen.join(", "))
}
