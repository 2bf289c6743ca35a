//! Interface of a publishing destination, its errors, and the publisher that passes each article to the target of its website. See
//! `runner` for timing and retries.

use std::time::Duration;

use async_trait::async_trait;

use super::{Directory, Push};
use crate::domain::account::Website;
use crate::domain::article::Article;
use crate::domain::public_url::PublicUrl;
use crate::domain::publishing_target::PublishingTarget;
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

/// Hosted site. It reads articles from the database, so publishing only returns the address.
#[derive(Debug, Clone)]
pub struct HostedSite {
    public_url: PublicUrl,
}

impl HostedSite {
    /// Creates a site with pages under `public_url`, the address at which readers reach this server.
    pub const fn new(public_url: PublicUrl) -> Self {
        Self { public_url }
    }
}

#[async_trait]
impl Publisher for HostedSite {
    async fn publish(
        &self,
        article: &Article,
        website: &Website,
        _target: &StoredTarget,
    ) -> Result<String, PublishError> {
        Ok(website.article_address(&article.content.slug, true, &self.public_url))
    }
}

/// All publishing destinations of a server.
#[derive(Debug)]
pub struct TargetPublisher {
    /// Hosted site, the default target.
    pub hosted: HostedSite,
    /// Files; `None` if the operator configured no folder.
    pub directory: Option<Directory>,
    /// Requests to customers' systems.
    pub push: Push,
}

#[async_trait]
impl Publisher for TargetPublisher {
    async fn publish(
        &self,
        article: &Article,
        website: &Website,
        target: &StoredTarget,
    ) -> Result<String, PublishError> {
        // An edited article keeps its address. Until the target reports another address, readers find a new one on its website.
        let address = article.url.clone().unwrap_or_else(|| {
            website.article_address(&article.content.slug, target.is_hosted(), &self.hosted.public_url)
        });
        let addressed = || article.clone().with_canonical_url(address.clone());
        match target {
            PublishingTarget::Hosted => Ok(address),
            PublishingTarget::Directory { folder, front_matter } => {
                let Some(directory) = &self.directory else {
                    tracing::error!("cannot publish an article as a file; start the server with --publish-root");
                    return Err(PublishError::unavailable(
                        "this server has no folder for files; ask the operator to set --publish-root",
                    ));
                };
                directory.publish(&addressed(), folder, *front_matter).await?;
                Ok(address)
            }
            PublishingTarget::Push { url, secret } => {
                let secret = secret.as_ref().map_err(|error| PublishError::rejected(error.to_string()))?;
                let told = self.push.publish(&addressed(), url, secret).await?;
                Ok(told.unwrap_or(address))
            }
        }
    }
}
