//! What must hold for every exchange of the run, whoever made it: problems, request ids, headers.
//!
//! The bodies of successful answers are in `observed_answers`.

use serde_json::{Value, json};

use super::context::Context;
use super::demand;
use super::exchange::{Credential, Exchange, Request};
use super::facts::Facts;
use super::header_fields;
use super::requirement::Requirement;
use super::steps;
use super::verdict::{Finding, Halt, Verdict};
use crate::spec::Document;

const PROBLEM: &str = "RFC 9457, section 3; openapi.yaml, Problem";

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "problems.body.schema",
            "Every refusal of an operation is a Problem: it keeps the schema, and status equals the HTTP status.",
            PROBLEM,
            tour,
        )
        .observing(problem_schema),
        Requirement::must(
            "problems.body.media-type",
            "Problems are served as application/problem+json.",
            "RFC 9457, section 3",
            tour,
        )
        .observing(problem_media_type),
        Requirement::must(
            "problems.code.table",
            "code stands in the closed table, with the status of its row.",
            "openapi.yaml, x-problem-codes",
            tour,
        )
        .observing(problem_code),
        Requirement::must(
            "problems.title.table",
            "title is that of the code's row in the table; another language may translate it.",
            "RFC 9457, section 3.1.3; openapi.yaml, x-problem-codes",
            tour,
        )
        .should()
        .observing(problem_title),
        Requirement::must(
            "problems.request-id.same",
            "request_id of a problem equals the header X-Request-Id.",
            PROBLEM,
            tour,
        )
        .observing(problem_request_id),
        Requirement::must(
            "problems.instance.path",
            "instance is the path of the request without the query.",
            PROBLEM,
            tour,
        )
        .observing(problem_instance),
        Requirement::must(
            "problems.cache.no-store",
            "Problems are served with Cache-Control: no-store.",
            "openapi.yaml, Problem",
            tour,
        )
        .observing(problem_cache),
        Requirement::must(
            "http.request-id.present",
            "Every answer carries X-Request-Id.",
            "openapi.yaml, X-Request-Id",
            tour,
        )
        .observing(request_id),
        Requirement::must(
            "http.server-error.never",
            "No request makes the server fail: no answer is 5xx.",
            "RFC 9110, section 15.6",
            tour,
        )
        .observing(server_error),
        Requirement::must(
            "http.server-error.documented",
            "What the service description shows does not make the server fail: no answer to it is 5xx.",
            "RFC 9110, section 15.6",
            documented_tour,
        )
        .core()
        .should()
        .observing(server_error_where_documented),
        Requirement::must(
            "http.quota.announced",
            "Answers to a valid key carry RateLimit-Policy and RateLimit.",
            "draft-ietf-httpapi-ratelimit-headers-11",
            tour,
        )
        .observing(quota),
        Requirement::must(
            "http.status.documented",
            "Every status of an operation is one that the document names for it.",
            "openapi.yaml, responses",
            tour,
        )
        .observing(documented_status),
    ]
}

/// The same for what a server that keeps the documented facts only has.
async fn documented_tour(context: Context, _: Value) -> Verdict {
    let documented = json!({ "topic": "A tour: O'Brien's \"best\" <service>, 100% \u{1f6b2}", "website_id": context.facts().website_id });
    for request in [steps::generate(&documented), steps::get_article("tour")] {
        context.send(request).await?;
    }
    Ok(())
}

/// A short tour through every operation, so that an observer has something to look at even when it runs alone.
pub(super) async fn tour(context: Context, _: Value) -> Verdict {
    let topic = steps::quiet_request(&context, "A tour through every operation");
    let requests = [
        steps::generate(&topic),
        steps::generate(&Value::Null),
        steps::generate(&json!({ "topic": "" })),
        steps::generate(&topic).by(Credential::None),
        steps::generate(&topic).by(Credential::Literal(vec!["Bearer {key}x".to_owned()])),
        steps::get_job("job_tour"),
        steps::cancel_job("job_tour"),
        steps::get_article("art_tour"),
        Request::new("get_lead", "GET", "/leads/lead_tour"),
        Request::new("list_leads", "GET", "/leads?limit=2"),
        Request::new("list_articles", "GET", "/articles?limit=2"),
        Request::new("list_articles", "GET", "/articles?limit=0"),
        Request::new("list_scheduled_posts", "GET", "/scheduled_posts?limit=2"),
        Request::new("list_scheduled_posts", "GET", "/scheduled_posts?limit=2&page_token=x"),
        Request::new("list_websites", "GET", "/websites"),
        Request::outside("GET", "/api/v1/tour"),
        Request::outside("DELETE", "/api/v1/websites"),
        steps::generate(&topic).header("idempotency-key", "\"unfinished"),
    ];
    if context.facts().capture.is_some() {
        // Whether it is kept is the leads' to judge; here it is only to be there for reading.
        let email = format!("{}@example.com", context.fresh("tour"));
        let _ = steps::capture(&context, &email, "Robin Tour", "a tour").await;
    }
    for request in requests {
        let exchange = context.send(request).await?;
        let job_id = exchange.json().and_then(|body| body["job_id"].as_str()).map(ToOwned::to_owned);
        if let Some(job_id) = job_id.filter(|_| exchange.succeeded()) {
            let job = context.send(steps::get_job(&job_id)).await?;
            if job.status == 200 {
                finish(&context, &job_id).await?;
            }
        }
        let lead = exchange.json().and_then(|page| page.pointer("/items/0/id")?.as_str());
        if let Some(id) = lead.filter(|_| exchange.request.operation == Some("list_leads")) {
            context.send(Request::new("get_lead", "GET", &format!("/leads/{id}"))).await?;
        }
    }
    let queued = context.send(steps::generate(&topic)).await?;
    steps::discard(&context, &queued).await
}

/// Reads the article of a job that an operation queued; what it lacks is not this tour's to judge.
async fn finish(context: &Context, job_id: &str) -> Verdict {
    match steps::finished(context, job_id).await {
        Ok(job) => {
            if let Some(id) = job.json().and_then(|job| job["article_id"].as_str()) {
                context.send(steps::get_article(id)).await?;
            }
            Ok(())
        }
        Err(Halt::Error(reason)) => Err(Halt::Error(reason)),
        Err(_) => Ok(()),
    }
}

/// Whether the API itself answered: an operation of the document, or a path below `/api/` that is none. Methods that an
/// HTTP library may refuse before routing do not count.
fn is_api(exchange: &Exchange) -> bool {
    const ROUTED: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    let request = &exchange.request;
    request.operation.is_some() || (request.path.starts_with("/api/") && ROUTED.contains(&request.method.as_str()))
}

/// The body of a refusal by the API itself; what was refused before routing may have none.
pub(super) fn problem(exchange: &Exchange) -> Option<&Value> {
    let is_refusal = is_api(exchange) && exchange.status >= 400 && exchange.request.method != "HEAD";
    is_refusal.then(|| exchange.json().unwrap_or(&Value::Null))
}

#[expect(clippy::unnecessary_wraps, reason = "observers end with it")]
pub(super) fn finding(holds: bool, expected: &str, exchange: &Exchange) -> Option<Result<(), Finding>> {
    Some(if holds { Ok(()) } else { Err(Finding::new(expected, demand::seen(exchange))) })
}

fn problem_schema(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let body = problem(exchange)?;
    let holds = document.accepts("Problem", body) && body["status"] == exchange.status && body["code"].is_string();
    finding(holds, "a Problem whose status is the HTTP status", exchange)
}

fn problem_media_type(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    problem(exchange)?;
    let media_type = exchange.header("content-type").unwrap_or_default();
    let holds = header_fields::is_media_type(media_type, "application/problem+json");
    finding(holds, "Content-Type: application/problem+json", exchange)
}

fn problem_code(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let body = problem(exchange)?;
    let row = document.problems().get(body["code"].as_str().unwrap_or_default());
    finding(row.is_some_and(|row| row.status == exchange.status), "a code of the table with its status", exchange)
}

fn problem_title(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let body = problem(exchange)?;
    let row = document.problems().get(body["code"].as_str().unwrap_or_default())?;
    finding(body["title"] == row.title.as_str(), "the title of the code's row in the table", exchange)
}

fn problem_request_id(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let body = problem(exchange)?;
    let holds = exchange.header("x-request-id").is_some_and(|id| body["request_id"] == id);
    finding(holds, "request_id equal to X-Request-Id", exchange)
}

fn problem_instance(_: &Document, facts: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let body = problem(exchange)?;
    let instance = body.get("instance").filter(|value| !value.is_null())?.as_str().unwrap_or("?");
    let path = exchange.request.path.split('?').next().unwrap_or_default();
    // A server may write what it decoded or tidied up.
    let is_plain = !path.contains('%') && !path.contains("//");
    let holds = !instance.contains('?') && (!is_plain || is_path_below(&facts.base_url, instance, path));
    finding(holds, "instance equal to the request's path", exchange)
}

/// Whether `instance` is `path` with the path of the base URL before it, or without it: a server behind a proxy that strips
/// it may not know it.
fn is_path_below(base_url: &str, instance: &str, path: &str) -> bool {
    let base =
        url::Url::parse(base_url).map_or_else(|_| String::new(), |url| url.path().trim_end_matches('/').to_owned());
    instance == path || instance.strip_prefix(&*base) == Some(path)
}

fn problem_cache(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    problem(exchange)?;
    let control = header_fields::joined(&exchange.headers, "cache-control");
    finding(header_fields::has_directive(&control, "no-store"), "Cache-Control: no-store", exchange)
}

fn request_id(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    is_api(exchange).then_some(())?;
    finding(exchange.header("x-request-id").is_some_and(|id| !id.is_empty()), "a header X-Request-Id", exchange)
}

fn server_error(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    // 501 is what HTTP has for a method that a server does not know.
    finding(exchange.status < 500 || exchange.status == 501, "no 5xx status", exchange)
}

fn server_error_where_documented(
    document: &Document,
    facts: &Facts,
    exchange: &Exchange,
) -> Option<Result<(), Finding>> {
    matches!(exchange.request.operation, Some("generate" | "get_article")).then_some(())?;
    server_error(document, facts, exchange)
}

fn quota(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    exchange.request.operation?;
    // Refusals before the rate check may come without.
    let charged = exchange.request.credential == Credential::Main
        && !matches!(exchange.status, 400 | 401 | 403 | 405 | 408 | 413 | 415 | 431);
    let announced = exchange.header("ratelimit-policy").is_some() && exchange.header("ratelimit").is_some();
    if !charged {
        return None;
    }
    finding(announced, "RateLimit-Policy and RateLimit", exchange)
}

fn documented_status(document: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let operation = document.operation(exchange.request.operation?)?;
    let holds = operation.names_status(exchange.status) || exchange.status >= 500;
    finding(holds, "a status that the document names for the operation", exchange)
}

#[cfg(test)]
mod tests {
    use super::is_path_below;

    #[test]
    fn the_path_of_the_base_url_may_stand_before_an_instance() {
        let base_url = "https://example.com/content";
        assert!(is_path_below(base_url, "/content/api/v1/leads", "/api/v1/leads"));
        assert!(is_path_below(base_url, "/api/v1/leads", "/api/v1/leads"));
        for other in ["/contents/api/v1/leads", "/content/api/v1/jobs", "/other/api/v1/leads", "api/v1/leads", ""] {
            assert!(!is_path_below(base_url, other, "/api/v1/leads"), "{other}");
        }
        assert!(!is_path_below("https://example.com", "/content/api/v1/leads", "/api/v1/leads"));
    }
}
