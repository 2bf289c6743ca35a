//! Steps that pause a website and resume it.
//!
//! Several servers may need some seconds until all of them know of a change. So these steps repeat their requests for a while.
//! `requirements::websites` checks the effects of a pause.

use std::sync::Arc;

use serde_json::{Value, json};

use super::calls;
use super::lists::{self, List};
use crate::check::{Capability, Context, Credential, Exchange, Halt, Look, PauseTurn, Request, Verdict, demand};

/// Waits for the turn to pause the website. The website is active then.
pub(crate) async fn turn(context: &Context) -> Result<PauseTurn<'_>, Halt> {
    let website = context.facts().pausable.as_ref();
    let website = website.ok_or_else(|| Halt::Error("no website can be paused".to_owned()))?;
    context.waiting(website.turn()).await.map_err(|error| broken(&error))
}

/// Pauses the website.
pub(crate) async fn pause(turn: &PauseTurn<'_>) -> Result<(), Halt> {
    turn.pause().await.map_err(|error| broken(&error))
}

/// Resumes the website.
pub(crate) async fn resume(turn: &PauseTurn<'_>) -> Result<(), Halt> {
    turn.resume().await.map_err(|error| broken(&error))
}

/// Resumes the website, whatever the verdict of the check is.
pub(crate) async fn end(turn: PauseTurn<'_>, verdict: Verdict) -> Verdict {
    let resumed = resume(&turn).await;
    verdict.and(resumed)
}

fn broken(error: &str) -> Halt {
    Halt::Error(format!("the website cannot be paused or resumed: {error}"))
}

/// Returns the id of the website.
pub(crate) fn website_id(context: &Context) -> &str {
    context.facts().pausable.as_ref().map_or("", |website| website.website_id())
}

/// Returns a request for an article of the website.
pub(crate) fn order(context: &Context, topic: &str) -> Value {
    let mut body = calls::quiet_request(context, topic);
    body["website_id"] = json!(website_id(context));
    body
}

/// Sends requests that `make` returns, for a website that is not paused, until one is accepted. Without an accepted request, a later
/// refusal proves nothing. If nothing says that the website is active, the commands of the set-up may be the reason for a refusal.
pub(crate) async fn taken_while_active(
    context: &Context,
    make: impl Fn() -> Request + Copy,
) -> Result<Arc<Exchange>, Halt> {
    let look = || async move {
        let exchange = context.send(make()).await?;
        let success = demand::success(&exchange);
        Ok(success.map_or_else(Look::NotYet, |()| Look::Found(exchange)))
    };
    let finding = match context.eventually(context.grace(), look).await {
        Err(Halt::Fail(finding)) => finding,
        taken => return taken,
    };
    if listed_status(context).await?.as_deref() == Some("active") {
        return Err(Halt::Fail(finding));
    }
    Err(Halt::inconclusive(format!(
        "the website refuses requests although it is not paused, and is not listed as active: does [pausing] resume resume it? {}",
        finding.observed
    )))
}

/// Sends requests that `make` returns, for a website that was paused, until one is refused. Cancels the jobs that they queue. If nothing
/// says that the website is paused, the commands of the set-up may be the reason for a success.
pub(crate) async fn refused_while_paused(
    context: &Context,
    make: impl Fn() -> Request + Copy,
) -> Result<Arc<Exchange>, Halt> {
    let look = || async move {
        let exchange = context.send(make()).await?;
        if exchange.succeeded() {
            calls::discard_where_possible(context, &exchange).await?;
        }
        let refusal = demand::refusal(&exchange);
        Ok(refusal.map_or_else(Look::NotYet, |()| Look::Found(exchange)))
    };
    match context.eventually(context.grace(), look).await {
        Err(Halt::Fail(finding)) => {
            is_really_paused(context).await?;
            Err(Halt::Fail(finding))
        }
        refused => refused,
    }
}

/// Waits until the list of websites shows this status.
pub(crate) async fn until_listed(context: &Context, status: &str) -> Verdict {
    let look = || async move {
        let shown = listed_status(context).await?;
        Ok(Look::at(shown.as_deref() == Some(status), || {
            let observed = shown.unwrap_or_else(|| "no such website".to_owned());
            Halt::fail(format!("the website with status {status} in the list of websites"), observed)
        }))
    };
    context.eventually(context.grace(), look).await
}

/// Returns the status of the website in the list of websites, if it is there.
async fn listed_status(context: &Context) -> Result<Option<String>, Halt> {
    if !context.facts().capabilities.contains(&Capability::WEBSITES) {
        return Ok(None);
    }
    let own = |row: &Value| row["website_id"] == website_id(context);
    let row = lists::row(context, List::named("/websites"), "limit=100", Credential::Main, own).await?;
    Ok(row.and_then(|row| row["status"].as_str().map(ToOwned::to_owned)))
}

/// Demands that the list of websites does not show the website as active. Otherwise the command may not have paused it.
pub(crate) async fn is_really_paused(context: &Context) -> Result<(), Halt> {
    match listed_status(context).await?.as_deref() {
        None | Some("active") => Err(Halt::inconclusive(
            "[pausing] pause succeeded, but the website accepts requests and is not listed as paused: does the command pause it?",
        )),
        Some(_) => Ok(()),
    }
}
