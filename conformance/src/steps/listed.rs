//! Articles that lists must contain.

use serde_json::Value;

use crate::check::{Context, Halt, demand};
use crate::steps;

/// Writes a draft. Returns its job and the draft.
pub(crate) async fn draft(context: &Context) -> Result<(Value, Value), Halt> {
    let (job, article) = steps::written(context, &steps::quiet_request(context, "Keeping a list of errands")).await?;
    Ok((job, demand::json(&article)?.clone()))
}
