//! Leads that were captured and can be read.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::check::{Context, Halt, demand};
use crate::steps;
use crate::steps::lists;
use crate::steps::lists::List;

/// Captures a lead and waits until it can be read.
pub(crate) async fn captured(context: &Context, email: &str, name: &str, message: &str) -> Result<Value, Halt> {
    steps::capture(context, email, name, message).await?;
    let deadline = Instant::now() + Duration::from_secs(5);
    loop {
        if let Some(lead) = with_email(context, email).await?.into_iter().next() {
            return Ok(lead);
        }
        if Instant::now() >= deadline {
            return Err(Halt::fail("the captured lead in the list within 5 s", format!("none with e-mail {email}")));
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

pub(crate) async fn with_email(context: &Context, email: &str) -> Result<Vec<Value>, Halt> {
    let list = List::named("/leads");
    let query = format!("limit=100&website_id={}", steps::segment(&context.facts().website_id));
    let page = lists::page(context, list, &query).await?;
    let rows = lists::rows(demand::json(&page)?);
    let same = |row: &&Value| row["email"].as_str().is_some_and(|text| text.eq_ignore_ascii_case(email));
    Ok(rows.iter().filter(same).cloned().collect())
}
