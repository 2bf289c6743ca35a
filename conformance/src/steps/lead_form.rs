//! Steps for the lead form of the document: encode it, send it, wait for its lead, check that it made no lead.
//!
//! `steps::capture` captures leads in the way that the set-up declares.

use std::sync::Arc;

use serde_json::{Value, json};

use super::calls::CAPTURE;
use super::lists::{self, List};
use super::paths::segment;
use crate::check::{Context, Credential, Exchange, Halt, Look, Request, Verdict, demand, ensure};

/// Boundary between the parts of a form as `multipart/form-data`.
const BOUNDARY: &str = "form-of-the-suite-5b0c";

/// Returns a request to the form of a website, without a key.
pub(crate) fn request(context: &Context, method: &str, website_id: &str) -> Result<Request, Halt> {
    let path = address(context, &segment(website_id))?;
    // A browser's preflight request belongs to no operation.
    let operation = (method != "OPTIONS").then_some(CAPTURE);
    Ok(Request { operation, path, ..Request::outside(method, "").by(Credential::None) })
}

/// Returns a request to the confirmation link with this token on the website under test, without a key.
pub(crate) fn confirmation(context: &Context, operation: &'static str, token: &str) -> Result<Request, Halt> {
    let described = context.document().operation(operation);
    let described = described.ok_or_else(|| Halt::Error(format!("the document has no operation {operation}")))?;
    let own = segment(&context.facts().website_id);
    let (_, below) = described.path.split_once('}').unwrap_or_default();
    let below = below.replace("{token}", &segment(token));
    let path = format!("{}{below}", address(context, &own)?);
    Ok(Request { operation: Some(operation), path, ..Request::outside(&described.method, "").by(Credential::None) })
}

/// Returns the URL of the form of a website.
fn address(context: &Context, website: &str) -> Result<String, Halt> {
    let own = segment(&context.facts().website_id);
    let url = context.facts().capture.as_ref().and_then(|capture| capture.url.strip_suffix(&own));
    let url = url.ok_or_else(|| Halt::Error("the lead form has no URL".to_owned()))?;
    Ok(format!("{url}{website}"))
}

/// Returns a request that sends a form-encoded form to the website under test.
pub(crate) fn url_encoded(context: &Context, pairs: &[(String, String)]) -> Result<Request, Halt> {
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
    let request = request(context, "POST", &context.facts().website_id)?;
    Ok(request.bytes("application/x-www-form-urlencoded", body.into_bytes()))
}

/// One part of a form as `multipart/form-data`.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    name: String,
    /// Name of the file; empty if the user chose none.
    file: Option<&'static str>,
    content: String,
}

impl Part {
    /// Returns a field with a text.
    pub(crate) fn text(name: &str, content: &str) -> Self {
        Self { name: name.to_owned(), file: None, content: content.to_owned() }
    }

    /// Returns a field for a file.
    pub(crate) fn file(name: &str, file: &'static str, content: &str) -> Self {
        Self { name: name.to_owned(), file: Some(file), content: content.to_owned() }
    }
}

/// Returns a request that sends these parts, which may be files (RFC 7578), to the form of the website under test.
pub(crate) fn multipart(context: &Context, parts: &[Part]) -> Result<Request, Halt> {
    let mut body = String::new();
    for Part { name, file, content } in parts {
        let file = file.map_or_else(String::new, |file| {
            format!("; filename=\"{file}\"\r\nContent-Type: application/octet-stream")
        });
        let part =
            format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n{content}\r\n");
        body.push_str(&part);
    }
    body.extend(["--", BOUNDARY, "--\r\n"]);
    let request = request(context, "POST", &context.facts().website_id)?;
    Ok(request.bytes(&format!("multipart/form-data; boundary={BOUNDARY}"), body.into_bytes()))
}

/// Returns a request that sends a form as JSON to the website under test.
fn as_json(context: &Context, body: &Value) -> Result<Request, Halt> {
    Ok(request(context, "POST", &context.facts().website_id)?.json(body))
}

/// Sends the form of the website under test as JSON.
pub(crate) async fn send(context: &Context, body: &Value) -> Result<Arc<Exchange>, Halt> {
    context.send(as_json(context, body)?).await
}

/// Sends a form and demands that it is accepted.
pub(crate) async fn taken(context: &Context, body: &Value) -> Result<Arc<Exchange>, Halt> {
    let exchange = send(context, body).await?;
    demand::status(&exchange, 202)?;
    Ok(exchange)
}

/// Returns the newest leads of the website that mention `marker`.
pub(crate) async fn mentioning(context: &Context, marker: &str) -> Result<Vec<Value>, Halt> {
    let query = format!("limit=100&website_id={}", segment(&context.facts().website_id));
    lists::found(context, List::named("/leads"), &query, |row| row.to_string().contains(marker)).await
}

/// Waits until `count` leads that mention `marker` can be read.
pub(crate) async fn awaited(context: &Context, marker: &str, count: usize) -> Result<Vec<Value>, Halt> {
    let limit = context.grace();
    let look = || async move {
        let leads = mentioning(context, marker).await?;
        if leads.len() >= count {
            return Ok(Look::Found(leads));
        }
        let expected = format!("{count} captured in the list within {} s", limit.as_secs());
        Ok(Look::NotYet(Halt::fail(expected, format!("{} that mention {marker}", leads.len()))))
    };
    context.eventually(limit, look).await
}

/// Sends a form that mentions `marker`, and waits for its lead.
pub(crate) async fn captured_by(context: &Context, marker: &str, request: Request) -> Result<Value, Halt> {
    demand::status(&*context.send(request).await?, 202)?;
    let mut leads = awaited(context, marker, 1).await?;
    ensure(leads.len() == 1, "one lead", || leads.len().to_string())?;
    Ok(leads.remove(0))
}

/// Sends a form and waits for its lead.
pub(crate) async fn captured(context: &Context, marker: &str, body: &Value) -> Result<Value, Halt> {
    captured_by(context, marker, as_json(context, body)?).await
}

/// Returns true if a lead is suspected of being spam.
pub(crate) fn is_marked(lead: &Value) -> bool {
    lead["spam"]["suspected"] == true
}

/// Returns true if a lead is suspected of being spam because its form filled the trap.
pub(crate) fn is_trapped(lead: &Value) -> bool {
    lead["spam"]["reasons"].as_array().is_some_and(|reasons| reasons.contains(&json!("trap_filled")))
}

/// Captures another lead and waits until it can be read: by then, earlier leads can be read too.
pub(crate) async fn settle(context: &Context) -> Verdict {
    let marker = context.fresh("settled");
    captured(context, &marker, &json!({ "email": format!("{marker}@example.com") })).await.map(|_| ())
}

/// Demands that no lead mentions `marker`, also after a later one can be read.
pub(crate) async fn never(context: &Context, marker: &str) -> Verdict {
    settle(context).await?;
    let leads = mentioning(context, marker).await?;
    ensure(leads.is_empty(), "no lead", || demand::brief(&leads[0]))
}
