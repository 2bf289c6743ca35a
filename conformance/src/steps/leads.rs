//! Steps that capture a lead in the way that the set-up configures and wait for it, and that find leads.

use serde_json::Value;

use super::calls::{capture, get_lead};
use super::lists::{self, List};
use super::paths::segment;
use crate::check::{Context, Halt, Look, Verdict, demand};

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
    let query = format!("limit=100&website_id={}", segment(&context.facts().website_id));
    let same = |row: &Value| row["email"].as_str().is_some_and(|text| text.eq_ignore_ascii_case(email));
    lists::found(context, list, &query, same).await
}

/// Erases a lead with the command of the set-up. Its id is unknown afterwards.
pub(crate) async fn erase(context: &Context, lead_id: &str) -> Verdict {
    let eraser = context.facts().eraser.as_ref().ok_or_else(|| Halt::Error("no command erases leads".to_owned()))?;
    let erased = context.waiting(eraser.erase(lead_id.to_owned())).await;
    erased.map_err(|reason| Halt::inconclusive(format!("[leads] erase: {reason}")))?;
    let read = context.send(get_lead(lead_id)).await?;
    if read.status == 200 {
        return Err(Halt::inconclusive("[leads] erase succeeded, but the lead can be read"));
    }
    demand::problem(&read, 404, &["lead_not_found"])
}
