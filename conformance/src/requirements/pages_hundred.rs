//! Lists of more rows than the largest page holds.
//!
//! Walks with smaller pages are in `pages`.

use serde_json::Value;

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::requirement::{Pace, Requirement};
use super::steps;
use super::steps_lists::{self, POSTS};
use super::verdict::{About as _, Halt, Verdict, ensure};

const PIPELINE: &[Capability] = &[Capability::Pipeline, Capability::Jobs];

/// Rows that are made at the same time.
const AT_ONCE: usize = 8;
/// Rows that a page can hold at most, and one more.
const MORE: usize = 101;

pub(super) fn requirements() -> Vec<Requirement> {
    let mut beyond = Requirement::must(
        "pages.walk.beyond-hundred",
        "Only the absence of next_page ends the walk: a page of 100 has one where there are more rows.",
        "openapi.yaml, Page",
        beyond,
    )
    .needs(PIPELINE);
    // By then the run has made the rows.
    beyond.pace = Pace::Last;
    vec![beyond]
}

/// The ids of the newest 101 rows, or of all there are.
async fn newest(context: &Context, query: &str) -> Result<Vec<String>, Halt> {
    let first = steps_lists::page(context, POSTS, &format!("limit=50&{query}")).await?;
    let body = demand::json(&first)?;
    let mut ids = POSTS.ids(body);
    if let Some(token) = steps_lists::next_of(body) {
        let page = steps_lists::page(context, POSTS, &steps_lists::with_token("limit=51", token)).await?;
        ids.extend(POSTS.ids(demand::json(&page)?));
    }
    Ok(ids)
}

/// Makes as many entries as are missing, and needs none of their articles.
async fn fill(context: &Context, there: usize) -> Verdict {
    let body = steps::quiet_request(context, "One more row than fits");
    for _ in 0..MORE.saturating_sub(there).div_ceil(AT_ONCE) {
        let queued = (0..AT_ONCE).map(|_| context.send(steps::generate(&body)));
        for queued in futures::future::try_join_all(queued).await? {
            demand::success(&queued)?;
            steps::discard(context, &queued).await?;
        }
    }
    Ok(())
}

async fn beyond(context: Context, _: Value) -> Verdict {
    let query = format!("website_id={}", steps::segment(&context.facts().website_id));
    fill(&context, newest(&context, &query).await?.len()).await?;
    let ids = newest(&context, &query).await?;
    let Some(last) = ids.get(MORE - 1) else {
        return Err(Halt::inconclusive("two pages together have no 101 rows"));
    };
    let page = steps_lists::page(&context, POSTS, &format!("limit=100&{query}")).await?;
    let body = demand::json(&page)?;
    ensure(steps_lists::next_of(body).is_some(), "next_page on a page of 100 where there are more rows", || {
        format!("none behind {} rows", steps_lists::rows(body).len())
    })
    .about(&page)?;
    let (walked, _) = steps_lists::walk(&context, POSTS, &format!("limit=100&{query}"), 5).await?;
    ensure(walked.contains(last), format!("the row {last} behind the first hundred"), || {
        format!("{} rows without it", walked.len())
    })
}
