//! Steps that restart the target.

use crate::check::{Context, Halt, Look, Request, Verdict};

/// Restarts the target and waits until it answers again.
pub(crate) async fn restart(context: &Context) -> Verdict {
    let restarter = context.facts().restarter.as_ref();
    let restarter = restarter.ok_or_else(|| Halt::Error("no command restarts the target".to_owned()))?;
    let restarted = context.waiting(restarter.restart()).await;
    restarted.map_err(|error| Halt::Error(format!("the target cannot be restarted: {error}")))?;
    let look = || async {
        let answer = context.send(Request::new("list_websites", "GET", "/websites")).await;
        Ok(match answer {
            Ok(exchange) if exchange.status == 200 => Look::Found(()),
            Ok(exchange) => Look::NotYet(Halt::inconclusive(format!("{} after the restart", exchange.status))),
            Err(halt) => Look::NotYet(halt),
        })
    };
    context.eventually(context.grace(), look).await
}
