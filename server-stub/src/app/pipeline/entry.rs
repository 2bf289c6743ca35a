//! Reads the posts of the pipeline: the board, and one post with its website, job and article.

use futures::future::try_join_all;

use super::super::{App, Error};
use super::publish_time::PublishTimeError;
use crate::domain::account::Website;
use crate::domain::article::Article;
use crate::domain::job::Job;
use crate::domain::language_model::ModelUsage;
use crate::domain::post::{PostStatus, ScheduledPost};
use crate::domain::store::{self, PageRequest, PostFilter, StoredArticle};
use crate::domain::visibility::Visibility;

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
    pub async fn pipeline_entry(&self, visibility: &Visibility, post_id: &str) -> Result<PipelineEntry, PipelineError> {
        let post = self.visible_post(visibility, post_id).await?;
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
        let article = article.as_ref().map(StoredArticle::article).transpose()?;
        Ok(PipelineEntry { post, website, job, model_usage, article })
    }

    pub(super) async fn visible_post(
        &self,
        visibility: &Visibility,
        post_id: &str,
    ) -> Result<ScheduledPost, PipelineError> {
        let post = self.store.find_post(post_id).await?;
        post.filter(|post| visibility.sees(&post.account_id, &post.website_id)).ok_or(PipelineError::NotFound)
    }
}

/// The posts of one state.
#[derive(Debug, Clone)]
pub struct BoardColumn {
    /// State of the posts.
    pub status: PostStatus,
    /// Posts, newest first, up to the requested number, each with the progress of its running job.
    pub posts: Vec<(ScheduledPost, Option<u8>)>,
    /// True if there are more posts in this state.
    pub has_more: bool,
}

impl App {
    /// Returns the newest posts of these states, up to the given number of each; only of one website if `website_id` is given.
    pub async fn pipeline_board(
        &self,
        visibility: &Visibility,
        website_id: Option<&str>,
        states: &[(PostStatus, u32)],
    ) -> Result<Vec<BoardColumn>, PipelineError> {
        try_join_all(states.iter().map(|(status, limit)| self.column(visibility, website_id, *status, *limit))).await
    }

    async fn column(
        &self,
        visibility: &Visibility,
        website_id: Option<&str>,
        status: PostStatus,
        limit: u32,
    ) -> Result<BoardColumn, PipelineError> {
        let filter = PostFilter { website_id: website_id.map(str::to_owned), status: Some(status) };
        // One more than requested shows whether there are more.
        let page = PageRequest { after: None, limit: limit + 1 };
        let mut posts = self.store.list_posts(visibility, &filter, &page).await?;
        let has_more = posts.len() > limit as usize;
        posts.truncate(limit as usize);
        let with_progress = posts.into_iter().map(async |post| {
            let progress = match (&post.job_id, status) {
                (Some(job_id), PostStatus::Generating) => self.store.find_job(job_id).await?.map(|job| job.progress),
                _ => None,
            };
            Ok::<_, PipelineError>((post, progress))
        });
        Ok(BoardColumn { status, posts: try_join_all(with_progress).await?, has_more })
    }
}

/// Reason why an action was refused. Each message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum PipelineError {
    /// The account has no such post.
    #[error("there is no such scheduled post")]
    NotFound,
    /// The state of the post does not allow the action.
    #[error("this is not possible while the article is {}; go back to see what is possible now", .0.as_str())]
    NotAllowed(PostStatus),
    /// The publishing time is not possible.
    #[error(transparent)]
    Time(#[from] PublishTimeError),
    /// The request breaks a rule of the API, or cannot be queued.
    #[error(transparent)]
    Request(#[from] Error),
    /// The store refused or failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}
