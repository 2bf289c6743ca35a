//! Responses of the lead form: pages or JSON, without the id of the lead.
//!
//! Also responses to confirmation links that the service did not create. Real links are in `hooks::double_opt_in`.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence, Standard};
use crate::check::{
    Capability, Context, Exchange, Halt, Request, Requirement, Verdict, demand, ensure, ensure_met, header_fields,
};
use crate::steps::forms::person;
use crate::steps::{control, lead_form};

const FORM: &[Capability] = &[Capability::LEAD_FORM];

const READ: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

/// Minimum length of an id, in bytes, that a response cannot contain by chance.
const MIN_ID: usize = 8;

/// Methods that the lead form does not support.
const UNSUPPORTED: [&str; 4] = ["GET", "PUT", "PATCH", "DELETE"];

/// Operations of a confirmation link.
const OPERATIONS: [&str; 2] = ["show_confirmation", "confirm_lead"];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "capture.answer.no-id",
            "A lead form gets 202, and the response does not contain the id of the lead. The response to a repeated form and to one with a text in `_hp` has the same body.",
            &[
                Sentence("The response shows neither the id of the lead nor whether it is new."),
                Sentence("The response is the same for a new lead, a repeated one and one that looks like spam."),
                Part("/paths/~1capture~1{website_id}/post/responses/202"),
            ],
            no_id,
        )
        .needs(READ),
        Requirement::new(
            "capture.answer.page",
            "With text/html in Accept the lead form returns a page, for refusals too; with */* and with application/json it returns JSON.",
            &[
                Sentence("**Pages.** With `text/html` in `Accept` every response is a page, even an error."),
                Sentence("Otherwise it is JSON."),
                Sentence("Every error is an `application/problem+json` document (RFC 9457) of the schema `Problem`."),
            ],
            page,
        )
        .needs(FORM),
        Requirement::new(
            "capture.answer.method",
            "A method that the lead form does not support gets 405 method_not_allowed, and Allow lists POST.",
            &[
                Sentence("A path supports only the methods of this document, and HEAD for GET."),
                Sentence("The path does not support this method."),
                Sentence("The path does not answer this method."),
                Sentence("`Allow` lists those that it supports."),
                Standard("RFC 9110", "15.5.6"),
            ],
            form_method,
        )
        .needs(FORM),
        Requirement::new(
            "capture.answer.headers-without-effect",
            "Prefer: handling=strict and Idempotency-Key do not apply to the lead form: unknown fields are ignored, and another form with the same key is another lead.",
            &[
                Sentence("`Prefer: handling=strict` and `Idempotency-Key` do not apply."),
                Sentence("The service ignores unknown fields."),
            ],
            headers_without_effect,
        )
        .needs(READ),
        Requirement::new(
            "capture.confirmation.unknown",
            "A confirmation link that the service did not create gets 404 route_not_found: a page with text/html in Accept, otherwise a problem.",
            &[
                Sentence("There is no such link: it was changed, or is not of this website."),
                Sentence("There is no such path or, below `/capture/`, no such website or confirmation link."),
                Sentence("Errors are pages with `text/html` in `Accept`, otherwise problems."),
                Sentence("Errors are as for the lead form."),
            ],
            unknown_confirmation,
        )
        .needs(FORM),
        Requirement::new(
            "capture.confirmation.method",
            "A method that a confirmation link does not support gets 405 method_not_allowed, and Allow lists GET and POST.",
            &[
                Sentence("A path supports only the methods of this document, and HEAD for GET."),
                Sentence("The path does not support this method."),
                Sentence("The path does not answer this method."),
                Sentence("`Allow` lists those that it supports."),
                Sentence("The order of checks is route, method, link."),
                Sentence("`OPTIONS` is answered with 405, except at `/capture/{website_id}`."),
                Standard("RFC 9110", "15.5.6"),
            ],
            confirmation_method,
        )
        .needs(FORM),
    ]
}

async fn no_id(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("silent");
    let email = format!("{marker}@example.com");
    let response = lead_form::taken(&context, &json!({ "email": email })).await?;
    let lead = lead_form::awaited(&context, &marker, 1).await?.remove(0);
    let id = demand::text(&lead, "id")?;
    if id.len() < MIN_ID {
        return Err(Halt::inconclusive(format!("the id {id} is so short that a response may contain it by chance")));
    }
    let mut headers = response.headers.iter().filter(|(name, _)| name.as_str() != "date");
    let is_revealed = String::from_utf8_lossy(&response.body).contains(id)
        || headers.any(|(_, value)| String::from_utf8_lossy(value.as_bytes()).contains(id));
    ensure(!is_revealed, "a response without the lead's id", || demand::seen(&response))?;
    let other = lead_form::taken(&context, &person(&context)).await?;
    ensure_met(other.json() == response.json(), "even the responses to two new leads differ")?;
    for further in [json!({ "email": email }), json!({ "email": email, "_hp": "x" })] {
        let again = lead_form::taken(&context, &further).await?;
        demand::same("the response", &json!(response.json()), &json!(again.json()))?;
    }
    Ok(())
}

async fn page(context: Context, _: Value) -> Verdict {
    for accept in ["text/html", "text/html,application/xhtml+xml,*/*;q=0.8"] {
        for (body, status) in [(person(&context), 202), (json!({}), 422)] {
            let response = send_accepting(&context, accept, &body, true).await?;
            demand::status(&response, status)?;
            ensure_media_type(&response, "text/html")?;
        }
    }
    for accept in ["*/*", "application/json"] {
        let accepted = send_accepting(&context, accept, &person(&context), false).await?;
        ensure_media_type(&accepted, "application/json")?;
        let refused = send_accepting(&context, accept, &json!({}), false).await?;
        ensure_media_type(&refused, "application/problem+json")?;
    }
    Ok(())
}

/// Sends a form with this `Accept`. A page is not checked against the document: its schemas describe only JSON.
async fn send_accepting(
    context: &Context,
    accept: &str,
    body: &Value,
    is_page: bool,
) -> Result<std::sync::Arc<Exchange>, Halt> {
    let request = lead_form::request(context, "POST", &context.facts().website_id)?.json(body).header("accept", accept);
    context.send(if is_page { request.detached() } else { request }).await
}

/// Demands that the response has this media type.
pub(crate) fn ensure_media_type(response: &Exchange, expected: &str) -> Verdict {
    let media_type = response.header("content-type").unwrap_or_default();
    ensure(header_fields::is_media_type(media_type, expected), format!("Content-Type {expected}"), || {
        format!("Content-Type {media_type}; {}", demand::seen(response))
    })
}

async fn form_method(context: Context, _: Value) -> Verdict {
    for method in UNSUPPORTED {
        let request = lead_form::request(&context, method, &context.facts().website_id)?;
        method_refused(&context, request, &["POST"]).await?;
    }
    control::captured(&context).await
}

/// Demands 405 for a request with an unsupported method, and the supported methods in `Allow`.
async fn method_refused(context: &Context, request: Request, supported: &[&str]) -> Verdict {
    let response = context.send(request).await?;
    demand::problem(&response, 405, &["method_not_allowed"])?;
    let allow = header_fields::joined(&response.headers, "allow");
    let listed = header_fields::elements(&allow);
    let is_complete = supported.iter().all(|method| listed.contains(method));
    ensure(is_complete, format!("{} in Allow", supported.join(" and ")), || allow.clone())
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

async fn unknown_confirmation(context: Context, _: Value) -> Verdict {
    for operation in OPERATIONS {
        for token in [context.fresh("token"), "x".to_owned(), "a b%".to_owned()] {
            let request = lead_form::confirmation(&context, operation, &token)?;
            let answer = context.send(request.clone()).await?;
            demand::problem(&answer, 404, &["route_not_found"])?;
            ensure_media_type(&answer, "application/problem+json")?;
            let page = context.send(request.header("accept", "text/html").detached()).await?;
            demand::status(&page, 404)?;
            ensure_media_type(&page, "text/html")?;
        }
    }
    control::captured(&context).await
}

async fn confirmation_method(context: Context, _: Value) -> Verdict {
    for method in ["PUT", "DELETE", "OPTIONS"] {
        let mut request = lead_form::confirmation(&context, OPERATIONS[0], "x")?;
        request.method = method.to_owned();
        method_refused(&context, request, &["GET", "POST"]).await?;
    }
    control::captured(&context).await
}
