//! HEAD answers like GET, without a body.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::check::{
    About as _, Capability, Cases, Context, Exchange, Halt, Request, Requirement, Verdict, demand, ensure,
    header_fields,
};
use crate::steps::control;
use crate::steps::lists::POSTS;
use crate::steps::{self, leads, lists};

const JOBS: &[Capability] = &[Capability::JOBS];

const RECORDS: &[Capability] = &[Capability::JOBS, Capability::LEADS, Capability::CAPTURE, Capability::PIPELINE];

const HEAD: &str = "RFC 9110, section 9.3.2; openapi.yaml, info.description, Conventions";

/// How often HEAD is tried between two GETs that agree.
const TRIES: usize = 5;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "http.head.records",
            "HEAD of an article, a lead, a pipeline entry and a page has the same headers as GET: Content-Type, ETag, Last-Modified, Cache-Control, and Link where there is a next page.",
            HEAD,
            records,
        )
        .should()
        .needs(RECORDS),
        Requirement::must(
            "http.head.conditional",
            "HEAD with the current ETag in If-None-Match is answered 304, like GET.",
            "RFC 9110, sections 13.1.2 and 13.2.1",
            conditional,
        )
        .needs(JOBS),
        Requirement::must(
            "http.head.not-for-post",
            "HEAD of a path that has no GET is answered 405 with Allow.",
            "RFC 9110, section 15.5.6; openapi.yaml, x-problem-codes",
            not_for_post,
        )
        .drawn("paths that are only for POST", Cases::Exactly(2), |_, draw| json!(draw.index() % 2)),
        Requirement::must("http.head.like-get", "HEAD is answered with the status and headers of GET, without a body.", "RFC 9110, section 9.3.2", every_get)
            .drawn("every path with GET", Cases::Exactly(8), |_, draw| json!(draw.index())),
    ]
}

fn head(path: &str) -> Request {
    Request::outside("HEAD", path)
}

/// What an answer says about its content: status, and the headers of these names. Of `link` it counts only that there is one.
fn described(exchange: &Exchange, names: &[&str]) -> Vec<Value> {
    let header = |name: &&str| match *name {
        "link" => json!(exchange.header("link").map(|_| "one")),
        name => json!(exchange.header(name)),
    };
    [json!(exchange.status)].into_iter().chain(names.iter().map(header)).collect()
}

/// HEAD between two GETs must agree with one of them; `None` when what they ask for changed, and it agrees with neither.
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

/// HEAD of what `before` is the GET of says the same about the content. Lists change while others work, so it is asked for again
/// afterwards.
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
    // Two, so that a page of one has a next page.
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
    let index = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0);
    let body = steps::quiet_request(&context, "Looking at the head only");
    let paths = [
        "/websites",
        "/articles?limit=1",
        "/leads?limit=1",
        "/scheduled_posts?limit=1",
        "/jobs/job_x",
        "/articles/art_x",
        "/scheduled_posts/post_x",
    ];
    let path = match paths.get(index) {
        Some(path) => format!("/api/v1{path}"),
        None => format!("/api/v1/jobs/{}", steps::queue(&context, &body).await?),
    };
    if index >= paths.len() {
        steps::finished(&context, path.rsplit('/').next().unwrap_or_default()).await?;
    }
    let get = context.send(Request::outside("GET", &path)).await?;
    like_get(&context, &get, &["content-type", "etag", "cache-control"]).await
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
    fn a_change_between_two_gets_is_no_finding() {
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
