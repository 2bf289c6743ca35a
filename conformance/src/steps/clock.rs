//! Steps that move the target's clock.
//!
//! Since then its times differ from the suite's, so checks compare them only with each other.

use std::time::Duration;

use chrono::{DateTime, Utc};
use tokio::time::Instant;

use super::calls;
use super::times::moment;
use crate::check::{Context, Halt, demand};

/// Time by which a move may seem shorter or longer: a service has several clocks, and its command may take a while.
const SLACK: chrono::Duration = chrono::Duration::minutes(1);

/// Moves the target's clock forward. A job that is queued afterwards shows whether the target uses the new time.
pub(crate) async fn advance(context: &Context, by: Duration) -> Result<(), Halt> {
    let clock = context.facts().clock.as_ref().ok_or_else(|| Halt::Error("the clock cannot be moved".to_owned()))?;
    let (before, begun) = (now(context).await?, Instant::now());
    let moved = context.waiting(clock.advance(by)).await;
    moved.map_err(|error| Halt::Error(format!("the clock cannot be moved: {error}")))?;
    let passed = now(context).await? - before;
    let by = chrono::Duration::from_std(by).unwrap_or_default();
    let took = chrono::Duration::from_std(begun.elapsed()).unwrap_or_default();
    if passed < by - SLACK || passed > by + took + SLACK {
        return Err(Halt::inconclusive(format!(
            "[clock] advance succeeded, but created_at of a new job is {} s later instead of {} s: does the command move the clock of all processes by {{seconds}}, at once?",
            passed.num_seconds(),
            by.num_seconds()
        )));
    }
    Ok(())
}

/// Returns the target's time: that of a new job.
pub(crate) async fn now(context: &Context) -> Result<DateTime<Utc>, Halt> {
    let queued = context.send(calls::generate(&calls::quiet_request(context, "The time of day"))).await?;
    demand::success(&queued)?;
    let job = context.send(calls::get_job(demand::text(demand::json(&queued)?, "job_id")?)).await?;
    demand::status(&job, 200)?;
    calls::discard(context, &queued).await?;
    moment(demand::json(&job)?, "created_at")
}
