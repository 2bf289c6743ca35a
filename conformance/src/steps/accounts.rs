//! Steps as the second account, whose rows the account under test must never see.
//!
//! What must not be seen is judged in `isolation`, `leads_matches` and `hooks_leads`.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::calls;
use crate::check::Context;
use crate::check::Credential;
use crate::check::Halt;
use crate::check::demand;

/// An article that the second account has written and publishes: its job.
pub(crate) async fn published_by_other(context: &Context, topic: &str) -> Result<Value, Halt> {
    let mut body = calls::published_request(context, topic);
    body["website_id"] = json!(context.facts().other_website_id);
    let queued = context.send(calls::generate(&body).by(Credential::Other)).await?;
    demand::success(&queued)?;
    let job_id = demand::text(demand::json(&queued)?, "job_id")?.to_owned();
    let deadline = Instant::now() + context.patience();
    loop {
        let exchange = context.send(calls::get_job(&job_id).by(Credential::Other)).await?;
        demand::status(&exchange, 200)?;
        let job = demand::json(&exchange)?;
        match job["status"].as_str() {
            Some("completed") => return Ok(job.clone()),
            Some(status) if calls::is_terminal(status) => {
                return Err(Halt::inconclusive(format!("the other account's job ended as {status}")));
            }
            _ if Instant::now() >= deadline => {
                return Err(Halt::inconclusive("the other account's job was not done in time"));
            }
            _ => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
}
