//! Steps as the second account, whose rows the account under test must never see.
//!
//! What must not be seen is judged in `requirements::isolation`, `leads` and `hooks`.

use serde_json::{Value, json};

use super::calls;
use crate::check::{Context, Credential, Halt, Look, demand};

/// An article that the second account has written and publishes: its job.
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
