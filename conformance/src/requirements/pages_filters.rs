//! Filters and defaults of lists that need rows of different kinds.
//!
//! Malformed parameters are in `pages_parameters`, walks in `pages`.

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::requirement::Requirement;
use super::steps;
use super::steps_lists::{self, ARTICLES, List, POSTS};
use super::verdict::{Halt, Verdict, ensure};

const PIPELINE: &[Capability] = &[Capability::Pipeline, Capability::Jobs];
const LISTED: &[Capability] = &[Capability::Articles, Capability::Jobs];
const LEADS: &[Capability] = &[Capability::Leads, Capability::Capture];

/// Jobs that are cancelled, so that some are before they are finished.
const TRIES: usize = 6;

/// Rows of a page when nothing is asked.
const DEFAULT: usize = 20;

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "pages.limit.default",
            "Without limit a page holds at most 20 rows, also of a longer list.",
            "openapi.yaml, Limit",
            default_limit,
        )
        .needs(PIPELINE),
        Requirement::must(
            "pages.filter.updated-since",
            "With updated_since only articles come that changed at or after that moment.",
            "openapi.yaml, list_articles",
            updated_since,
        )
        .needs(LISTED),
        Requirement::must(
            "pages.token.carries-filters",
            "A page token carries the filters of its first page: the token alone goes on with the same rows.",
            "openapi.yaml, PageToken",
            carries_filters,
        )
        .needs(PIPELINE),
        Requirement::must(
            "leads.filter.article",
            "With article_id only leads of that article come; an unknown one gives an empty page.",
            "openapi.yaml, list_leads",
            leads_of_article,
        )
        .needs(LEADS),
    ]
}

async fn default_limit(context: Context, _: Value) -> Verdict {
    steps_lists::ensure_rows(&context, POSTS, DEFAULT + 5).await?;
    let page = steps_lists::page(&context, POSTS, "").await?;
    let count = steps_lists::rows(demand::json(&page)?).len();
    ensure(count <= DEFAULT, format!("at most {DEFAULT} rows"), || count.to_string())
}

async fn updated_since(context: Context, _: Value) -> Verdict {
    steps_lists::ensure_rows(&context, ARTICLES, 1).await?;
    let never = steps_lists::page(&context, ARTICLES, "updated_since=2199-01-01T00%3A00%3A00Z").await?;
    demand::same("items", &json!([]), &demand::json(&never)?["items"])?;
    let always = steps_lists::page(&context, ARTICLES, "limit=1&updated_since=2001-01-01T00%3A00%3A00Z").await?;
    let page = demand::json(&always)?;
    // A page may be empty while another follows.
    let holds = !steps_lists::rows(page).is_empty() || steps_lists::next_of(page).is_some();
    ensure(holds, "an article that changed since 2001", || demand::seen(&always))
}

async fn carries_filters(context: Context, _: Value) -> Verdict {
    // An entry that is not cancelled, with cancelled ones before it.
    steps::written(&context, &steps::quiet_request(&context, "Learning to juggle")).await?;
    for _ in 0..TRIES {
        let queued = context.send(steps::generate(&steps::quiet_request(&context, "Learning to whistle"))).await?;
        demand::success(&queued)?;
        steps::discard(&context, &queued).await?;
    }
    let page = steps_lists::page(&context, POSTS, "limit=1&status=cancelled").await?;
    let Some(token) = steps_lists::next_of(demand::json(&page)?) else {
        return Err(Halt::inconclusive("too few jobs could be cancelled before they were finished"));
    };
    let next = steps_lists::page(&context, POSTS, &steps_lists::with_token("limit=100", token)).await?;
    let other = steps_lists::rows(demand::json(&next)?).iter().find(|row| row["status"] != "cancelled");
    ensure(other.is_none(), "rows with status cancelled only", || other.map_or_else(String::new, demand::brief))
}

async fn leads_of_article(context: Context, _: Value) -> Verdict {
    let list = List::named("/leads");
    steps_lists::ensure_rows(&context, list, 1).await?;
    let page = steps_lists::page(&context, list, "article_id=art_unknown_to_everyone").await?;
    demand::same("items", &json!([]), &demand::json(&page)?["items"])
}
