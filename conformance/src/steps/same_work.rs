//! How long a writer takes for a job, told by another job with the same body.

use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::calls::{finished, queue};
use crate::check::{Context, Halt};

/// The least time that is waited after the other job has ended.
const LEAST: Duration = Duration::from_millis(150);

/// A job like another one that was cancelled. A writer that goes on with that one all the same is done with it a little after this.
pub(crate) struct SameWork {
    job_id: String,
    begun: Instant,
}

impl SameWork {
    /// Queues it: after the other one, or right beside it where what is looked for comes at that one's end.
    pub(crate) async fn begin(context: &Context, body: &Value) -> Result<Self, Halt> {
        let begun = Instant::now();
        Ok(Self { job_id: queue(context, body).await?, begun })
    }

    /// Waits until it has been written, and a little longer.
    pub(crate) async fn done(self, context: &Context) -> Result<(), Halt> {
        finished(context, &self.job_id).await?;
        context.waiting(tokio::time::sleep((self.begun.elapsed() / 4).max(LEAST))).await;
        Ok(())
    }
}
