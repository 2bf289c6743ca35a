//! The header `Link` of a page.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::check::Source::{Sentence, Standard};
use crate::check::{
    Capability, Cases, Context, Exchange, Halt, Requirement, Verdict, demand, ensure, ensure_met, header_fields, link,
};
use crate::steps::lists::{ARTICLES, LISTS, List, POSTS, list_of};
use crate::steps::{self, lists};

const ALL: &[Capability] = &[Capability::ARTICLES, Capability::LEADS, Capability::PIPELINE, Capability::WEBSITES];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "pages.link.next",
            "If there is a next page, Link with rel=\"next\" leads to the same page as next_page.",
            &[
                Sentence(
                    "The `Link` header with `rel=\"next\"` has the address of the next page, with the same filters and limit.",
                ),
                Standard("RFC 8288", "3"),
            ],
            link,
        )
        .drawn("lists to which the check can add items", Cases::Exactly(2), |_, draw| {
            json!([ARTICLES.path, POSTS.path][draw.index() % 2])
        })
        .needs(ALL),
        Requirement::new(
            "pages.link.last",
            "The last page has no Link with rel=\"next\".",
            &[Sentence("Address of the next page with `rel=\"next\"`, if there is one.")],
            last_link,
        )
        .needs(ALL)
        .drawn("every list", Cases::Exactly(4), |_, draw| json!(LISTS[draw.index() % 4].path)),
    ]
}

async fn link(context: Context, case: Value) -> Verdict {
    let list = list_of(&case);
    lists::ensure_rows(&context, list, 3).await?;
    let mut page = lists::page(&context, list, "limit=1").await?;
    // Also from the second page, whose address already has a token.
    for _ in 0..2 {
        page = followed(&context, list, &page).await?;
    }
    Ok(())
}

/// Returns the page after `page`, and demands that its Link leads there too.
async fn followed(context: &Context, list: List, page: &Exchange) -> Result<Arc<Exchange>, Halt> {
    let Some(token) = lists::next_of(demand::json(page)?) else {
        return Err(Halt::inconclusive("the list has too few items"));
    };
    let by_token = lists::page(context, list, &lists::with_token("limit=1", token)).await?;
    let header = demand::header(page, "link")?;
    let links = header_fields::joined(&page.headers, "link");
    let target = link::target(&links, "next").ok_or_else(|| Halt::fail("Link: <…>; rel=\"next\"", header))?;
    let mut request = list.page("");
    request.path = steps::local_path(context, &page.request.path, &target)?;
    let by_link = context.send(request).await?;
    demand::status(&by_link, 200)?;
    let wanted = json!(list.ids(demand::json(&by_token)?));
    demand::same("the items at the address in Link", &wanted, &json!(list.ids(demand::json(&by_link)?)))?;
    Ok(by_token)
}

async fn last_link(context: Context, path: Value) -> Verdict {
    let list = List::named(path.as_str().unwrap_or_default());
    // No website has this id, so the first page is the last one. There are few websites.
    let query = match list.path {
        "/websites" => "limit=100".to_owned(),
        _ => format!("website_id={}", context.fresh("nobody")),
    };
    let page = lists::page(&context, list, &query).await?;
    if lists::next_of(demand::json(&page)?).is_some() {
        return Err(Halt::inconclusive("more pages follow"));
    }
    let links = header_fields::joined(&page.headers, "link");
    let next = link::target(&links, "next");
    ensure(next.is_none(), "no Link with rel=\"next\" on the last page", || links.clone())?;
    // If no page has a Link, its absence on the last page says nothing.
    lists::ensure_rows(&context, list, 2).await?;
    let first = lists::page(&context, list, "limit=1").await?;
    let links = header_fields::joined(&first.headers, "link");
    ensure_met(link::target(&links, "next").is_some(), format!("no page of {} has a Link", list.path))
}
