//! Sends articles that users edited after publication to the targets of their websites. An article of the hosted site needs nothing: its
//! page shows the stored text.

use std::fmt;
use std::sync::Arc;

use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::domain::clock::Clock;
use crate::domain::store::{ClaimedUpdate, LeaseOutcome, Result, UpdateOutcome};
use crate::queue::{self, Consumer, Next, POLL_INTERVAL, retry};
use crate::storage::Store;

use super::claims::DRAIN_LIMIT;
use super::runner::{LEASE, failure, publish, retry_at};
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
                let retry = retry_at(&error, claimed.attempts, self.clock.steady());
                retry.map_or_else(|| UpdateOutcome::Failed(failure(&error).message), UpdateOutcome::RetryAt)
            }
        };
        let version = (claimed.lease_token.as_str(), article.version);
        let record = || self.store.record_update(&article.id, version, outcome.clone(), self.clock.steady());
        let recorded = retry(&article.id, "cannot store the outcome of sending an edited article", record);
        match timeout(LEASE, recorded).await {
            Ok(LeaseOutcome::Recorded) => {}
            Ok(LeaseOutcome::Lost) => {
                tracing::info!(article_id = %article.id, "an edited article was claimed by another process, or it was taken down");
            }
            Err(_) => {
                tracing::warn!(article_id = %article.id, "the outcome of sending an edited article was not stored; it is sent again");
            }
        }
    }

    async fn result(&self, claimed: &ClaimedUpdate) -> Result<String, PublishError> {
        let ClaimedUpdate { article, website, target, .. } = claimed;
        if target.is_hosted() {
            return Err(PublishError::rejected(
                "the website publishes on the hosted site now, and the article was published elsewhere",
            ));
        }
        publish(&*self.publisher, article, website, target).await
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
