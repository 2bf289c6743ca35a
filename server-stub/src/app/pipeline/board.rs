//! Returns the board: the newest posts of each state.

use futures::future::try_join_all;

use super::super::service::App;
use super::error::PipelineError;
use crate::domain::account::Scope;
use crate::domain::post::{PostStatus, ScheduledPost};
use crate::domain::store::{PageRequest, PostFilter};

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
        scope: &Scope,
        website_id: Option<&str>,
        states: &[(PostStatus, u32)],
    ) -> Result<Vec<BoardColumn>, PipelineError> {
        try_join_all(states.iter().map(|(status, limit)| self.column(scope, website_id, *status, *limit))).await
    }

    async fn column(
        &self,
        scope: &Scope,
        website_id: Option<&str>,
        status: PostStatus,
        limit: u32,
    ) -> Result<BoardColumn, PipelineError> {
        let filter = PostFilter { website_id: website_id.map(str::to_owned), status: Some(status) };
        // One more than requested shows whether there are more.
        let page = PageRequest { after: None, limit: limit + 1 };
        let mut posts = self.store.list_posts(scope, &filter, &page).await?;
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
