//! Publishes on the hosted site; see `site` for its pages.

use async_trait::async_trait;

use super::{PublishError, Publisher};
use crate::domain::account::Website;
use crate::domain::article::{Article, hosted_path};
use crate::domain::public_url::PublicUrl;
use crate::domain::store::StoredTarget;

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
        Ok(self.public_url.absolute(&hosted_path(&website.website_id, &article.content.slug)))
    }
}
