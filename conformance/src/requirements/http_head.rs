//! HEAD of single records, lists and paths without GET, and methods that nobody expects.
//!
//! That HEAD is answered like GET everywhere is in `http_methods`.

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::exchange::{Exchange, Request};
use super::leads;
use super::requirement::{Cases, Requirement};
use super::steps;
use super::verdict::{Verdict, ensure};

const JOBS: &[Capability] = &[Capability::Jobs];
const RECORDS: &[Capability] = &[Capability::Jobs, Capability::Leads, Capability::Capture];
const HEAD: &str = "RFC 9110, section 9.3.2; openapi.yaml, info.description, Conventions";

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "http.head.records",
            "HEAD of an article, a lead and a page has the headers of GET: media type, ETag, Last-Modified, Cache-Control, and Link where there is more.",
            HEAD,
            records,
        )
        .should()
        .needs(RECORDS),
        Requirement::must(
            "http.head.conditional",
            "HEAD with the current ETag in If-None-Match is 304, like GET.",
            "RFC 9110, sections 13.1.2 and 13.2.1",
            conditional,
        )
        .needs(JOBS),
        Requirement::must(
            "http.head.not-for-post",
            "HEAD of a path that has no GET is 405 with Allow.",
            "RFC 9110, section 15.5.6; openapi.yaml, x-problem-codes",
            not_for_post,
        )
        .drawn("paths that are only for POST", Cases::Exactly(2), |_, draw| json!(draw.index() % 2)),
        Requirement::must(
            "http.method.unusual",
            "TRACE and methods that do not exist are refused with 405 or 501 and carry nothing out.",
            "RFC 9110, section 9.1",
            unusual,
        )
        .should()
        .drawn("unusual methods", Cases::Exactly(3), |_, draw| json!(["TRACE", "FOO", "get"][draw.index() % 3])),
    ]
}

fn head(path: &str) -> Request {
    Request::outside("HEAD", path)
}

fn alike(get: &Exchange, head: &Exchange, names: &[&str]) -> Verdict {
    demand::status(head, get.status)?;
    ensure(head.body.is_empty(), "no body", || format!("{} bytes", head.body.len()))?;
    for name in names {
        let what = format!("{name} of HEAD {}", head.request.path);
        demand::same(&what, &json!(get.header(name)), &json!(head.header(name)))?;
    }
    Ok(())
}

async fn records(context: Context, _: Value) -> Verdict {
    let (_, article) = steps::written(&context, &steps::quiet_request(&context, "Using one's head")).await?;
    let other = context.send(head(&article.request.path)).await?;
    alike(&article, &other, &["content-type", "etag", "last-modified", "cache-control"])?;
    // Two, so that a page of one has a next page.
    let email = || format!("{}@example.com", context.fresh("head"));
    leads::captured(&context, &email(), "Robin Foot", "the other end").await?;
    let lead = leads::captured(&context, &email(), "Robin Head", "only the head").await?;
    let lead = context.send(steps::get_lead(demand::text(&lead, "id")?)).await?;
    let other = context.send(head(&lead.request.path)).await?;
    alike(&lead, &other, &["content-type", "cache-control"])?;
    let page = context.send(Request::new("list_leads", "GET", "/leads?limit=1")).await?;
    let other = context.send(head(&page.request.path)).await?;
    alike(&page, &other, &["content-type", "cache-control"])?;
    // Rows arrive meanwhile, so the addresses may differ.
    let (one, two) = (page.header("link").is_some(), other.header("link").is_some());
    ensure(one == two, "a Link with HEAD where there is one with GET", || format!("{one} with GET, {two} with HEAD"))
}

async fn conditional(context: Context, _: Value) -> Verdict {
    let (_, article) = steps::written(&context, &steps::quiet_request(&context, "Using a head twice")).await?;
    let tag = demand::header(&article, "etag")?;
    let exchange = context.send(head(&article.request.path).header("if-none-match", tag)).await?;
    demand::status(&exchange, 304)
}

async fn not_for_post(context: Context, case: Value) -> Verdict {
    let path = if case == 0 { "/api/v1/generate" } else { "/api/v1/jobs/job_x/cancel" };
    let exchange = context.send(head(path)).await?;
    demand::status(&exchange, 405)?;
    let allow = demand::header(&exchange, "allow")?;
    let listed: Vec<&str> = allow.split(',').map(str::trim).collect();
    ensure(listed.contains(&"POST") && !listed.contains(&"HEAD"), "Allow with POST and without HEAD", || {
        allow.to_owned()
    })
}

async fn unusual(context: Context, method: Value) -> Verdict {
    let method = method.as_str().unwrap_or("FOO");
    let exchange = context.send(Request::outside(method, "/api/v1/websites")).await?;
    ensure(matches!(exchange.status, 405 | 501), "status 405 or 501", || demand::seen(&exchange))
}
