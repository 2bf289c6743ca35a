//! Steps over operations: calls with made-up ids, unknown and changed ids in paths, and query parameters at the edges of their schemas.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{control, lists};
use crate::check::{About as _, Context, Exchange, Halt, Request, Verdict, demand, ensure};
use crate::spec::Operation;
use crate::steps;
use crate::strategies::{Draw, Space, hostile_id};

/// Returns the number of operations that need a key.
pub(crate) fn count(space: &Space) -> usize {
    space.document().keyed_operations().count()
}

/// Draws the operations by turns, by name.
pub(crate) fn each(space: &Space, draw: &mut Draw) -> Value {
    let all: Vec<_> = space.document().keyed_operations().collect();
    json!(all[draw.index() % all.len()].id)
}

/// Returns the names of the operations for which `holds` is true.
pub(crate) fn named<'space>(space: &'space Space, holds: impl Fn(&Operation) -> bool + 'space) -> Vec<&'static str> {
    let all = space.document().keyed_operations();
    all.filter(|operation| holds(operation)).map(|operation| operation.id).collect()
}

/// Returns the operation that a case names.
pub(crate) fn of_case<'context>(context: &'context Context, case: &Value) -> Result<&'context Operation, Halt> {
    let id = case.as_str().or_else(|| case["operation"].as_str()).unwrap_or_default();
    context.document().operation(id).ok_or_else(|| Halt::Error(format!("the document has no operation {id}")))
}

/// Returns a call of `operation` with a made-up id for each parameter of its path. If it takes a body, the body requests an article for a
/// made-up website.
pub(crate) fn made_up(operation: &Operation) -> Request {
    let path = operation.made_up_path();
    let request = Request { operation: Some(operation.id), ..Request::outside(&operation.method, &path) };
    match operation.request_schema {
        Some(_) => request.json(&json!({ "topic": "Writing without an order", "website_id": "web_x" })),
        None => request,
    }
}

/// Returns such a call whose body requests an article for the website under test.
pub(crate) fn with_website(context: &Context, operation: &Operation) -> Request {
    let request = made_up(operation);
    if operation.request_schema.is_none() {
        return request;
    }
    let body = steps::quiet_request(context, "Writing without an order");
    Request { body: Some(body.to_string().into()), ..request }
}

/// Draws an unknown id as one segment of the path of `operation`. The first is the shortest that the document allows.
pub(crate) fn unknown_id(space: &Space, operation: &str, draw: &mut Draw) -> Value {
    if draw.index() > 0 {
        return json!(draw.value(&hostile_id()));
    }
    let parameters = space.document().operation(operation).map(|operation| operation.parameters.as_slice());
    let id = parameters.into_iter().flatten().find(|parameter| parameter.location == "path");
    let length = id.and_then(|id| id.schema["minLength"].as_u64()).unwrap_or(1);
    json!("x".repeat(usize::try_from(length).unwrap_or(1)))
}

/// Demands 404 with `code` for the unknown id in `segment`. Any 4xx will do if an HTTP library or a proxy may refuse the segment before the
/// service looks the id up: it contains NUL, a slash, a backslash, a semicolon, a percent sign or bytes that are not UTF-8.
pub(crate) fn unknown_refused(exchange: &Exchange, segment: &str, code: &str) -> Verdict {
    let id = String::from_utf8(steps::percent_decoded(segment)).ok();
    if id.is_none_or(|id| id.contains(['\0', '/', '\\', ';', '%'])) {
        let is_refused = (400..500).contains(&exchange.status);
        return ensure(is_refused, "a 4xx status", || demand::seen(exchange)).about(exchange);
    }
    demand::problem(exchange, 404, &[code])
}

/// Returns the operations that read a job, its article and its scheduled post. Each has its path, the field with the id, and the id.
pub(crate) async fn places(context: &Context) -> Result<Vec<(&'static str, &'static str, &'static str, String)>, Halt> {
    let (job, _) = steps::some_article(context).await?;
    let mut places = vec![
        ("get_job", "/jobs/", "job_id", demand::text(&job, "job_id")?.to_owned()),
        ("get_article", "/articles/", "id", demand::text(&job, "article_id")?.to_owned()),
    ];
    // A job may lack it.
    if let Some(id) = job["scheduled_post_id"].as_str() {
        places.push(("get_scheduled_post", "/scheduled_posts/", "id", id.to_owned()));
    }
    Ok(places)
}

/// Demands that `segment`, a changed id, does not return the same record. It may be the id of another record.
pub(crate) async fn elsewhere(
    context: &Context,
    place: &(&'static str, &'static str, &'static str, String),
    segment: &str,
) -> Verdict {
    let (operation, path, member, id) = place;
    let exchange = context.send(Request::new(operation, "GET", &format!("{path}{segment}"))).await?;
    let is_same = exchange.succeeded() && demand::json(&exchange)?[*member] == json!(id);
    ensure(!is_same, format!("404 or another record for {segment}"), || demand::seen(&exchange))
}

/// Returns the request of a case `{operation, parameter, value}`.
fn with_parameter(context: &Context, case: &Value) -> Result<Request, Halt> {
    let request = made_up(of_case(context, case)?);
    let (name, value) = (demand::text(case, "parameter")?, case["value"].as_str().unwrap_or_default());
    Ok(Request { path: format!("{}?{name}={}", request.path, steps::segment(value)), ..request })
}

/// Demands that the value is accepted, and returns the page.
pub(crate) async fn parameter_taken(context: &Context, case: &Value) -> Result<Arc<Exchange>, Halt> {
    let exchange = context.send(with_parameter(context, case)?).await?;
    demand::status(&exchange, 200)?;
    lists::is_page(&exchange)?;
    Ok(exchange)
}

/// Demands that the value is refused with 422 that names the parameter, with one of the codes of the case. Without it the list is shown.
pub(crate) async fn parameter_refused(context: &Context, case: &Value) -> Verdict {
    let exchange = context.send(with_parameter(context, case)?).await?;
    let codes: Vec<&str> = case["codes"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    demand::parameter_error(&exchange, demand::text(case, "parameter")?, &codes)?;
    control::accepted(context, made_up(of_case(context, case)?)).await
}
