//! A website that is paused for a check and goes on afterwards.
//!
//! What a pause must do is judged in `requirements::websites`.

use std::sync::Arc;

use serde_json::{Value, json};

use super::lists::List;
use super::{calls, searched};
use crate::check::{Capability, Context, Credential, Exchange, Halt, PauseTurn, Verdict, demand};

/// Waits for the website; it is active then.
pub(crate) async fn turn(context: &Context) -> Result<PauseTurn<'_>, Halt> {
    let website = context.facts().pausable.as_ref();
    let website = website.ok_or_else(|| Halt::Error("no website can be paused".to_owned()))?;
    context.waiting(website.turn()).await.map_err(|error| broken(&error))
}

/// Pauses the website.
pub(crate) async fn pause(turn: &PauseTurn<'_>) -> Result<(), Halt> {
    turn.pause().await.map_err(|error| broken(&error))
}

/// Lets the website go on.
pub(crate) async fn resume(turn: &PauseTurn<'_>) -> Result<(), Halt> {
    turn.resume().await.map_err(|error| broken(&error))
}

/// Lets the website go on whatever the check found.
pub(crate) async fn end(turn: PauseTurn<'_>, verdict: Verdict) -> Verdict {
    let resumed = resume(&turn).await;
    verdict.and(resumed)
}

fn broken(error: &str) -> Halt {
    Halt::Error(format!("the website cannot be paused or go on: {error}"))
}

/// The website's id.
pub(crate) fn website_id(context: &Context) -> &str {
    context.facts().pausable.as_ref().map_or("", |website| website.website_id())
}

/// An order for the website.
pub(crate) fn order(context: &Context, topic: &str) -> Value {
    let mut body = calls::quiet_request(context, topic);
    body["website_id"] = json!(website_id(context));
    body
}

/// An order that is taken while the website is active; without that its refusal later says nothing.
pub(crate) async fn taken_while_active(context: &Context, body: &Value) -> Result<Arc<Exchange>, Halt> {
    let queued = context.send(calls::generate(body)).await?;
    is_taken_while_active(context, &queued).await?;
    Ok(queued)
}

/// What is sent to a website that is not paused is taken. Where it is refused and nothing says that the website is active, the
/// commands of the set-up may be the reason.
pub(crate) async fn is_taken_while_active(context: &Context, exchange: &Exchange) -> Verdict {
    if !exchange.succeeded() && listed_status(context).await?.as_deref() != Some("active") {
        let seen = demand::seen(exchange);
        return Err(Halt::inconclusive(format!(
            "the website is refused although it is not paused, and is not listed as active: does [pausing] resume let it go on? {seen}"
        )));
    }
    demand::success(exchange)
}

/// The state in which the website is listed; `None` where it is not.
pub(crate) async fn listed_status(context: &Context) -> Result<Option<String>, Halt> {
    if !context.facts().capabilities.contains(&Capability::WEBSITES) {
        return Ok(None);
    }
    let own = |row: &Value| row["website_id"] == website_id(context);
    let row = searched::row(context, List::named("/websites"), "limit=100", Credential::Main, own).await?;
    Ok(row.and_then(|row| row["status"].as_str().map(ToOwned::to_owned)))
}

/// Why a website that takes something although it was paused is no finding, if it is none: nothing says that the command paused it.
pub(crate) async fn is_really_paused(context: &Context) -> Result<(), Halt> {
    match listed_status(context).await?.as_deref() {
        None | Some("active") => Err(Halt::inconclusive(
            "[pausing] pause succeeded, but the website takes orders and is not listed as paused: does the command pause it?",
        )),
        Some(_) => Ok(()),
    }
}
