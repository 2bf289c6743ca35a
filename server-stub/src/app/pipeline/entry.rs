//! Reads one post with its website, job and article.

use super::super::service::App;
use super::error::PipelineError;
use crate::domain::account::{Scope, Website};
use crate::domain::article::Article;
use crate::domain::job::Job;
use crate::domain::language_model::ModelUsage;
use crate::domain::post::ScheduledPost;
use crate::domain::store;

/// A post with its website, job and article.
#[derive(Debug, Clone)]
pub struct PipelineEntry {
    /// The post.
    pub post: ScheduledPost,
    /// Its website.
    pub website: Website,
    /// The newest job that writes its article.
    pub job: Option<Job>,
    /// Language model usage of that job, if any.
    pub model_usage: Option<ModelUsage>,
    /// The article, once it is written.
    pub article: Option<Article>,
}

impl App {
    /// Returns the post with this id.
    pub async fn pipeline_entry(&self, scope: &Scope, post_id: &str) -> Result<PipelineEntry, PipelineError> {
        let post = self.visible_post(scope, post_id).await?;
        let website = self.store.find_website(&post.website_id).await?.ok_or(PipelineError::NotFound)?;
        let job = match &post.job_id {
            Some(job_id) => self.store.find_job(job_id).await?,
            None => None,
        };
        let model_usage = match &post.job_id {
            Some(job_id) => self.store.model_usage(job_id).await?,
            None => None,
        };
        let article = match &post.article_id {
            Some(article_id) => self.store.find_article(article_id).await?,
            None => None,
        };
        let article = article.map(|article| serde_json::from_slice(&article.body)).transpose();
        let article = article.map_err(|error| store::Error::Broken(error.into()))?;
        Ok(PipelineEntry { post, website, job, model_usage, article })
    }

    pub(super) async fn visible_post(&self, scope: &Scope, post_id: &str) -> Result<ScheduledPost, PipelineError> {
        let post = self.store.find_post(post_id).await?;
        post.filter(|post| scope.sees(&post.account_id, &post.website_id)).ok_or(PipelineError::NotFound)
    }
}
