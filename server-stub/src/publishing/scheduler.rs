//! The loop that publishes what is due and announces it. Where articles go is in `publisher`.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::domain::backoff::Backoff;
use crate::domain::clock::{Clock, Moment};
use crate::domain::error_chain::ErrorChain;
use crate::domain::event::Event;
use crate::domain::id;
use crate::domain::job::Failure;
use crate::domain::post::next_publish_attempt;
use crate::domain::randomness::Randomness;
use crate::domain::store::{ClaimedPost, LeaseOutcome, PublicationQueue, PublishOutcome, Result};
use crate::failpoints::{self, Point};
use crate::metrics::Metrics;
use crate::wakeups::Wakeups;

use super::{PublishError, Publisher};

/// How long a claim holds; twice what publishing may take.
const LEASE: Duration = Duration::from_mins(1);
/// How long publishing one article may take.
const PUBLISH_TIMEOUT: Duration = Duration::from_secs(30);
/// How long after its time a post may wait when no hint comes.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Posts that are published at a time.
const MAX_BATCH: u32 = 16;

const _: () = assert!(LEASE.as_secs() >= 2 * PUBLISH_TIMEOUT.as_secs(), "a lease must outlive its work");

/// Publishes until it is stopped.
pub struct Scheduler {
    queue: Arc<dyn PublicationQueue>,
    clock: Arc<dyn Clock>,
    randomness: Arc<dyn Randomness>,
    wakeups: Arc<Wakeups>,
    publisher: Arc<dyn Publisher>,
    metrics: Arc<Metrics>,
}

impl Scheduler {
    /// A scheduler that gives what is due in `queue` to `publisher`.
    pub fn new(
        queue: Arc<dyn PublicationQueue>,
        clock: Arc<dyn Clock>,
        randomness: Arc<dyn Randomness>,
        wakeups: Arc<Wakeups>,
        publisher: Arc<dyn Publisher>,
    ) -> Self {
        Self { queue, clock, randomness, wakeups, publisher, metrics: Arc::default() }
    }

    /// The same scheduler, counted by `metrics`.
    #[must_use]
    pub fn with_metrics(self, metrics: Arc<Metrics>) -> Self {
        Self { metrics, ..self }
    }

    /// Works until `stop` is cancelled, and finishes what it then publishes. A failing database slows it down and never
    /// ends it.
    pub async fn run(self, stop: CancellationToken) {
        let mut backoff = Backoff::default();
        while !stop.is_cancelled() {
            let pause = match self.publish_due().await {
                Ok(claimed) => {
                    backoff.reset();
                    if claimed == MAX_BATCH as usize { Duration::ZERO } else { POLL_INTERVAL }
                }
                Err(error) => {
                    tracing::warn!(error = %ErrorChain(&error), "the scheduler could not reach its queue");
                    backoff.next_pause()
                }
            };
            tokio::select! {
                () = stop.cancelled() => {},
                () = self.wakeups.posts.notified() => {},
                () = sleep(pause) => {},
            }
        }
    }

    /// Publishes what is due now, up to a limit, and says how many posts were claimed.
    async fn publish_due(&self) -> Result<usize> {
        let now = self.clock.moment();
        let claimed =
            self.queue.claim_posts(MAX_BATCH, now, now.steady.plus(failpoints::lease_duration(LEASE))).await?;
        let count = claimed.len();
        for recorded in join_all(claimed.into_iter().map(|post| self.publish(post))).await {
            recorded?;
        }
        Ok(count)
    }

    async fn publish(&self, claimed: ClaimedPost) -> Result<()> {
        let ClaimedPost { post, lease_token, article, website } = claimed;
        let result = timeout(PUBLISH_TIMEOUT, self.publisher.publish(&article, &website)).await;
        let now = self.clock.moment();
        let outcome = match result.unwrap_or(Err(PublishError::Unavailable)) {
            Ok(url) => {
                let article = article.published(url, now.wall);
                let event_id = id::new(id::Kind::Event, now.wall, &*self.randomness);
                let event = Event::article_published(event_id, &post.account_id, &article, &post.id, now.wall);
                PublishOutcome::Published { article: Box::new(article), event }
            }
            Err(error) => {
                tracing::warn!(post_id = %post.id, attempt = post.attempts, %error, "publishing failed");
                match (&error, next_publish_attempt(post.attempts, now.steady)) {
                    (PublishError::Unavailable, Some(retry_at)) => PublishOutcome::RetryAt(retry_at),
                    _ => PublishOutcome::Failed(failure(&error)),
                }
            }
        };
        failpoints::hit(Point::PublishBeforeRecord);
        let is_out = matches!(outcome, PublishOutcome::Published { .. });
        match self.record(&post.id, &lease_token, outcome, now).await? {
            LeaseOutcome::Recorded if is_out => {
                self.metrics.article_published();
                self.wakeups.deliveries.notify_one();
            }
            LeaseOutcome::Recorded => {}
            LeaseOutcome::Lost => {
                tracing::info!(post_id = %post.id, "a post was taken by another process meanwhile");
            }
        }
        Ok(())
    }
}

impl Scheduler {
    /// Records the outcome, trying again as long as the lease may hold.
    async fn record(
        &self,
        post_id: &str,
        lease_token: &str,
        outcome: PublishOutcome,
        now: Moment,
    ) -> Result<LeaseOutcome> {
        let mut backoff = Backoff::default();
        let given_up_at = Instant::now() + LEASE;
        loop {
            match self.queue.record_publish(post_id, lease_token, outcome.clone(), now).await {
                Err(error) if Instant::now() >= given_up_at => return Err(error),
                Err(error) => {
                    tracing::warn!(post_id, error = %ErrorChain(&error), "the outcome of publishing is not stored yet");
                    sleep(backoff.next_pause()).await;
                }
                outcome => return outcome,
            }
        }
    }
}

fn failure(error: &PublishError) -> Failure {
    match error {
        PublishError::Unavailable => Failure {
            code: "publish_failed".to_owned(),
            message: "The destination could not be reached.".to_owned(),
            retryable: true,
        },
        PublishError::Rejected => Failure {
            code: "publish_rejected".to_owned(),
            message: "The destination refused the article.".to_owned(),
            retryable: false,
        },
    }
}

impl fmt::Debug for Scheduler {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Scheduler").field("publisher", &self.publisher).finish_non_exhaustive()
    }
}
