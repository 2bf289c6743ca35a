//! Articles that shall be in lists.

use serde_json::Value;

use crate::check::{Context, Halt, demand};
use crate::steps;

/// The job of a draft, and the draft.
pub(crate) async fn draft(context: &Context) -> Result<(Value, Value), Halt> {
    let (job, article) = steps::written(context, &steps::quiet_request(context, "Keeping a list of errands")).await?;
    Ok((job, demand::json(&article)?.clone()))
}
