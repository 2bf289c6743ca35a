//! Publishing on the hosted site, whose pages are made in `site`.

use async_trait::async_trait;

use super::{PublishError, Publisher};
use crate::domain::account::Website;
use crate::domain::article::{Article, hosted_path};
use crate::domain::public_url::PublicUrl;
use crate::domain::store::StoredTarget;

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
    async fn publish(
        &self,
        article: &Article,
        website: &Website,
        _target: &StoredTarget,
    ) -> Result<String, PublishError> {
        Ok(self.public_url.absolute(&hosted_path(&website.website_id, &article.content.slug)))
    }
}
