//! Where articles are published. When, and what follows a failure, is decided in `scheduler`.

use async_trait::async_trait;

use crate::domain::account::Website;
use crate::domain::article::Article;
use crate::domain::public_url::PublicUrl;

/// Why an article was not published.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// It may succeed later.
    #[error("the destination is unavailable")]
    Unavailable,
    /// It will never succeed with this article.
    #[error("the destination refused the article")]
    Rejected,
}

/// A destination of articles.
#[async_trait]
pub trait Publisher: Send + Sync + std::fmt::Debug {
    /// Publishes the article and returns the address at which it can be read. The same article may come again after a crash and
    /// must then end at the same address.
    async fn publish(&self, article: &Article, website: &Website) -> Result<String, PublishError>;
}

/// The hosted site. It reads the database, so publishing only makes the address.
#[derive(Debug, Clone)]
pub struct HostedSite {
    public_url: PublicUrl,
}

impl HostedSite {
    /// Pages under `public_url`, the address by which readers reach this server.
    pub const fn new(public_url: PublicUrl) -> Self {
        Self { public_url }
    }
}

#[async_trait]
impl Publisher for HostedSite {
    async fn publish(&self, article: &Article, website: &Website) -> Result<String, PublishError> {
        Ok(self.public_url.absolute(&format!("/sites/{}/{}", website.website_id, article.content.slug)))
    }
}
