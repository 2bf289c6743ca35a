//! Steps as the second account. Neither account may see the records of the other.
//!
//! `requirements::isolation`, `leads` and `hooks` check that.

use std::sync::Arc;

use serde_json::{Value, json};

use super::calls;
use crate::check::{About as _, Context, Credential, Exchange, Halt, Look, Request, demand, ensure, ensure_met};

/// Reads a record of the account under test with the second account's key. Fails if the response shows that record. The id may also name a
/// record of the second account.
pub(crate) async fn read_by_other(context: &Context, request: Request) -> Result<Arc<Exchange>, Halt> {
    let foreign = context.send(request.clone().by(Credential::Other)).await?;
    if foreign.succeeded() {
        let own = context.send(request).await?;
        let is_same = own.succeeded() && own.body == foreign.body;
        ensure(!is_same && !is_of_main(context, &foreign), "no record of another account", || demand::seen(&foreign))
            .about(&foreign)?;
    }
    Ok(foreign)
}

/// Returns true if a response shows a record of the website under test.
fn is_of_main(context: &Context, exchange: &Exchange) -> bool {
    let facts = context.facts();
    let has_own_id = facts.other_website_id.as_ref() != Some(&facts.website_id);
    has_own_id && exchange.json().is_some_and(|record| record["website_id"] == facts.website_id.as_str())
}

/// Demands 404 with `code` when the second account reads a record of the account under test. Decides nothing if the id also names a record of
/// the second account.
pub(crate) async fn unknown_to_other(context: &Context, request: Request, code: &str) -> Result<Arc<Exchange>, Halt> {
    let foreign = read_by_other(context, request).await?;
    ensure_met(!foreign.succeeded(), "the second account has a record with the same id")?;
    demand::problem(&foreign, 404, &[code])?;
    Ok(foreign)
}

/// Publishes an article as the second account and returns its job.
pub(crate) async fn published_by_other(context: &Context, topic: &str) -> Result<Value, Halt> {
    let mut body = calls::published_request(context, topic);
    body["website_id"] = json!(context.facts().other_website_id);
    let queued = context.send(calls::generate(&body).by(Credential::Other)).await?;
    demand::success(&queued)?;
    let job_id = demand::text(demand::json(&queued)?, "job_id")?.to_owned();
    let job_id = job_id.as_str();
    let look = || async move {
        let exchange = context.send(calls::get_job(job_id).by(Credential::Other)).await?;
        demand::status(&exchange, 200)?;
        let job = demand::json(&exchange)?;
        match job["status"].as_str() {
            Some("completed") => Ok(Look::Found(job.clone())),
            Some(status) if calls::is_terminal(status) => {
                Err(Halt::inconclusive(format!("the other account's job ended as {status}")))
            }
            _ => Ok(Look::NotYet(Halt::inconclusive("the other account's job was not done in time"))),
        }
    };
    context.eventually(context.patience(), look).await
}
