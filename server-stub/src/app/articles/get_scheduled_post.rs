//! `get_scheduled_post`: returns one scheduled post.

use super::super::caller::Caller;
use super::super::error::Error;
use super::super::service::App;
use crate::domain::post::ScheduledPost;

impl App {
    /// Returns the scheduled post, equal to its item in the list.
    ///
    /// # Errors
    /// Fails if the caller sees no scheduled post with this id, or if the store fails.
    pub async fn get_scheduled_post(&self, caller: &Caller, post_id: &str) -> Result<ScheduledPost, Error> {
        let post = self.store.find_post(post_id).await?;
        post.filter(|post| caller.scope.sees(&post.account_id, &post.website_id)).ok_or(Error::ScheduledPostNotFound)
    }
}
