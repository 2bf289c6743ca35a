//! Measures how long the writing of a job takes, by another job with the same body.

use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::calls::{finished, queue};
use crate::check::{Context, Halt};

/// Minimum time to wait after the other job has ended.
const LEAST: Duration = Duration::from_millis(150);

/// A job with the same body as a cancelled one. A writer that still writes the cancelled article is done a little after this job.
pub(crate) struct SameWork {
    job_id: String,
    begun: Instant,
}

impl SameWork {
    /// Queues the job.
    pub(crate) async fn begin(context: &Context, body: &Value) -> Result<Self, Halt> {
        let begun = Instant::now();
        Ok(Self { job_id: queue(context, body).await?, begun })
    }

    /// Waits until the job has ended, and a little longer.
    pub(crate) async fn done(self, context: &Context) -> Result<(), Halt> {
        finished(context, &self.job_id).await?;
        context.waiting(tokio::time::sleep((self.begun.elapsed() / 4).max(LEAST))).await;
        Ok(())
    }
}
