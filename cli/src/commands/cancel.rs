//! `cancel`: stops a job that has not ended.

use super::job::state;
use super::raw::raw;
use crate::arguments::Job;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::output::Screen;

/// Cancels a job and shows its new state.
pub(super) async fn cancel(options: &Job, connection: &Connection, screen: Screen) -> Result<(), Failure> {
    let job = connection.client.cancel_job(&options.job_id).send().await?;
    screen.result(|| state(&job), &raw(&job))
}
