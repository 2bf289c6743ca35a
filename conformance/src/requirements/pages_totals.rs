//! Walks at the edges: totals that are a multiple of the limit, rows of the same moment, rows that arrive meanwhile.
//!
//! Walks of any limit are in `pages`.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::exchange::Credential;
use super::pages::same_rows;
use super::requirement::{Cases, Requirement};
use super::steps;
use super::steps_lists::{self, POSTS};
use super::verdict::{Halt, Verdict, ensure};
use crate::strategies::Draw;

const PIPELINE: &[Capability] = &[Capability::Pipeline];
const TWO: &[Capability] = &[Capability::Pipeline, Capability::Isolation];
const SOURCE: &str = "openapi.yaml, info.description, Paging";

/// Rows of the quiet account that the walks are made over, and the most that are looked at.
const ROWS: usize = 12;
const MOST_ROWS: usize = 60;

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "pages.walk.exact-total",
            "A walk gives every row once and ends, also where the total is a multiple of the limit or one off.",
            SOURCE,
            exact_total,
        )
        .needs(TWO),
        Requirement::must(
            "pages.walk.same-moment",
            "Rows that were made in the same moment come once each.",
            SOURCE,
            same_moment,
        )
        .needs(PIPELINE)
        .drawn("limits", Cases::Divided(32), |_, draw: &mut Draw| json!(draw.index() % 4 + 1)),
        Requirement::must(
            "pages.walk.rows-racing",
            "A walk beside which rows are made at the same time neither skips nor repeats what was there before.",
            SOURCE,
            racing,
        )
        .needs(PIPELINE)
        .drawn("limits", Cases::Divided(32), |_, draw: &mut Draw| json!(draw.below(4) + 1)),
    ]
}

/// The second account is quiet: nobody else makes rows there, so its total is known.
async fn exact_total(context: Context, _: Value) -> Verdict {
    let all = quiet_walk(&context, 100).await?;
    let mut body = steps::quiet_request(&context, "Rows of a quiet account");
    body["website_id"] = json!(context.facts().other_website_id);
    for _ in all.len()..ROWS {
        let queued = context.send(steps::generate(&body).by(Credential::Other)).await?;
        demand::success(&queued)?;
        let job_id = demand::text(demand::json(&queued)?, "job_id")?.to_owned();
        context.send(steps::cancel_job(&job_id).by(Credential::Other)).await?;
    }
    let all = quiet_walk(&context, 100).await?;
    if all.len() > MOST_ROWS {
        return Err(Halt::inconclusive(format!("the second account has more than {MOST_ROWS} rows")));
    }
    let divisors = (1..=all.len()).filter(|limit| all.len().is_multiple_of(*limit));
    let limits: BTreeSet<usize> =
        divisors.flat_map(|limit| [limit.saturating_sub(1).max(1), limit, limit + 1]).collect();
    for limit in limits {
        let walked = quiet_walk(&context, limit).await?;
        ensure(walked == all, format!("{} rows in their order with limit {limit}", all.len()), || {
            let repeated = walked.len() - walked.iter().collect::<BTreeSet<_>>().len();
            format!("{} rows, {repeated} of them twice", walked.len())
        })?;
    }
    Ok(())
}

async fn quiet_walk(context: &Context, limit: usize) -> Result<Vec<String>, Halt> {
    let query = format!("limit={limit}");
    let mut next = query.clone();
    let mut ids = Vec::new();
    // Empty pages are allowed, pages without an end are not.
    for _ in 0..2 * MOST_ROWS + 4 {
        let page = context.send(POSTS.page(&next).by(Credential::Other)).await?;
        demand::status(&page, 200)?;
        let body = demand::json(&page)?;
        ids.extend(POSTS.ids(body));
        match steps_lists::next_of(body) {
            Some(token) => next = steps_lists::with_token(&query, token),
            None => return Ok(ids),
        }
    }
    Err(Halt::fail("a walk that ends", format!("{} rows and still a next_page, with limit {limit}", ids.len())))
}

/// Makes `count` rows at once; their jobs' ids.
async fn burst(context: &Context, count: usize) -> Result<BTreeSet<String>, Halt> {
    let body = steps::quiet_request(context, "Rows of one moment");
    let calls = (0..count).map(|_| async {
        let queued = context.send(steps::generate(&body)).await?;
        demand::success(&queued)?;
        steps::discard(context, &queued).await?;
        Ok::<_, Halt>(demand::text(demand::json(&queued)?, "job_id")?.to_owned())
    });
    futures::future::try_join_all(calls).await.map(|ids| ids.into_iter().collect())
}

async fn same_moment(context: Context, limit: Value) -> Verdict {
    let mut missing = burst(&context, 24).await?;
    let query = format!("limit={limit}&website_id={}", steps::segment(&context.facts().website_id));
    let mut next = query.clone();
    let mut seen = BTreeSet::new();
    // Rows of other checks may have come in between.
    for _ in 0..400 {
        let page = steps_lists::page(&context, POSTS, &next).await?;
        let body = demand::json(&page)?;
        for row in steps_lists::rows(body) {
            let id = demand::text(row, "id")?.to_owned();
            ensure(seen.insert(id.clone()), "every row once", || format!("{id} twice"))?;
            missing.remove(row["job_id"].as_str().unwrap_or_default());
        }
        match steps_lists::next_of(body) {
            Some(token) if !missing.is_empty() => next = steps_lists::with_token(&query, token),
            _ => break,
        }
    }
    ensure(missing.is_empty(), "every row of the moment", || format!("{} missing", missing.len()))
}

async fn racing(context: Context, limit: Value) -> Verdict {
    steps_lists::ensure_rows(&context, POSTS, 10).await?;
    let whole = steps_lists::page(&context, POSTS, "limit=100").await?;
    let before = POSTS.ids(demand::json(&whole)?);
    let query = format!("limit={limit}");
    let walk = steps_lists::walk(&context, POSTS, &query, 10);
    let (walked, made) = futures::future::join(walk, burst(&context, 8)).await;
    made?;
    same_rows(&context, POSTS, &before, &walked?.0)
}
