//! Steps over the lead form that the document describes: send it, wait for its lead, be sure that none came.
//!
//! Leads are captured in the way that the set-up declares by `steps::capture`.

use std::sync::Arc;

use serde_json::{Value, json};

use super::calls;
use super::lists::{self, List};
use crate::check::{Context, Credential, Exchange, Halt, Look, Request, Verdict, demand, ensure};

/// A call of the form of a website, without a key.
pub(crate) fn request(context: &Context, method: &str, website_id: &str) -> Result<Request, Halt> {
    let own = calls::segment(&context.facts().website_id);
    let url = context.facts().capture.as_ref().and_then(|capture| capture.url.strip_suffix(&own));
    let url = url.ok_or_else(|| Halt::Error("the lead form has no address".to_owned()))?;
    let path = format!("{url}{}", calls::segment(website_id));
    Ok(Request { path, ..Request::outside(method, "").by(Credential::None) })
}

/// Sends the form of the website under test as JSON.
pub(crate) async fn send(context: &Context, body: &Value) -> Result<Arc<Exchange>, Halt> {
    let website_id = &context.facts().website_id;
    context.send(request(context, "POST", website_id)?.json(body)).await
}

/// Sends a form that must be taken.
pub(crate) async fn taken(context: &Context, body: &Value) -> Result<Arc<Exchange>, Halt> {
    let exchange = send(context, body).await?;
    demand::status(&exchange, 202)?;
    Ok(exchange)
}

/// The newest leads of the website that mention `marker`.
pub(crate) async fn mentioning(context: &Context, marker: &str) -> Result<Vec<Value>, Halt> {
    let query = format!("limit=100&website_id={}", calls::segment(&context.facts().website_id));
    lists::found(context, List::named("/leads"), &query, |row| row.to_string().contains(marker)).await
}

/// Waits until leads that mention `marker` can be read.
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

/// Whether a lead is suspected of being spam.
pub(crate) fn is_marked(lead: &Value) -> bool {
    lead["spam"]["suspected"] == true
}

/// Sends a form and waits for its lead.
pub(crate) async fn captured(context: &Context, marker: &str, body: &Value) -> Result<Value, Halt> {
    taken(context, body).await?;
    let mut leads = awaited(context, marker, 1).await?;
    ensure(leads.len() == 1, "one lead", || leads.len().to_string())?;
    Ok(leads.remove(0))
}

/// Captures another lead and waits until it can be read: what was captured before could be read by then too.
pub(crate) async fn settle(context: &Context) -> Verdict {
    let marker = context.fresh("settled");
    captured(context, &marker, &json!({ "email": format!("{marker}@example.com") })).await.map(|_| ())
}

/// No lead mentions `marker`, also once a later one can be read.
pub(crate) async fn never(context: &Context, marker: &str) -> Verdict {
    settle(context).await?;
    let leads = mentioning(context, marker).await?;
    ensure(leads.is_empty(), "no lead", || demand::brief(&leads[0]))
}
