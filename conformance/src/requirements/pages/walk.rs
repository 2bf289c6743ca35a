//! Walks through lists: nothing twice, nothing missing, also while rows arrive.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::check::{
    About as _, Capability, Cases, Context, Credential, Halt, Requirement, Verdict, demand, ensure, ensure_met,
};
use crate::steps::lists::{LISTS, List, POSTS};
use crate::steps::pages::{list_and_limit, list_of};
use crate::steps::{self, lists};
use crate::strategies::Draw;

const SOURCE: &str = "openapi.yaml, info.description, Paging";

const ALL: &[Capability] = &[Capability::ARTICLES, Capability::LEADS, Capability::PIPELINE, Capability::WEBSITES];

/// Rows that a walk looks at before it stops.
const ROWS: usize = 24;

const PIPELINE_JOBS: &[Capability] = &[Capability::PIPELINE, Capability::JOBS];

/// Rows that are made at the same time.
const AT_ONCE: usize = 8;

/// Rows that a page can hold at most, and one more.
const MORE: usize = 101;

const PIPELINE: &[Capability] = &[Capability::PIPELINE];

const TWO: &[Capability] = &[Capability::PIPELINE, Capability::ISOLATION];

/// Rows of the quiet account that the walks are made over, and the most that are looked at.
const QUIET_ROWS: usize = 12;

const MOST_ROWS: usize = 60;
/// How often the rows are read anew because one arrived meanwhile.
const DISTURBED: usize = 5;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "pages.walk.nothing-lost",
            "Following next_page with any limit gives every row of the list in order: none twice, none missing.",
            SOURCE,
            nothing_lost,
        )
        .drawn("lists and limits", Cases::Divided(4), list_and_limit)
        .shrinks("/limit", |_, case| case["limit"].as_u64().is_some_and(|limit| limit >= 1))
        .needs(ALL),
        Requirement::must(
            "pages.walk.rows-arriving",
            "Following next_page while rows are added neither skips nor repeats the rows that were there before.",
            SOURCE,
            rows_arriving,
        )
        .drawn("limits", Cases::Divided(16), |_, draw| json!(draw.below(4) + 1))
        .needs(ALL),
        Requirement::must(
            "pages.walk.ends",
            "Following next_page ends: the last page has none, and no row appears twice.",
            SOURCE,
            ends,
        )
        .drawn("every list", Cases::Exactly(4), |_, draw| json!(LISTS[draw.index() % 4].path))
        .needs(ALL),
        // Last, when the run has made the rows.
        Requirement::must(
            "pages.walk.beyond-hundred",
            "A page of 100 rows has next_page if the list has more rows.",
            "openapi.yaml, Page",
            beyond,
        )
        .needs(PIPELINE_JOBS)
        .last(),
        Requirement::must(
            "pages.walk.exact-total",
            "Following next_page gives every row once and ends, even if the number of rows is a multiple of limit, or one off.",
            SOURCE,
            exact_total,
        )
        .needs(TWO),
        Requirement::must(
            "pages.walk.same-moment",
            "Rows that were created in the same moment appear once each.",
            SOURCE,
            same_moment,
        )
        .needs(PIPELINE)
        .drawn("limits", Cases::Divided(32), |_, draw: &mut Draw| json!(draw.index() % 4 + 1)),
        Requirement::must(
            "pages.walk.rows-racing",
            "Following next_page while rows are added concurrently neither skips nor repeats the rows that were there before.",
            SOURCE,
            racing,
        )
        .needs(PIPELINE)
        .drawn("limits", Cases::Divided(32), |_, draw: &mut Draw| json!(draw.below(4) + 1)),
    ]
}

fn no_repeats(context: &Context, list: List, ids: &[String]) -> Verdict {
    let mut seen = BTreeSet::new();
    let Some(repeated) = ids.iter().find(|id| !seen.insert(*id)) else {
        return Ok(());
    };
    Err(lists::shown_by_page(context, list, repeated, Halt::fail("every row once", format!("{repeated} twice"))))
}

/// What was walked, without what arrived later, must be the beginning of what was there before.
fn same_rows(context: &Context, list: List, before: &[String], walked: &[String]) -> Verdict {
    no_repeats(context, list, walked)?;
    let old: Vec<&String> = walked.iter().filter(|id| before.contains(id)).collect();
    let expected: Vec<&String> = before.iter().take(old.len()).collect();
    let Some((seen, wanted)) = old.iter().zip(&expected).find(|(seen, wanted)| seen != wanted) else {
        return Ok(());
    };
    let fault = Halt::fail(
        "the rows that were there before, in their order, none missing",
        format!("{seen} where {wanted} should come"),
    );
    Err(lists::shown_by_page(context, list, seen, fault))
}

async fn nothing_lost(context: Context, case: Value) -> Verdict {
    let list = list_of(&case);
    let limit = usize::try_from(case["limit"].as_u64().unwrap_or(1)).unwrap_or(1).max(1);
    lists::ensure_rows(&context, list, 6).await?;
    let whole = lists::page(&context, list, "limit=100").await?;
    let before = list.ids(demand::json(&whole)?);
    let pages = ROWS.div_ceil(limit);
    let (walked, ended) = lists::walk(&context, list, &format!("limit={limit}"), pages).await?;
    same_rows(&context, list, &before, &walked)?;
    let enough = walked.len() >= before.len().min(ROWS) || !ended;
    ensure(enough, format!("{} rows before the walk ends", before.len()), || walked.len().to_string())
}

async fn rows_arriving(context: Context, limit: Value) -> Verdict {
    lists::ensure_rows(&context, POSTS, 10).await?;
    let whole = lists::page(&context, POSTS, "limit=100").await?;
    let before = POSTS.ids(demand::json(&whole)?);
    let query = format!("limit={limit}");
    let mut walked = Vec::new();
    let mut next = query.clone();
    for _ in 0..10 {
        let page = lists::page(&context, POSTS, &next).await?;
        let body = demand::json(&page)?;
        walked.extend(POSTS.ids(body));
        let Some(token) = lists::next_of(body) else {
            break;
        };
        next = lists::with_token(&query, token);
        let queued = context.send(steps::generate(&steps::quiet_request(&context, "A row that arrives"))).await?;
        demand::success(&queued)?;
        steps::discard(&context, &queued).await?;
    }
    same_rows(&context, POSTS, &before, &walked)
}

async fn ends(context: Context, case: Value) -> Verdict {
    let list = list_of(&case);
    let (ids, ended) = lists::walk(&context, list, "limit=100", 60).await?;
    no_repeats(&context, list, &ids)?;
    if ended {
        return ensure_met(!ids.is_empty(), format!("{} has no row to look at", list.path));
    }
    // Pages may be empty before the end, but not for ever.
    let (further, ended) = lists::walk(&context, list, "limit=100", 120).await?;
    let goes_on = ended || further.len() > ids.len();
    ensure(goes_on, "a walk that ends when there are no more rows", || format!("60 more pages after {}", ids.len()))?;
    Err(Halt::inconclusive("the list has more than 60 pages of 100"))
}

/// The ids of the newest 101 rows, or of all there are.
async fn newest(context: &Context, query: &str) -> Result<Vec<String>, Halt> {
    let first = lists::page(context, POSTS, &format!("limit=50&{query}")).await?;
    let body = demand::json(&first)?;
    let mut ids = POSTS.ids(body);
    if let Some(token) = lists::next_of(body) {
        let page = lists::page(context, POSTS, &lists::with_token("limit=51", token)).await?;
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
    let page = lists::page(&context, POSTS, &format!("limit=100&{query}")).await?;
    let body = demand::json(&page)?;
    ensure(lists::next_of(body).is_some(), "next_page on a page of 100 where there are more rows", || {
        format!("none behind {} rows", lists::rows(body).len())
    })
    .about(&page)?;
    let (walked, _) = lists::walk(&context, POSTS, &format!("limit=100&{query}"), 5).await?;
    ensure(walked.contains(last), format!("the row {last} behind the first hundred"), || {
        format!("{} rows without it", walked.len())
    })
}

/// The second account is quiet: few make rows there, so its total is known. Where one of them does so meanwhile, it begins anew.
async fn exact_total(context: Context, _: Value) -> Verdict {
    let there = quiet_walk(&context, 100).await?.len();
    let mut body = steps::quiet_request(&context, "Rows of a quiet account");
    body["website_id"] = json!(context.facts().other_website_id);
    for _ in there..QUIET_ROWS {
        let queued = context.send(steps::generate(&body).by(Credential::Other)).await?;
        demand::success(&queued)?;
        let job_id = demand::text(demand::json(&queued)?, "job_id")?.to_owned();
        context.send(steps::cancel_job(&job_id).by(Credential::Other)).await?;
    }
    let mut all = quiet_walk(&context, 100).await?;
    ensure_met(!all.is_empty(), "the second account shows no row, although some were made")?;
    for _ in 0..DISTURBED {
        if all.len() > MOST_ROWS {
            return Err(Halt::inconclusive(format!("the second account has more than {MOST_ROWS} rows")));
        }
        let Some((limit, walked)) = other_walk(&context, &all).await? else { return Ok(()) };
        let now = quiet_walk(&context, 100).await?;
        ensure(now != all, format!("{} rows in their order with limit {limit}", all.len()), || {
            let repeated = walked.len() - walked.iter().collect::<BTreeSet<_>>().len();
            format!("{} rows, {repeated} of them twice", walked.len())
        })?;
        all = now;
    }
    Err(Halt::inconclusive(format!("rows of the second account arrived in {DISTURBED} tries to walk through them")))
}

/// The first walk, with its limit, that does not give exactly `all`: its limits are divisors of the total, and one off.
async fn other_walk(context: &Context, all: &[String]) -> Result<Option<(usize, Vec<String>)>, Halt> {
    let divisors = (1..=all.len()).filter(|limit| all.len().is_multiple_of(*limit));
    let limits: BTreeSet<usize> =
        divisors.flat_map(|limit| [limit.saturating_sub(1).max(1), limit, limit + 1]).collect();
    for limit in limits {
        let walked = quiet_walk(context, limit).await?;
        if walked != all {
            return Ok(Some((limit, walked)));
        }
    }
    Ok(None)
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
        match lists::next_of(body) {
            Some(token) => next = lists::with_token(&query, token),
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
        let page = lists::page(&context, POSTS, &next).await?;
        let body = demand::json(&page)?;
        for row in lists::rows(body) {
            let id = demand::text(row, "id")?.to_owned();
            ensure(seen.insert(id.clone()), "every row once", || format!("{id} twice"))?;
            missing.remove(row["job_id"].as_str().unwrap_or_default());
        }
        match lists::next_of(body) {
            Some(token) if !missing.is_empty() => next = lists::with_token(&query, token),
            _ => break,
        }
    }
    ensure(missing.is_empty(), "every row of the moment", || format!("{} missing", missing.len()))
}

async fn racing(context: Context, limit: Value) -> Verdict {
    lists::ensure_rows(&context, POSTS, 10).await?;
    let whole = lists::page(&context, POSTS, "limit=100").await?;
    let before = POSTS.ids(demand::json(&whole)?);
    let query = format!("limit={limit}");
    let walk = lists::walk(&context, POSTS, &query, 10);
    let (walked, made) = futures::future::join(walk, burst(&context, 8)).await;
    made?;
    same_rows(&context, POSTS, &before, &walked?.0)
}
