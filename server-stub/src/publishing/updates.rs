//! Sends articles that users edited after publication to the targets of their websites. An article of the hosted site needs nothing: its
//! page shows the stored text.

use std::fmt;
use std::sync::Arc;

use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::domain::clock::Clock;
use crate::domain::post::next_publish_attempt;
use crate::domain::retry_schedule::MAX_RETRY_AFTER;
use crate::domain::store::{ClaimedUpdate, LeaseOutcome, Result, UpdateOutcome};
use crate::queue::{self, Consumer, Next, POLL_INTERVAL, retry};
use crate::storage::Store;

use super::claims::DRAIN_LIMIT;
use super::publisher::PUBLISH_TIMEOUT;
use super::runner::{LEASE, failure};
use super::{PublishError, Publisher};

/// Maximum number of updates sent at the same time. Users edit by hand, so there are few.
const MAX_IN_FLIGHT: usize = 8;

/// Sends edited articles until it is stopped.
#[derive(Clone)]
pub struct ArticleUpdates {
    store: Store,
    clock: Arc<dyn Clock>,
    publisher: Arc<dyn Publisher>,
}

impl ArticleUpdates {
    /// Creates a loop that passes edited articles in `store` to `publisher`.
    pub fn new(store: Store, clock: Arc<dyn Clock>, publisher: Arc<dyn Publisher>) -> Self {
        Self { store, clock, publisher }
    }

    /// Runs until `stop` is cancelled, then waits for the updates in flight.
    pub async fn run(self, stop: CancellationToken) {
        queue::consume(self, &Notify::new(), DRAIN_LIMIT, stop).await;
    }

    async fn send(self, claimed: ClaimedUpdate) {
        let article = &claimed.article;
        let outcome = match self.result(&claimed).await {
            Ok(_) => UpdateOutcome::Sent,
            Err(error) => {
                tracing::warn!(article_id = %article.id, attempt = claimed.attempts, %error, "sending an edited article failed");
                let now = self.clock.steady();
                match (&error, next_publish_attempt(claimed.attempts, now)) {
                    (PublishError::Unavailable { retry_after, .. }, Some(retry_at)) => {
                        let asked = retry_after.unwrap_or_default().min(MAX_RETRY_AFTER);
                        UpdateOutcome::RetryAt(retry_at.max(now.plus(asked)))
                    }
                    _ => UpdateOutcome::Failed(failure(&error).message),
                }
            }
        };
        let version = (claimed.lease_token.as_str(), article.version);
        let record = || self.store.record_update(&article.id, version, outcome.clone(), self.clock.steady());
        let recorded = retry(&article.id, "cannot store the outcome of sending an edited article", record);
        if !matches!(timeout(LEASE, recorded).await, Ok(LeaseOutcome::Recorded)) {
            tracing::warn!(article_id = %article.id, "the outcome of sending an edited article was not stored; it is sent again");
        }
    }

    async fn result(&self, claimed: &ClaimedUpdate) -> Result<String, PublishError> {
        let ClaimedUpdate { article, website, target, .. } = claimed;
        if target.is_hosted() {
            return Err(PublishError::rejected(
                "the website publishes on the hosted site now, and the article was published elsewhere",
            ));
        }
        let sent = timeout(PUBLISH_TIMEOUT, self.publisher.publish(article, website, target)).await;
        sent.unwrap_or_else(|_| Err(PublishError::unavailable("publishing timed out")))
    }
}

impl Consumer for ArticleUpdates {
    const NAME: &'static str = "the sender of edited articles";

    async fn claim(&mut self, tasks: &mut JoinSet<()>, _stop: &CancellationToken) -> Result<Next> {
        let limit = MAX_IN_FLIGHT.saturating_sub(tasks.len());
        if limit > 0 {
            let now = self.clock.steady();
            let at_most = u32::try_from(limit).unwrap_or(u32::MAX);
            for claimed in self.store.claim_updates(at_most, now, now.plus(LEASE)).await? {
                tasks.spawn(self.clone().send(claimed));
            }
        }
        Ok(Next { pause: POLL_INTERVAL, after_end: tasks.len() >= MAX_IN_FLIGHT })
    }
}

impl fmt::Debug for ArticleUpdates {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ArticleUpdates").field("publisher", &self.publisher).finish_non_exhaustive()
    }
}
