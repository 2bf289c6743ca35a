//! Waiting for the article of a job, with progress for whoever watches.

use std::time::Duration;

use contentgen_sdk::types::Article;
use contentgen_sdk::{Client, Response};

use super::interrupt::interrupted;
use crate::failure::Failure;
use crate::output::{Progress, Screen};

/// The article of a job, once it can be read. Whoever interrupts is told that the job goes on.
pub(super) async fn article_of(
    client: &Client,
    job_id: &str,
    timeout: Duration,
    screen: Screen,
) -> Result<Response<Article>, Failure> {
    let progress = Progress::start(screen);
    let wait = client.wait_for_article(job_id).timeout(timeout).on_progress(|job| progress.show(job));
    tokio::select! {
        biased;
        outcome = async { wait.await } => Ok(outcome?),
        () = interrupted() => Err(Failure::interrupted(Some(job_id))),
    }
}
