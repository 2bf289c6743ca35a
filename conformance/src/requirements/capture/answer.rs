//! Answers of the lead form: pages, JSON, and no id.

use serde_json::{Value, json};

use crate::check::{Capability, Context, Exchange, Halt, Requirement, Verdict, demand, ensure, header_fields};
use crate::steps::forms::person;
use crate::steps::{control, lead_form};

const SOURCE: &str = "openapi.yaml, capture_lead";

const FORM: &[Capability] = &[Capability::LEAD_FORM];

const READ: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

/// The methods that the form does not have.
const OTHERS: [&str; 4] = ["GET", "PUT", "PATCH", "DELETE"];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "capture.answer.no-id",
            "A lead form is answered 202, and the answer does not tell the id of the lead.",
            SOURCE,
            no_id,
        )
        .needs(READ),
        Requirement::must(
            "capture.answer.page",
            "With text/html in Accept the lead form answers a page, also where it refuses; with */* and with application/json it answers JSON.",
            SOURCE,
            page,
        )
        .needs(FORM),
        Requirement::must(
            "capture.answer.method",
            "A method that the lead form does not have is answered 405 method_not_allowed, and Allow lists POST.",
            SOURCE,
            method,
        )
        .needs(FORM),
        Requirement::must(
            "capture.answer.headers-without-effect",
            "Prefer: handling=strict and Idempotency-Key do not apply to the lead form: unknown members are ignored, and another form with the same key is another lead.",
            SOURCE,
            headers_without_effect,
        )
        .needs(READ),
    ]
}

async fn no_id(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("silent");
    let answer = lead_form::taken(&context, &json!({ "email": format!("{marker}@example.com") })).await?;
    let lead = lead_form::awaited(&context, &marker, 1).await?.remove(0);
    let id = demand::text(&lead, "id")?;
    let told = String::from_utf8_lossy(&answer.body).contains(id)
        || answer.headers.values().any(|value| String::from_utf8_lossy(value.as_bytes()).contains(id));
    ensure(!told, "an answer without the lead's id", || demand::seen(&answer))
}

async fn page(context: Context, _: Value) -> Verdict {
    for accept in ["text/html", "text/html,application/xhtml+xml,*/*;q=0.8"] {
        for (body, status) in [(person(&context), 202), (json!({}), 422)] {
            // The schemas of the document are those of JSON.
            let answer = sent(&context, accept, &body, true).await?;
            demand::status(&answer, status)?;
            is_of_type(&answer, "text/html")?;
        }
    }
    for accept in ["*/*", "application/json"] {
        is_of_type(&*sent(&context, accept, &person(&context), false).await?, "application/json")?;
        is_of_type(&*sent(&context, accept, &json!({}), false).await?, "application/problem+json")?;
    }
    Ok(())
}

async fn sent(context: &Context, accept: &str, body: &Value, is_page: bool) -> Result<std::sync::Arc<Exchange>, Halt> {
    let request = lead_form::request(context, "POST", &context.facts().website_id)?.json(body).header("accept", accept);
    context.send(if is_page { request.detached() } else { request }).await
}

/// The answer is of this media type.
pub(crate) fn is_of_type(answer: &Exchange, expected: &str) -> Verdict {
    let media_type = answer.header("content-type").unwrap_or_default();
    ensure(header_fields::is_media_type(media_type, expected), format!("Content-Type {expected}"), || {
        format!("Content-Type {media_type}; {}", demand::seen(answer))
    })
}

async fn method(context: Context, _: Value) -> Verdict {
    for method in OTHERS {
        let answer = context.send(lead_form::request(&context, method, &context.facts().website_id)?).await?;
        demand::problem(&answer, 405, &["method_not_allowed"])?;
        let allow = header_fields::joined(&answer.headers, "allow");
        ensure(header_fields::elements(&allow).contains(&"POST"), "POST in Allow", || allow.clone())?;
    }
    control::captured(&context).await
}

async fn headers_without_effect(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("plain");
    for number in 0..2 {
        let body = json!({ "email": format!("{number}-{marker}@example.com"), "nobody_knows": true });
        let request = lead_form::request(&context, "POST", &context.facts().website_id)?.json(&body);
        let request = request.header("prefer", "handling=strict").header("idempotency-key", marker.as_str());
        demand::status(&*context.send(request).await?, 202)?;
    }
    lead_form::awaited(&context, &marker, 2).await.map(drop)
}
