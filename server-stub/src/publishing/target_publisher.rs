//! Publishes each article at its website's target.

use async_trait::async_trait;

use super::publisher::own_address;
use super::{Directory, HostedSite, PublishError, Publisher, Push};
use crate::domain::account::Website;
use crate::domain::article::Article;
use crate::domain::publishing_target::PublishingTarget;
use crate::domain::store::StoredTarget;

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
        match target {
            PublishingTarget::Hosted => self.hosted.publish(article, website, target).await,
            PublishingTarget::Directory { folder, front_matter } => {
                let Some(directory) = &self.directory else {
                    tracing::error!("cannot publish an article as a file; start the server with --publish-root");
                    return Err(PublishError::unavailable(
                        "this server has no folder for files; ask the operator to set --publish-root",
                    ));
                };
                directory.publish(article, folder, *front_matter).await?;
                Ok(own_address(article, website))
            }
            PublishingTarget::Push { url, secret } => {
                let secret = secret.as_ref().map_err(|error| PublishError::rejected(error.to_string()))?;
                let told = self.push.publish(article, url, secret).await?;
                Ok(told.unwrap_or_else(|| own_address(article, website)))
            }
        }
    }
}
