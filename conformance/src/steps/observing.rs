//! Requests that give observers exchanges to check, and the findings of observers.

use serde_json::{Value, json};

use crate::check::{
    Context, Credential, Exchange, Finding, Halt, Request, Requirement, Source, Verdict, demand, header_fields,
};
use crate::spec::{Document, Profile};
use crate::steps::jobs::longest;
use crate::steps::{self, operations};

/// Maximum number of requests to generate that are cancelled until one job had not ended yet.
const RACES: usize = 4;

/// Requires that every successful response of `operation` matches its schema.
pub(crate) fn keeps_schema(
    id: &'static str,
    operation: &'static str,
    clause: &'static str,
    sources: &'static [Source],
) -> Requirement {
    Requirement::new(id, clause, sources, call_each_operation)
        .observing(move |document, _, exchange| schema_kept(document, exchange, operation))
}

fn schema_kept(document: &Document, exchange: &Exchange, id: &str) -> Option<Result<(), Finding>> {
    if exchange.request.operation != Some(id) || !exchange.succeeded() || exchange.request.method == "HEAD" {
        return None;
    }
    let operation = document.operation(id)?;
    let schema = operation.answer_schema(exchange.status)?;
    if !operation.names_status(exchange.status) {
        // The document describes it only by `default`, which is a problem.
        return Some(Err(Finding::new(
            "a success with a status that the document names, or a problem",
            exchange.line(),
        )));
    }
    let media_type = exchange.header("content-type").unwrap_or_default();
    // The core profile does not check the media type.
    let is_json = document.profile() == Profile::Core || header_fields::is_media_type(media_type, "application/json");
    let Some(body) = exchange.json().filter(|_| is_json) else {
        return Some(Err(Finding::new(
            "a body served as application/json",
            format!("Content-Type {media_type}; {}", demand::seen(exchange)),
        )));
    };
    let violations = document.response_violations(schema, body).unwrap_or_default();
    let Some(first) = violations.first() else {
        // An empty page does not show the schema of its items.
        let is_empty_page = body["items"].as_array().is_some_and(Vec::is_empty);
        return (!is_empty_page).then_some(Ok(()));
    };
    let place = if first.pointer.is_empty() { "the body" } else { &first.pointer };
    Some(Err(Finding::new(
        format!("a body that matches the schema {schema}"),
        format!("{place}: {} ({}); {}", first.message, first.keyword, exchange.line()),
    )))
}

/// Calls each operation once or twice, so that an observer that runs alone has exchanges to check.
pub(crate) async fn call_each_operation(context: Context, _: Value) -> Verdict {
    let topic = steps::quiet_request(&context, "A tour through every operation");
    let made_up = context.document().keyed_operations().filter(|operation| operation.request_schema.is_none());
    let made_up: Vec<Request> = made_up.map(operations::made_up).collect();
    let requests = [
        steps::generate(&topic),
        steps::generate(&Value::Null),
        steps::generate(&json!({ "topic": "" })),
        steps::generate(&topic).by(Credential::None),
        steps::generate(&topic).by(Credential::Literal(vec!["Bearer {key}x".to_owned()])),
        Request::new("list_leads", "GET", "/leads?limit=2"),
        Request::new("list_articles", "GET", "/articles?limit=2"),
        Request::new("list_articles", "GET", "/articles?limit=0"),
        Request::new("list_scheduled_posts", "GET", "/scheduled_posts?limit=2"),
        Request::new("list_scheduled_posts", "GET", "/scheduled_posts?limit=2&page_token=x"),
        Request::outside("GET", "/api/v1/tour"),
        Request::outside("DELETE", "/api/v1/websites"),
        steps::generate(&topic).header("idempotency-key", "\"unfinished"),
    ];
    if context.facts().capture.is_some() {
        // Other requirements check that the lead is kept. Here it only has to exist.
        let email = format!("{}@example.com", context.fresh("tour"));
        let _ = steps::capture(&context, &email, "Robin Tour", "a tour").await;
    }
    for request in requests.into_iter().chain(made_up) {
        let exchange = context.send(request).await?;
        let job_id = exchange.json().and_then(|body| body["job_id"].as_str()).map(ToOwned::to_owned);
        if let Some(job_id) = job_id.filter(|_| exchange.succeeded()) {
            let job = context.send(steps::get_job(&job_id)).await?;
            if job.status == 200 {
                finish(&context, &job_id).await?;
            }
        }
        if let Some(id) = exchange.json().and_then(|page| page.pointer("/items/0/id")?.as_str()) {
            let one = match exchange.request.operation {
                Some("list_leads") => steps::get_lead(id),
                Some("list_scheduled_posts") => steps::get_scheduled_post(id),
                _ => continue,
            };
            context.send(one).await?;
        }
    }
    cancel_one(&context, longest(&context, topic)).await
}

/// Queues jobs and cancels them, until one is cancelled before it has ended.
async fn cancel_one(context: &Context, order: Value) -> Verdict {
    for _ in 0..RACES {
        let queued = context.send(steps::generate(&order)).await?;
        let Some(job_id) = queued.json().and_then(|body| body["job_id"].as_str()) else { break };
        if context.send(steps::cancel_job(job_id)).await?.status != 409 {
            break;
        }
    }
    Ok(())
}

/// Waits for a queued job and reads its article. Ignores findings: other requirements check them.
pub(crate) async fn finish(context: &Context, job_id: &str) -> Verdict {
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

/// Returns true if the API itself responded: the request is for an operation of the document or for a path below `/api/`. Excludes methods
/// and requests that an HTTP library may refuse before routing.
pub(crate) fn is_api(exchange: &Exchange) -> bool {
    const ROUTED: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    let request = &exchange.request;
    let is_routed = request.path.starts_with("/api/") && ROUTED.contains(&request.method.as_str());
    (request.operation.is_some() || is_routed) && !is_refused_before_routing(exchange)
}

/// Returns true if an HTTP library may have refused a malformed or oversized request before routing. Such a response may lack the headers
/// of the document and have any body.
pub(crate) fn is_refused_before_routing(exchange: &Exchange) -> bool {
    matches!(exchange.status, 400 | 414 | 431) && !exchange.headers.contains_key("x-request-id")
}

/// Returns the body of an error of the API itself, or null if the body is not JSON.
pub(crate) fn problem(exchange: &Exchange) -> Option<&Value> {
    let is_refusal = is_api(exchange) && exchange.status >= 400 && exchange.request.method != "HEAD";
    is_refusal.then(|| exchange.json().unwrap_or(&Value::Null))
}

/// Returns a finding unless the check holds.
#[expect(clippy::unnecessary_wraps, reason = "observers end with it")]
pub(crate) fn finding(holds: bool, expected: &str, exchange: &Exchange) -> Option<Result<(), Finding>> {
    Some(if holds { Ok(()) } else { Err(Finding::new(expected, demand::seen(exchange))) })
}
