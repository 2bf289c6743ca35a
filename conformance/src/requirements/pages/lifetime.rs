//! How long a page token is valid. The check moves the target's clock.

use std::time::Duration;

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Cases, Context, Halt, Requirement, Verdict, demand, ensure, ensure_met};
use crate::steps::clock::advance;
use crate::steps::lists::{self, ARTICLES, List, POSTS};

/// Time before the end of the lifetime at which the token is used.
const BEFORE: Duration = Duration::from_mins(5);

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "pages.lifetime.day",
            "Five minutes before its 24 hours end, a page token still gets the page that follows, of articles and of scheduled posts.",
            &[
                Sentence("It is valid for at least 24 hours, for this list and account."),
                Part("/x-limits/page_token_lifetime/minimum"),
            ],
            day,
        )
        .needs(&[Capability::JOBS, Capability::CLOCK, Capability::ARTICLES, Capability::PIPELINE])
        .drawn("the hours of the lifetime", Cases::Exactly(1), |space, _| {
            json!(space.document().limit_number("page_token_lifetime", "minimum"))
        })
        .moving_clock(1),
    ]
}

/// Maximum number of empty pages that are followed.
const MAX_EMPTY: usize = 8;

/// A token, with the first row of its list, which must not come again.
struct Held {
    list: List,
    token: String,
    first: Vec<String>,
}

async fn day(context: Context, case: Value) -> Verdict {
    let mut held = Vec::new();
    for list in [ARTICLES, POSTS] {
        lists::ensure_rows(&context, list, 2).await?;
        let page = lists::page(&context, list, "limit=1").await?;
        let page = demand::json(&page)?;
        if let Some(token) = lists::next_of(page) {
            held.push(Held { list, token: token.to_owned(), first: list.ids(page) });
        }
    }
    ensure_met(!held.is_empty(), "no list has a second page")?;
    let lifetime = Duration::from_hours(case.as_u64().unwrap_or_default());
    advance(&context, lifetime.saturating_sub(BEFORE)).await?;
    for Held { list, token, first } in held {
        let ids = following(&context, list, &token).await?;
        ensure(!ids.is_empty() && ids.iter().all(|id| !first.contains(id)), "the page that follows", || {
            format!("{ids:?} after {first:?}")
        })?;
    }
    Ok(())
}

/// Returns the ids of the page with the token, or of the first one after it that has items: a page may be empty while another follows.
async fn following(context: &Context, list: List, token: &str) -> Result<Vec<String>, Halt> {
    let mut token = token.to_owned();
    for _ in 0..MAX_EMPTY {
        let page = lists::page(context, list, &lists::with_token("", &token)).await?;
        let page = demand::json(&page)?;
        match lists::next_of(page) {
            Some(next) if list.ids(page).is_empty() => next.clone_into(&mut token),
            _ => return Ok(list.ids(page)),
        }
    }
    Err(Halt::inconclusive(format!("{MAX_EMPTY} pages were empty")))
}
