//! Walks through all pages of a list: no item twice, none missing, also while items are added.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{
    About as _, Capability, Cases, Context, Credential, Halt, Requirement, Source, Verdict, demand, ensure, ensure_met,
};
use crate::steps::draws::list_and_limit;
use crate::steps::lists::{LISTS, List, POSTS, list_of};
use crate::steps::{self, lists};
use crate::strategies::Draw;

/// The order of a walk.
const ORDER: Source = Sentence(
    "All lists have a fixed order: newest first by `created_at` or `captured_at`, then by `id`, both descending.",
);

const GO_ON: Source = Sentence("To go on, pass `next_page` as `page_token`.");

const END: Source = Sentence("The list ends when `next_page` is absent or `null`.");

/// The items of a walk.
const ONCE: Source = Sentence("An item that matches the filters during the whole walk appears in it exactly once.");

const WALK: &[Source] = &[ORDER, GO_ON, END, ONCE];

const WALK_OF_POSTS: &[Source] = &[
    ORDER,
    GO_ON,
    ONCE,
    Sentence("A change does not move an item."),
    Sentence("The scheduled posts, newest first by creation, then by id."),
];

const ALL: &[Capability] = &[Capability::ARTICLES, Capability::LEADS, Capability::PIPELINE, Capability::WEBSITES];

/// Number of items after which a walk stops.
const ROWS: usize = 24;

/// Maximum number of pages of a walk to the end. A page may be short or empty.
const MOST_PAGES: usize = 200;

const PIPELINE_JOBS: &[Capability] = &[Capability::PIPELINE, Capability::JOBS];

/// Number of scheduled posts that are made concurrently.
const AT_ONCE: usize = 8;

/// Maximum number of items on a page, plus one.
const MORE: usize = 101;

const PIPELINE: &[Capability] = &[Capability::PIPELINE];

const TWO: &[Capability] = &[Capability::PIPELINE, Capability::ISOLATION];

/// Minimum and maximum number of scheduled posts in the quiet account for the walks.
const QUIET_ROWS: usize = 12;

const MOST_ROWS: usize = 60;
/// Maximum number of times to start again because an item was added meanwhile.
const DISTURBED: usize = 5;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "pages.walk.nothing-lost",
            "Following next_page with any limit gives every item of the list in order: none twice, none missing.",
            WALK,
            nothing_lost,
        )
        .drawn("lists and limits", Cases::Divided(4), list_and_limit)
        .needs(ALL),
        Requirement::new(
            "pages.walk.rows-arriving",
            "Following next_page while items are added neither skips nor repeats the earlier items.",
            WALK_OF_POSTS,
            rows_arriving,
        )
        .drawn("limits", Cases::Divided(16), |_, draw| json!(draw.below(4) + 1))
        .needs(ALL),
        Requirement::new(
            "pages.walk.ends",
            "Following next_page ends: the last page has none, and no item appears twice.",
            WALK,
            ends,
        )
        .drawn("every list", Cases::Exactly(4), |_, draw| json!(LISTS[draw.index() % 4].path))
        .needs(ALL),
        // Runs last, when the run has made many scheduled posts.
        Requirement::new(
            "pages.walk.beyond-hundred",
            "A page of 100 items has next_page if the list has more items, and the walk comes to them.",
            &[END, ONCE],
            beyond,
        )
        .needs(PIPELINE_JOBS)
        .last(),
        Requirement::new(
            "pages.walk.exact-total",
            "Following next_page gives every item once and ends, even if their number is a multiple of limit, or one off.",
            WALK,
            exact_total,
        )
        .needs(TWO),
        Requirement::new(
            "pages.walk.same-moment",
            "Items that were created at the same moment appear once each.",
            WALK_OF_POSTS,
            same_moment,
        )
        .needs(PIPELINE)
        .drawn("limits", Cases::Divided(32), |_, draw: &mut Draw| json!((draw.index() + 1) % 4 + 1)),
        Requirement::new(
            "pages.walk.rows-racing",
            "Following next_page while items are added concurrently neither skips nor repeats the earlier items.",
            WALK_OF_POSTS,
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
    Err(lists::shown_by_page(context, list, repeated, Halt::fail("every item once", format!("{repeated} twice"))))
}

/// Demands that the walk, without items that were added later, is the beginning of the earlier list.
async fn same_rows(context: &Context, list: List, before: &[String], walked: &[String]) -> Verdict {
    no_repeats(context, list, walked)?;
    let old: Vec<&String> = walked.iter().filter(|id| before.contains(id)).collect();
    let expected: Vec<&String> = before.iter().take(old.len()).collect();
    let Some((seen, wanted)) = old.iter().zip(&expected).find(|(seen, wanted)| seen != wanted) else {
        return Ok(());
    };
    let fault =
        Halt::fail("the earlier items in their order, none missing", format!("{seen} where {wanted} should come"));
    let fault = lists::shown_by_page(context, list, seen, fault);
    is_still_there(context, list, wanted).await?;
    Err(fault)
}

/// Makes sure that a missing item was not erased meanwhile.
async fn is_still_there(context: &Context, list: List, id: &str) -> Verdict {
    let request = match list.path {
        "/articles" => steps::get_article(id),
        "/leads" => steps::get_lead(id),
        "/scheduled_posts" => steps::get_scheduled_post(id),
        // No operation erases a website or reads a single one.
        _ => return Ok(()),
    };
    if context.send(request).await?.status == 404 {
        return Err(Halt::inconclusive(format!("{id} was listed before the walk and is gone now")));
    }
    Ok(())
}

async fn nothing_lost(context: Context, case: Value) -> Verdict {
    let list = list_of(&case);
    let limit = usize::try_from(case["limit"].as_u64().unwrap_or(1)).unwrap_or(1).max(1);
    lists::ensure_rows(&context, list, 6).await?;
    let whole = lists::page(&context, list, "limit=100").await?;
    let before = list.ids(demand::json(&whole)?);
    let pages = ROWS.div_ceil(limit);
    let (walked, ended) = lists::walk(&context, list, &format!("limit={limit}"), pages, |_| false).await?;
    same_rows(&context, list, &before, &walked).await?;
    let Some(missing) = before.iter().take(ROWS).find(|id| ended && !walked.contains(id)) else { return Ok(()) };
    is_still_there(&context, list, missing).await?;
    Err(Halt::fail(
        format!("{} items before the walk ends", before.len()),
        format!("{} without {missing}", walked.len()),
    ))
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
    same_rows(&context, POSTS, &before, &walked).await
}

async fn ends(context: Context, case: Value) -> Verdict {
    const QUERY: &str = "limit=100";
    let list = list_of(&case);
    let (mut ids, mut last) = (Vec::new(), None::<String>);
    for _ in 0..MOST_PAGES {
        let query = last.as_deref().map_or_else(|| QUERY.to_owned(), |token| lists::with_token(QUERY, token));
        let page = lists::page(&context, list, &query).await?;
        let body = demand::json(&page)?;
        ids.extend(list.ids(body));
        let Some(token) = lists::next_of(body) else {
            no_repeats(&context, list, &ids)?;
            return ensure_met(!ids.is_empty(), format!("{} has no item to check", list.path));
        };
        ensure(last.as_deref() != Some(token), "a next_page that leads to another page", || {
            format!("the token of the page itself, after {} items", ids.len())
        })
        .about(&page)?;
        last = Some(token.to_owned());
    }
    no_repeats(&context, list, &ids)?;
    Err(Halt::inconclusive(format!("the list has more than {MOST_PAGES} pages of 100")))
}

/// Returns the ids of the newest 101 scheduled posts, or of all if there are fewer.
async fn newest(context: &Context, query: &str) -> Result<Vec<String>, Halt> {
    let query = format!("limit=50&{query}");
    let (mut ids, _) = lists::walk(context, POSTS, &query, MOST_PAGES, |ids| ids.len() >= MORE).await?;
    ids.truncate(MORE);
    Ok(ids)
}

/// Makes the missing scheduled posts and cancels their jobs.
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
        return Err(Halt::inconclusive(format!("the list has fewer than {MORE} items")));
    };
    let page = lists::page(&context, POSTS, &format!("limit=100&{query}")).await?;
    let body = demand::json(&page)?;
    ensure(lists::next_of(body).is_some(), "next_page on a page of 100 if there are more items", || {
        format!("none after {} items", lists::rows(body).len())
    })
    .about(&page)?;
    let query = format!("limit=100&{query}");
    let (walked, ended) = lists::walk(&context, POSTS, &query, MOST_PAGES, |ids| ids.contains(last)).await?;
    if !ended && !walked.contains(last) {
        return Err(Halt::inconclusive(format!("the list has more than {MOST_PAGES} pages")));
    }
    ensure(walked.contains(last), format!("the item {last} after the first hundred"), || {
        format!("{} items without it", walked.len())
    })
}

/// Walks through the scheduled posts of the second account: few are added there, so their number is known. Starts again if one is
/// added meanwhile.
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
    ensure_met(!all.is_empty(), "the second account has no scheduled post, although some were made")?;
    for _ in 0..DISTURBED {
        if all.len() > MOST_ROWS {
            return Err(Halt::inconclusive(format!("the second account has more than {MOST_ROWS} scheduled posts")));
        }
        let Some((limit, walked)) = other_walk(&context, &all).await? else { return Ok(()) };
        let now = quiet_walk(&context, 100).await?;
        ensure(now != all, format!("{} items in their order with limit {limit}", all.len()), || {
            let repeated = walked.len() - walked.iter().collect::<BTreeSet<_>>().len();
            format!("{} items, {repeated} of them twice", walked.len())
        })?;
        all = now;
    }
    Err(Halt::inconclusive(format!("in each of {DISTURBED} tries, scheduled posts were added to the second account")))
}

/// Returns the first walk, with its limit, that does not give exactly `all`. The limits are divisors of the total, and one off.
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
    // Empty pages are allowed, but the walk must end.
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
    Err(Halt::inconclusive(format!("{} items and still a next_page, with limit {limit}", ids.len())))
}

/// Makes `count` scheduled posts concurrently and returns the ids of their jobs.
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
    let own = format!("website_id={}", steps::segment(&context.facts().website_id));
    let page = lists::page(&context, POSTS, &format!("limit=100&{own}")).await?;
    let earlier = POSTS.ids(demand::json(&page)?);
    let mut missing = burst(&context, 24).await?;
    let query = format!("limit={limit}&{own}");
    let mut next = query.clone();
    let mut seen = BTreeSet::new();
    // Other checks may have added items in between.
    for _ in 0..400 {
        let page = lists::page(&context, POSTS, &next).await?;
        let body = demand::json(&page)?;
        for row in lists::rows(body) {
            let id = demand::text(row, "id")?.to_owned();
            ensure(seen.insert(id.clone()), "every item once", || format!("{id} twice"))?;
            missing.remove(row["job_id"].as_str().unwrap_or_default());
        }
        match lists::next_of(body) {
            Some(token) if !missing.is_empty() => next = lists::with_token(&query, token),
            _ => {
                return ensure(missing.is_empty(), "every item of the moment", || format!("{} missing", missing.len()));
            }
        }
    }
    // The items of the moment come before the earlier ones.
    ensure(!earlier.iter().any(|id| seen.contains(id)), "every item of the moment", || {
        format!("{} missing", missing.len())
    })?;
    Err(Halt::inconclusive("the list has more than 400 pages"))
}

async fn racing(context: Context, limit: Value) -> Verdict {
    lists::ensure_rows(&context, POSTS, 10).await?;
    let whole = lists::page(&context, POSTS, "limit=100").await?;
    let before = POSTS.ids(demand::json(&whole)?);
    let query = format!("limit={limit}");
    let walk = lists::walk(&context, POSTS, &query, 10, |_| false);
    let (walked, made) = futures::future::join(walk, burst(&context, 8)).await;
    made?;
    same_rows(&context, POSTS, &before, &walked?.0).await
}
