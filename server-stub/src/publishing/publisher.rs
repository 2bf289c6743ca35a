//! What a destination of articles does, and how it fails. When it is asked, and what follows a failure, is decided in `scheduler`.

use std::time::Duration;

use async_trait::async_trait;

use crate::domain::account::Website;
use crate::domain::article::Article;
use crate::domain::store::StoredTarget;

/// How long publishing one article may take.
pub(super) const PUBLISH_TIMEOUT: Duration = Duration::from_secs(30);

/// Why an article was not published. The reasons are told to the website's users: they name no address and no file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PublishError {
    /// It may succeed later.
    #[error("the destination is unavailable: {reason}")]
    Unavailable {
        /// What happened, such as `it responded with status 503`.
        reason: String,
        /// The pause that the destination asked for.
        retry_after: Option<Duration>,
    },
    /// Trying again does not help by itself: somebody has to change something first.
    #[error("the destination refused the article: {reason}")]
    Rejected {
        /// What happened.
        reason: String,
    },
}

impl PublishError {
    /// It may succeed later, whenever that is.
    pub fn unavailable(reason: impl Into<String>) -> Self {
        Self::Unavailable { reason: reason.into(), retry_after: None }
    }

    /// Trying again does not help by itself.
    pub fn rejected(reason: impl Into<String>) -> Self {
        Self::Rejected { reason: reason.into() }
    }
}

/// A destination of articles.
#[async_trait]
pub trait Publisher: Send + Sync + std::fmt::Debug {
    /// Publishes the article where its website wants it, and returns the address at which it can be read. The same article may come
    /// again after a crash and must then end at the same address.
    async fn publish(
        &self,
        article: &Article,
        website: &Website,
        target: &StoredTarget,
    ) -> Result<String, PublishError>;
}

/// Where the article is on its website unless a system says another address.
pub(super) fn own_address(article: &Article, website: &Website) -> String {
    format!("{}/{}", website.url.trim_end_matches('/'), article.content.slug)
}
