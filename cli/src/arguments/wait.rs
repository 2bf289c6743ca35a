//! The options of `wait`.

use std::time::Duration;

use clap::Args;

use super::duration;

/// The job to wait for, and the time limit.
#[derive(Debug, Args)]
pub(crate) struct Wait {
    /// The job's id, as `generate` printed it
    #[arg(value_name = "JOB_ID")]
    pub(crate) job_id: String,
    /// How long to wait, such as 90s or 5m
    #[arg(long, value_name = "DURATION", default_value = "15m", value_parser = duration::parse)]
    pub(crate) timeout: Duration,
}
