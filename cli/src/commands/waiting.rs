//! Waiting for the article of a job, with progress for whoever watches.

use std::time::Duration;

use contentgen_sdk::types::Article;
use contentgen_sdk::{Client, Error, Response};

use super::interrupt::interrupted;
use crate::failure::Failure;
use crate::output::{Progress, Screen};

/// The code of a job that has not ended.
const NOT_READY: &str = "article_not_ready";
/// How long the last look may take, once the time to wait is over.
const LAST_LOOK: Duration = Duration::from_secs(10);

/// The article of a job, once it can be read. Whoever interrupts is told that the job goes on.
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

/// Looks once more: the job may have ended in the last moment, or before a wait that was given no time.
async fn last_look(client: &Client, job_id: &str, too_late: Error) -> Result<Response<Article>, Error> {
    let options = client.options().clone().total_timeout(LAST_LOOK).max_retries(0);
    let look = client.with_options(options).get_article(job_id).send().await;
    match look {
        Ok(article) => Ok(article),
        Err(error) if error.status().is_some() && error.code().is_some_and(|code| code != NOT_READY) => Err(error),
        // What hinders the look does not change that the time is over.
        Err(_) => Err(too_late),
    }
}
