//! Approves, reschedules, unschedules and cancels posts.

use super::super::error::Error;
use super::super::service::App;
use super::error::PipelineError;
use super::publish_time::{PublishTime, PublishTimeError};
use crate::domain::account::Scope;
use crate::domain::audit::Action;
use crate::domain::post::{PostChange, PostStatus, ScheduledPost};
use crate::domain::time_zone::TimeZone;

impl App {
    /// Approves a ready post or reschedules a scheduled one for `time`.
    pub async fn schedule_post(
        &self,
        scope: &Scope,
        post_id: &str,
        time: PublishTime<'_>,
    ) -> Result<ScheduledPost, PipelineError> {
        let post = self.visible_post(scope, post_id).await?;
        let website = self.store.find_website(&post.website_id).await?.ok_or(PipelineError::NotFound)?;
        let publish_at = time.moment(TimeZone::or_utc(&website.time_zone), self.clock.wall())?;
        let action = if post.status == PostStatus::Ready { Action::PostApproved } else { Action::PostRescheduled };
        let detail = publish_at.map_or_else(|| "at once".to_owned(), |time| time.to_string());
        self.change_post(&post, PostChange::Schedule(publish_at), action, Some(&detail)).await
    }

    /// Approves a ready post or reschedules a scheduled one for the next free slot of its website.
    pub async fn schedule_post_in_slot(&self, scope: &Scope, post_id: &str) -> Result<ScheduledPost, PipelineError> {
        let post = self.visible_post(scope, post_id).await?;
        let website = self.store.find_website(&post.website_id).await?.ok_or(PipelineError::NotFound)?;
        if website.publishing_slots.is_empty() {
            return Err(PublishTimeError::NoSlots.into());
        }
        let action = if post.status == PostStatus::Ready { Action::PostApproved } else { Action::PostRescheduled };
        let store = self.audited(&post.account_id, (action, Some(&post.id)), Some("in the next free slot"));
        if let Some(changed) = store.schedule_in_slot(&post.id, self.clock.moment()).await? {
            return Ok(changed);
        }
        match self.visible_post(scope, post_id).await?.status {
            PostStatus::Ready | PostStatus::Scheduled => Err(PublishTimeError::NoFreeSlot.into()),
            status => Err(PipelineError::NotAllowed(status)),
        }
    }

    /// Removes the time of a scheduled post, so that it waits for approval.
    pub async fn unschedule_post(&self, scope: &Scope, post_id: &str) -> Result<ScheduledPost, PipelineError> {
        let post = self.visible_post(scope, post_id).await?;
        self.change_post(&post, PostChange::Unschedule, Action::PostUnscheduled, None).await
    }

    /// Cancels a post, and its job if the job has not ended.
    pub async fn cancel_post(&self, scope: &Scope, post_id: &str) -> Result<(), PipelineError> {
        let post = self.visible_post(scope, post_id).await?;
        match (post.status, &post.job_id) {
            (PostStatus::Queued | PostStatus::Generating, Some(job_id)) => {
                let store = self.audited(&post.account_id, (Action::JobCancelled, Some(job_id)), Some(&post.topic));
                match self.cancel_job_in(&store, job_id).await {
                    // The job has ended since the post was read.
                    Err(Error::JobNotCancellable(_) | Error::JobNotFound) => {
                        Err(PipelineError::NotAllowed(self.visible_post(scope, post_id).await?.status))
                    }
                    outcome => Ok(outcome.map(drop)?),
                }
            }
            _ => self.change_post(&post, PostChange::Cancel, Action::PostCancelled, None).await.map(drop),
        }
    }

    pub(super) async fn change_post(
        &self,
        post: &ScheduledPost,
        change: PostChange,
        action: Action,
        detail: Option<&str>,
    ) -> Result<ScheduledPost, PipelineError> {
        let store = self.audited(&post.account_id, (action, Some(&post.id)), detail);
        if let Some(changed) = store.change_post(&post.id, change, self.clock.moment()).await? {
            return Ok(changed);
        }
        let status = self.store.find_post(&post.id).await?.map_or(post.status, |post| post.status);
        Err(PipelineError::NotAllowed(status))
    }
}
