//! Number of items on a page.

use serde_json::Value;

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand, ensure, ensure_met};
use crate::steps::draws::{index_of, list_and_limit, one_of};
use crate::steps::lists::{POSTS, list_of};
use crate::steps::{lists, operations};
use crate::strategies::{Draw, ParameterKind, Space};

const ALL: &[Capability] = &[Capability::ARTICLES, Capability::LEADS, Capability::PIPELINE, Capability::WEBSITES];

const PIPELINE: &[Capability] = &[Capability::PIPELINE, Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "pages.limit.respected",
            "No page has more items than limit, or more than 20 without a limit.",
            &[Sentence("Maximum number of items on the page."), Part("/components/parameters/Limit/schema/default")],
            respected,
        )
        .drawn("lists and limits", Cases::Divided(4), list_and_limit)
        .needs(ALL),
        Requirement::new(
            "pages.limit.default",
            "Without limit a page has at most 20 items, even if the list is longer.",
            &[Sentence("Maximum number of items on the page."), Part("/components/parameters/Limit/schema/default")],
            default_limit,
        )
        .drawn("the default", Cases::Exactly(1), |space, _| default_of(space))
        .needs(PIPELINE),
        Requirement::new(
            "pages.limit.refused",
            "A limit that is not an integer from 1 to 100 gets 422 with the name of the parameter.",
            &[
                Part("/components/parameters/Limit/schema"),
                Sentence("Other values are refused with 422."),
                Sentence(
                    "An integer is written in the digits 0 to 9, without fraction and exponent: `1200`, never `1200.0` or `1.2e3`.",
                ),
            ],
            bad_limit,
        )
        .drawn("bad limits for every list", Cases::Listed(|space| refused(space).len()), |space, draw: &mut Draw| {
            one_of(&refused(space), draw)
        })
        .needs(ALL),
        Requirement::new(
            "pages.limit.edges",
            "The limits 1 and 100 are accepted.",
            &[Part("/components/parameters/Limit/schema/minimum"), Part("/components/parameters/Limit/schema/maximum")],
            edges,
        )
        .drawn("limits at the edges for every list", Cases::Listed(|space| taken(space).len()), |space, draw| {
            one_of(&taken(space), draw)
        })
        .needs(ALL),
    ]
}

fn taken(space: &Space) -> Vec<Value> {
    space.parameters_taken(ParameterKind::Number)
}

fn refused(space: &Space) -> Vec<Value> {
    space.parameters_refused(ParameterKind::Number)
}

/// Returns the default limit of the list of scheduled posts.
fn default_of(space: &Space) -> Value {
    let operation = space.document().operation(POSTS.operation);
    let limit = operation.and_then(|operation| operation.parameter("query", "limit"));
    limit.map(|limit| limit.schema["default"].clone()).unwrap_or_default()
}

async fn respected(context: Context, case: Value) -> Verdict {
    let list = list_of(&case);
    lists::ensure_rows(&context, list, 4).await?;
    let limit = case["limit"].as_u64().unwrap_or(1);
    let usual = case["default"].as_u64().unwrap_or(limit);
    for (query, maximum) in [(format!("limit={limit}"), limit), (String::new(), usual)] {
        let page = lists::page(&context, list, &query).await?;
        let count = lists::rows(demand::json(&page)?).len() as u64;
        ensure(count <= maximum, format!("at most {maximum} items"), || count.to_string())?;
    }
    Ok(())
}

async fn default_limit(context: Context, default: Value) -> Verdict {
    let default = index_of(&default);
    lists::ensure_rows(&context, POSTS, default + 5).await?;
    let page = lists::page(&context, POSTS, "").await?;
    let count = lists::rows(demand::json(&page)?).len();
    ensure(count <= default, format!("at most {default} items"), || count.to_string())?;
    ensure_met(lists::next_of(demand::json(&page)?).is_some(), "the list is not longer than one page")
}

async fn bad_limit(context: Context, case: Value) -> Verdict {
    operations::parameter_refused(&context, &case).await
}

async fn edges(context: Context, case: Value) -> Verdict {
    operations::parameter_taken(&context, &case).await.map(|_| ())
}
