//! Steps that capture a lead in the way that the set-up configures, and read it.

use std::sync::Arc;

use serde_json::Value;

use super::calls;
use super::lead_form::CAPTURE;
use super::lists::{self, List};
use crate::check::{Capability, Capture, Context, Credential, Exchange, Halt, Look, Request, demand, map_texts};

/// Captures a lead in the way that the set-up configures.
pub(crate) async fn capture(context: &Context, email: &str, name: &str, message: &str) -> Result<Arc<Exchange>, Halt> {
    let Some(capture) = &context.facts().capture else {
        return Err(Halt::Error("no way to capture a lead is configured".to_owned()));
    };
    let mut request = capture_request(capture, email, name, message);
    if context.facts().capabilities.contains(&Capability::LEAD_FORM) {
        request.operation = Some(CAPTURE);
    }
    let exchange = context.send(request).await?;
    // Many forms redirect to a page that says thanks.
    if !(300..400).contains(&exchange.status) {
        demand::success(&exchange)?;
    }
    Ok(exchange)
}

fn capture_request(capture: &Capture, email: &str, name: &str, message: &str) -> Request {
    let fill = |text: &str| text.replace("{email}", email).replace("{name}", name).replace("{message}", message);
    let request = Request { path: capture.url.clone(), ..Request::outside(&capture.method, "").by(Credential::None) };
    match (&capture.json, &capture.form) {
        (Some(body), _) => request.json(&map_texts(body, &fill)),
        (None, Some(fields)) => {
            let mut form = url::form_urlencoded::Serializer::new(String::new());
            for (field, value) in fields {
                form.append_pair(field, &fill(value));
            }
            request.bytes("application/x-www-form-urlencoded", form.finish().into_bytes())
        }
        (None, None) => request,
    }
}

/// Captures a lead and waits until it can be read.
pub(crate) async fn captured(context: &Context, email: &str, name: &str, message: &str) -> Result<Value, Halt> {
    capture(context, email, name, message).await?;
    let limit = context.grace();
    let look = || async move {
        let lead = with_email(context, email).await?.into_iter().next();
        Ok(Look::found_or(lead, || {
            let expected = format!("the captured lead in the list within {} s", limit.as_secs());
            Halt::fail(expected, format!("none with email {email}"))
        }))
    };
    context.eventually(limit, look).await
}

/// Returns the leads with this email, in any ASCII case, on the first pages of the website's list.
pub(crate) async fn with_email(context: &Context, email: &str) -> Result<Vec<Value>, Halt> {
    let list = List::named("/leads");
    let query = format!("limit=100&website_id={}", calls::segment(&context.facts().website_id));
    let same = |row: &Value| row["email"].as_str().is_some_and(|text| text.eq_ignore_ascii_case(email));
    lists::found(context, list, &query, same).await
}
