//! Steps that restart the target.

use std::time::Duration;

use super::calls;
use crate::check::{Context, Halt, Look, Verdict};

/// Maximum time from the end of the command until the target answers.
const ANSWERS_WITHIN: Duration = Duration::from_mins(1);

/// Restarts the target and waits until it answers again.
pub(crate) async fn restart(context: &Context) -> Verdict {
    let restarter = context.facts().restarter.as_ref();
    let restarter = restarter.ok_or_else(|| Halt::Error("no command restarts the target".to_owned()))?;
    let restarted = context.waiting(restarter.restart()).await;
    restarted.map_err(|error| Halt::Error(format!("the target cannot be restarted: {error}")))?;
    let look = || async {
        let answer = context.send(calls::get_job("job_after_the_restart")).await;
        let is_back = answer.is_ok_and(|exchange| !matches!(exchange.status, 502..=504));
        let reason = "[restarting] restart succeeded, but the target does not answer a minute later: the command must wait until it does";
        Ok(Look::at(is_back, || Halt::inconclusive(reason)))
    };
    context.eventually(ANSWERS_WITHIN, look).await
}
