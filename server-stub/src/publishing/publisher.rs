//! Interface of a publishing destination, and its errors. See `runner` for timing and retries.

use std::time::Duration;

use async_trait::async_trait;

use crate::domain::account::Website;
use crate::domain::article::Article;
use crate::domain::store::StoredTarget;

/// Maximum time to publish one article.
pub(super) const PUBLISH_TIMEOUT: Duration = Duration::from_secs(30);

/// Why an article was not published. Users see the reasons, so a reason never contains an address or a file name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PublishError {
    /// Temporary failure: a retry may succeed.
    #[error("the destination is unavailable: {reason}")]
    Unavailable {
        /// Description of the failure, such as `it responded with status 503`.
        reason: String,
        /// Delay that the destination requested.
        retry_after: Option<Duration>,
    },
    /// Permanent failure: a retry cannot succeed until a user or the operator changes something.
    #[error("the destination refused the article: {reason}")]
    Rejected {
        /// Description of the failure.
        reason: String,
    },
}

impl PublishError {
    /// Returns a temporary failure without a requested delay.
    pub fn unavailable(reason: impl Into<String>) -> Self {
        Self::Unavailable { reason: reason.into(), retry_after: None }
    }

    /// Returns a permanent failure.
    pub fn rejected(reason: impl Into<String>) -> Self {
        Self::Rejected { reason: reason.into() }
    }
}

/// Publishing destination.
#[async_trait]
pub trait Publisher: Send + Sync + std::fmt::Debug {
    /// Publishes the article at its website's target, and returns its public address. After a crash, the same article may be
    /// published again; it must then get the same address.
    async fn publish(
        &self,
        article: &Article,
        website: &Website,
        target: &StoredTarget,
    ) -> Result<String, PublishError>;
}

/// Returns the article's address on its website, used unless the target returns another one.
pub(super) fn own_address(article: &Article, website: &Website) -> String {
    format!("{}/{}", website.url.trim_end_matches('/'), article.content.slug)
}
