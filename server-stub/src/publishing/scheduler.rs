//! Loop that publishes due posts and records their events. See `target_publisher` for the destinations.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::domain::backoff::Backoff;
use crate::domain::clock::{Clock, Moment};
use crate::domain::error_chain::ErrorChain;
use crate::domain::event::Event;
use crate::domain::hook::MAX_RETRY_AFTER;
use crate::domain::id;
use crate::domain::job::Failure;
use crate::domain::post::next_publish_attempt;
use crate::domain::randomness::Randomness;
use crate::domain::store::{ClaimedPost, LeaseOutcome, PublishOutcome, PushesInFlight, Result};
use crate::failpoints::{self, Point};
use crate::metrics::Metrics;
use crate::storage::Store;
use crate::wakeups::Wakeups;

use super::in_flight::{Ended, InFlight};
use super::publisher::{PUBLISH_TIMEOUT, own_address};
use super::{PublishError, Publisher};

/// Duration of a lease: twice the maximum time of publishing.
const LEASE: Duration = Duration::from_mins(1);
/// Maximum delay of a due post if no wake-up arrives.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Maximum number of posts in one claim.
const MAX_BATCH: usize = 16;

const _: () = assert!(LEASE.as_secs() >= 2 * PUBLISH_TIMEOUT.as_secs(), "a lease must outlive its work");

/// Publishes due posts until it is stopped.
pub struct Scheduler {
    store: Store,
    clock: Arc<dyn Clock>,
    randomness: Arc<dyn Randomness>,
    wakeups: Arc<Wakeups>,
    publisher: Arc<dyn Publisher>,
    metrics: Arc<Metrics>,
}

impl Scheduler {
    /// Creates a scheduler that passes due posts in `store` to `publisher`.
    pub fn new(
        store: Store,
        clock: Arc<dyn Clock>,
        randomness: Arc<dyn Randomness>,
        wakeups: Arc<Wakeups>,
        publisher: Arc<dyn Publisher>,
    ) -> Self {
        Self { store, clock, randomness, wakeups, publisher, metrics: Arc::default() }
    }

    /// Returns the scheduler with `metrics` attached.
    #[must_use]
    pub fn with_metrics(self, metrics: Arc<Metrics>) -> Self {
        Self { metrics, ..self }
    }

    /// Runs until `stop` is cancelled, then waits for the posts in flight. A failing database slows the loop down but never ends
    /// it.
    pub async fn run(self, stop: CancellationToken) {
        let scheduler = Arc::new(self);
        let mut in_flight = InFlight::default();
        let mut backoff = Backoff::default();
        while !stop.is_cancelled() {
            while let Some(ended) = in_flight.try_next() {
                report(ended);
            }
            let free = in_flight.free().min(MAX_BATCH);
            let pause = match scheduler.claim(free, &in_flight.pushes()).await {
                Ok(claimed) => {
                    backoff.reset();
                    // Further posts may be due behind pushes that reached their website's limit.
                    let has_more = claimed.len() == free || claimed.iter().any(|post| post.target.is_push());
                    for post in claimed {
                        let scheduler = Arc::clone(&scheduler);
                        let pushed_for = post.target.is_push().then(|| post.website.website_id.clone());
                        in_flight.spawn(pushed_for, async move { scheduler.publish(post).await });
                    }
                    if has_more && in_flight.free() > 0 { Duration::ZERO } else { POLL_INTERVAL }
                }
                Err(error) => {
                    tracing::warn!(error = %ErrorChain(&error), "the scheduler cannot read its queue; it retries");
                    backoff.next_pause()
                }
            };
            let (is_full, holds_back) = (in_flight.free() == 0, in_flight.holds_back());
            tokio::select! {
                () = stop.cancelled() => {},
                () = scheduler.wakeups.posts.notified(), if !is_full => {},
                Some(ended) = in_flight.next(), if holds_back => report(ended),
                () = sleep(pause) => {},
            }
        }
        while let Some(ended) = in_flight.next().await {
            report(ended);
        }
    }

    /// Claims up to `limit` due posts.
    async fn claim(&self, limit: usize, pushes: &PushesInFlight) -> Result<Vec<ClaimedPost>> {
        if limit == 0 {
            return Ok(Vec::new());
        }
        let now = self.clock.moment();
        let limit = u32::try_from(limit).expect("so few are in flight");
        self.store.claim_posts(limit, pushes, now, now.steady.plus(failpoints::lease_duration(LEASE))).await
    }

    async fn publish(&self, claimed: ClaimedPost) -> Result<()> {
        let ClaimedPost { post, lease_token, article, website, target } = claimed;
        // The former target may have set another canonical address.
        let own_address = own_address(&article, &website);
        let article = article.with_canonical_url(own_address);
        let result = timeout(PUBLISH_TIMEOUT, self.publisher.publish(&article, &website, &target)).await;
        let now = self.clock.moment();
        let outcome = match result.unwrap_or_else(|_| Err(PublishError::unavailable("publishing timed out"))) {
            Ok(url) => {
                // A hosted article keeps its address on the website as canonical URL. Elsewhere, the canonical URL is the published
                // address.
                let article = if target.is_hosted() { article } else { article.with_canonical_url(url.clone()) };
                let article = article.published(url, now.wall);
                let event_id = id::new(id::Kind::Event, now.wall, &*self.randomness);
                let event = Event::article_published(event_id, &post.account_id, &article, &post.id, now.wall);
                PublishOutcome::Published { article: Box::new(article), event }
            }
            Err(error) => {
                tracing::warn!(post_id = %post.id, attempt = post.attempts, %error, "publishing failed");
                match (&error, next_publish_attempt(post.attempts, now.steady)) {
                    (PublishError::Unavailable { retry_after, .. }, Some(retry_at)) => {
                        let asked = retry_after.unwrap_or_default().min(MAX_RETRY_AFTER);
                        PublishOutcome::RetryAt(retry_at.max(now.steady.plus(asked)))
                    }
                    _ => PublishOutcome::Failed(failure(&error)),
                }
            }
        };
        failpoints::hit(Point::PublishBeforeRecord);
        let is_out = matches!(outcome, PublishOutcome::Published { .. });
        match self.record(&post.id, &lease_token, outcome, now).await? {
            LeaseOutcome::Recorded if is_out => self.metrics.article_published(),
            LeaseOutcome::Recorded => {}
            LeaseOutcome::Lost => {
                tracing::info!(post_id = %post.id, "a post was claimed by another process");
            }
        }
        Ok(())
    }
}

impl Scheduler {
    /// Records the outcome, with retries while the lease may last.
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
            match self.store.record_publish(post_id, lease_token, outcome.clone(), now).await {
                Err(error) if Instant::now() >= given_up_at => return Err(error),
                Err(error) => {
                    tracing::warn!(post_id, error = %ErrorChain(&error), "cannot store the outcome of publishing; retrying");
                    sleep(backoff.next_pause()).await;
                }
                outcome => return outcome,
            }
        }
    }
}

/// Logs a post whose outcome was not recorded. After its lease ends, the post is published again under the same id.
fn report(ended: Ended) {
    match ended {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            tracing::warn!(error = %ErrorChain(&error), "the outcome of publishing was not stored; the post will be published again");
        }
        Err(error) => tracing::error!(%error, "a publishing task failed"),
    }
}

fn failure(error: &PublishError) -> Failure {
    match error {
        PublishError::Unavailable { reason, .. } => Failure {
            code: "publish_failed".to_owned(),
            message: format!("The destination is unavailable: {reason}."),
            retryable: true,
        },
        PublishError::Rejected { reason } => Failure {
            code: "publish_rejected".to_owned(),
            message: format!("The destination refused the article: {reason}."),
            retryable: false,
        },
    }
}

impl fmt::Debug for Scheduler {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Scheduler").field("publisher", &self.publisher).finish_non_exhaustive()
    }
}
