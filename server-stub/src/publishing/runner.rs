//! Runs one post from its claim to its recorded outcome. `claims` claims posts, `publisher` chooses the destination.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;

use crate::domain::account::Website;
use crate::domain::article::Article;
use crate::domain::clock::{Clock, Timestamp};
use crate::domain::event::Event;
use crate::domain::failure::Failure;
use crate::domain::id;
use crate::domain::post::next_publish_attempt;
use crate::domain::randomness::Randomness;
use crate::domain::retry_schedule::MAX_RETRY_AFTER;
use crate::domain::store::{ClaimedPost, LeaseOutcome, PublishOutcome, StoredTarget};
use crate::failpoints::{self, Point};
use crate::metrics::Metrics;
use crate::queue::retry;
use crate::storage::Store;

use super::capacity::PushInFlight;
use super::publisher::PUBLISH_TIMEOUT;
use super::{PublishError, Publisher};

/// Duration of a lease: twice the maximum time of publishing.
pub(super) const LEASE: Duration = Duration::from_mins(1);

const _: () = assert!(LEASE.as_secs() >= 2 * PUBLISH_TIMEOUT.as_secs(), "a lease must outlive its work");

/// Publishes claimed posts, each in a separate task.
pub(super) struct PostRunner {
    pub(super) store: Store,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) randomness: Arc<dyn Randomness>,
    pub(super) publisher: Arc<dyn Publisher>,
    pub(super) metrics: Arc<Metrics>,
}

impl PostRunner {
    /// Publishes a claimed post and records the outcome. `_push` counts it until then if the target is a push.
    pub(super) async fn run(self: Arc<Self>, claimed: ClaimedPost, _push: Option<PushInFlight>) {
        let ClaimedPost { post, lease_token, article, website, target } = claimed;
        let result = publish(&*self.publisher, &article, &website, &target).await;
        let now = self.clock.moment();
        let outcome = match result {
            Ok(url) => {
                let article = article.published(url, now.wall);
                let event_id = id::new(id::Kind::Event, now.wall, &*self.randomness);
                let event = Event::article_published(event_id, &post.account_id, &article, &post.id, now.wall);
                PublishOutcome::Published { article: Box::new(article), is_hosted: target.is_hosted(), event }
            }
            Err(error) => {
                tracing::warn!(post_id = %post.id, attempt = post.attempts, %error, "publishing failed");
                let retry = retry_at(&error, post.attempts, now.steady);
                retry.map_or_else(|| PublishOutcome::Failed(failure(&error)), PublishOutcome::RetryAt)
            }
        };
        failpoints::hit(Point::PublishBeforeRecord);
        let is_out = matches!(outcome, PublishOutcome::Published { .. });
        let record = || self.store.record_publish(&post.id, &lease_token, outcome.clone(), now);
        match timeout(LEASE, retry(&post.id, "cannot store the outcome of publishing", record)).await {
            Ok(LeaseOutcome::Recorded) if is_out => self.metrics.article_published(),
            Ok(LeaseOutcome::Recorded) => {}
            Ok(LeaseOutcome::Lost) => {
                tracing::info!(post_id = %post.id, "a post was claimed by another process");
            }
            // The target gets the post again under the same id.
            Err(_) => {
                tracing::warn!(post_id = %post.id, "the outcome of publishing was not stored; the post will be published again");
            }
        }
    }
}

/// Passes an article to the publisher, with the time limit of publishing.
pub(super) async fn publish(
    publisher: &dyn Publisher,
    article: &Article,
    website: &Website,
    target: &StoredTarget,
) -> Result<String, PublishError> {
    let published = timeout(PUBLISH_TIMEOUT, publisher.publish(article, website, target)).await;
    published.unwrap_or_else(|_| Err(PublishError::unavailable("publishing timed out")))
}

/// Returns the time of the next attempt after this error; `None` ends the attempts.
pub(super) fn retry_at(error: &PublishError, attempts: u32, now: Timestamp) -> Option<Timestamp> {
    let PublishError::Unavailable { retry_after, .. } = error else { return None };
    let asked = now.plus(retry_after.unwrap_or_default().min(MAX_RETRY_AFTER));
    next_publish_attempt(attempts, now).map(|retry_at| retry_at.max(asked))
}

/// Returns the failure that users see.
pub(super) fn failure(error: &PublishError) -> Failure {
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
