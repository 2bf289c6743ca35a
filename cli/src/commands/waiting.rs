//! Waits for the article of a job, with a progress bar on a terminal.

use std::time::Duration;

use contentgen_sdk::types::Article;
use contentgen_sdk::{Client, Error, RequestOptions, Response};

use super::interrupt::interrupted;
use crate::failure::Failure;
use crate::output::{Progress, Screen};

/// Code of a job that has not ended.
const NOT_READY: &str = "article_not_ready";
/// Time limit of the last poll after the timeout of the wait.
const LAST_LOOK: Duration = Duration::from_secs(10);

/// Returns the article of a job once it is readable. An interrupt says that the job continues.
pub(super) async fn article_of(
    client: &Client,
    job_id: &str,
    timeout: Duration,
    screen: Screen,
) -> Result<Response<Article>, Failure> {
    let progress = Progress::start(screen);
    let wait = client.wait_for_article(job_id).timeout(timeout).on_progress(|job| progress.show(job));
    let outcome = async {
        match wait.await {
            Err(error) if error.is_timeout() && error.job_id().is_some() => last_look(client, job_id, error).await,
            outcome => outcome,
        }
    };
    tokio::select! {
        biased;
        outcome = outcome => Ok(outcome?),
        signal = interrupted() => Err(Failure::stopped(signal).while_waiting(job_id)),
    }
}

/// Polls once more: the job may have ended in the last moment, or before a wait with a zero timeout.
async fn last_look(client: &Client, job_id: &str, too_late: Error) -> Result<Response<Article>, Error> {
    let options = RequestOptions::default().total_timeout(LAST_LOOK).max_retries(0);
    let look = client.with_options(options).get_article(job_id).send().await;
    match look {
        Ok(article) => Ok(article),
        Err(error) if error.status().is_some() && error.code().is_some_and(|code| code != NOT_READY) => Err(error),
        // If this poll fails, report the timeout anyway.
        Err(_) => Err(too_late),
    }
}
