//! HEAD gets the same response as GET, without a body.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence, Standard};
use crate::check::{
    About as _, Capability, Cases, Context, Exchange, Halt, Request, Requirement, Source, Verdict, demand, ensure,
    header_fields,
};
use crate::steps::draws::index_of;
use crate::steps::lists::{List, POSTS};
use crate::steps::{self, control, leads, lists};

const JOBS: &[Capability] = &[Capability::JOBS];

const RECORDS: &[Capability] = &[Capability::JOBS, Capability::LEADS, Capability::CAPTURE, Capability::PIPELINE];

const LIKE_GET: Source =
    Sentence("Every GET resource also answers HEAD, with the same status, `Content-Type`, `ETag` and `Cache-Control`.");

const HEAD: &[Source] = &[LIKE_GET, Standard("RFC 9110", "9.3.2")];

/// Maximum number of HEAD requests, each between two GET requests, until the two agree.
const TRIES: usize = 5;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "http.head.records",
            "HEAD of an article, a lead, a scheduled post and a page has the same headers as GET: Content-Type, ETag, Last-Modified, Cache-Control, and Link if there is a next page.",
            HEAD,
            records,
        )
        .should()
        .needs(RECORDS),
        Requirement::new(
            "http.head.conditional",
            "The response to HEAD with the current ETag in If-None-Match is 304, as to GET.",
            &[
                LIKE_GET,
                Sentence("If the copy is still current, the response is 304 without a body."),
                Standard("RFC 9110", "13.1.2"),
            ],
            conditional,
        )
        .needs(JOBS),
        Requirement::new(
            "http.head.not-for-post",
            "The response to HEAD of a path without GET is 405 with Allow.",
            &[
                Part("/x-problem-codes/method_not_allowed/status"),
                Sentence("The path does not support this method."),
                Sentence("`Allow` lists those that it supports."),
                Standard("RFC 9110", "15.5.6"),
            ],
            not_for_post,
        )
        .drawn("paths with POST only", Cases::Exactly(2), |_, draw| json!(draw.index() % 2)),
        Requirement::new(
            "http.head.like-get",
            "The response to HEAD has the status and the headers Content-Type, ETag and Cache-Control of GET, and no body.",
            HEAD,
            every_get,
        )
        .drawn("every path with GET", Cases::Exactly(9), |_, draw| json!(draw.index())),
    ]
}

fn head(path: &str) -> Request {
    Request::outside("HEAD", path)
}

/// Returns the status of a response and its headers with these names. Replaces the value of `link` by a constant.
fn described(exchange: &Exchange, names: &[&str]) -> Vec<Value> {
    // Letter case and spaces make no difference in these.
    let plain = |value: &str| value.to_ascii_lowercase().replace(' ', "");
    let header = |name: &&str| match *name {
        "link" => json!(exchange.header("link").map(|_| "one")),
        "content-type" | "cache-control" => json!(exchange.header(name).map(plain)),
        name => json!(exchange.header(name)),
    };
    [json!(exchange.status)].into_iter().chain(names.iter().map(header)).collect()
}

/// Demands that HEAD agrees with the GET before or after it. Returns nothing if it agrees with neither because the resource changed.
fn alike(before: &Exchange, head: &Exchange, after: &Exchange, names: &[&str]) -> Option<Verdict> {
    let [first, own, second] = [before, head, after].map(|exchange| described(exchange, names));
    if own == first || own == second {
        return Some(Ok(()));
    }
    if first != second {
        return None;
    }
    let differs = |((name, wanted), seen): ((&str, &Value), &Value)| {
        demand::same(&format!("{name} of HEAD {}", head.request.path), wanted, seen).about(head)
    };
    let names = std::iter::once("status").chain(names.iter().copied());
    Some(names.zip(&first).zip(&own).try_for_each(differs))
}

/// Sends HEAD for the request of `before`, and GET again: other requirements may change a list in between.
async fn like_get(context: &Context, before: &Arc<Exchange>, names: &[&str]) -> Verdict {
    let mut before = Arc::clone(before);
    for _ in 0..TRIES {
        let head = context.send(head(&before.request.path)).await?;
        ensure(head.body.is_empty(), "no body", || format!("{} bytes", head.body.len()))?;
        let after = context.send(before.request.clone()).await?;
        if let Some(verdict) = alike(&before, &head, &after, names) {
            return verdict;
        }
        before = after;
    }
    Err(Halt::inconclusive(format!("{} changed between any two requests", before.request.path)))
}

async fn records(context: Context, _: Value) -> Verdict {
    let (_, article) = steps::some_article(&context).await?;
    like_get(&context, &article, &["content-type", "etag", "last-modified", "cache-control"]).await?;
    // Captures two leads, so that a page with one item has a next page.
    let email = || format!("{}@example.com", context.fresh("head"));
    leads::captured(&context, &email(), "Robin Foot", "the other end").await?;
    let lead = leads::captured(&context, &email(), "Robin Head", "only the head").await?;
    let lead = context.send(steps::get_lead(demand::text(&lead, "id")?)).await?;
    like_get(&context, &lead, &["content-type", "cache-control"]).await?;
    lists::ensure_rows(&context, POSTS, 1).await?;
    let posts = lists::page(&context, POSTS, "limit=1").await?;
    if let Some(id) = demand::json(&posts)?.pointer("/items/0/id").and_then(Value::as_str) {
        let entry = context.send(steps::get_scheduled_post(id)).await?;
        demand::status(&entry, 200)?;
        like_get(&context, &entry, &["content-type", "cache-control"]).await?;
    }
    let page = context.send(Request::new("list_leads", "GET", "/leads?limit=1")).await?;
    like_get(&context, &page, &["content-type", "cache-control", "link"]).await
}

async fn conditional(context: Context, _: Value) -> Verdict {
    let (_, article) = steps::some_article(&context).await?;
    let tag = demand::header(&article, "etag")?;
    let exchange = context.send(head(&article.request.path).header("if-none-match", tag)).await?;
    demand::status(&exchange, 304)
}

async fn not_for_post(context: Context, case: Value) -> Verdict {
    let path = if case == 0 { "/api/v1/generate" } else { "/api/v1/jobs/job_x/cancel" };
    let exchange = context.send(head(path)).await?;
    demand::status(&exchange, 405)?;
    demand::header(&exchange, "allow")?;
    let allow = header_fields::joined(&exchange.headers, "allow");
    let listed = header_fields::elements(&allow);
    ensure(listed.contains(&"POST") && !listed.contains(&"HEAD"), "Allow with POST and without HEAD", || {
        allow.clone()
    })?;
    control::let_through(&context, Request::outside("POST", path), &[405]).await
}

async fn every_get(context: Context, case: Value) -> Verdict {
    let paths = [
        "/websites",
        "/articles?limit=1",
        "/leads?limit=1",
        "/scheduled_posts?limit=1",
        "/jobs/job_x",
        "/articles/art_x",
        "/scheduled_posts/post_x",
    ];
    let request = match paths.get(index_of(&case)) {
        Some(path) => Request::outside("GET", &format!("/api/v1{path}")),
        None if index_of(&case) == paths.len() => newest_lead(&context).await?,
        None => finished_job(&context).await?,
    };
    let get = context.send(request.detached()).await?;
    like_get(&context, &get, &["content-type", "etag", "cache-control"]).await
}

/// Returns a request for the newest lead, or for a made-up id if the list is empty.
async fn newest_lead(context: &Context) -> Result<Request, Halt> {
    let page = context.send(List::named("/leads").page("limit=1")).await?;
    let id = page.json().and_then(|page| page.pointer("/items/0/id")?.as_str());
    Ok(steps::get_lead(id.unwrap_or("lead_x")))
}

/// Returns a request for a job that has ended.
async fn finished_job(context: &Context) -> Result<Request, Halt> {
    let job_id = steps::queue(context, &steps::quiet_request(context, "Looking at the head only")).await?;
    steps::finished(context, &job_id).await?;
    Ok(steps::get_job(&job_id))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bytes::Bytes;
    use http::HeaderMap;

    use super::{Exchange, alike, head};

    fn answer(status: u16, tag: &str) -> Exchange {
        let headers = HeaderMap::from_iter([(http::header::ETAG, tag.parse().unwrap())]);
        Exchange::new(head("/api/v1/leads"), status, headers, Bytes::new(), Duration::ZERO)
    }

    #[test]
    fn a_change_between_two_gets_is_not_a_finding() {
        let names = ["content-type", "etag"];
        let judged = |before: &str, head: &str, after: &str| {
            alike(&answer(200, before), &answer(200, head), &answer(200, after), &names).map(|verdict| verdict.is_ok())
        };
        assert_eq!(judged("a", "a", "b"), Some(true));
        assert_eq!(judged("a", "b", "b"), Some(true));
        assert_eq!(judged("a", "b", "c"), None);
        assert_eq!(judged("a", "b", "a"), Some(false));
        let other = alike(&answer(200, "a"), &answer(404, "a"), &answer(200, "a"), &names).unwrap();
        assert!(other.unwrap_err().to_string().contains("status of HEAD"));
    }
}
