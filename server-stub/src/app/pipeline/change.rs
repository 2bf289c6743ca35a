//! Approves, reschedules, unschedules, cancels and retries posts.

use super::super::{App, Error};
use super::entry::PipelineError;
use super::publish_time::{PublishTime, PublishTimeError};
use crate::domain::account::WebsiteStatus;
use crate::domain::audit::Action;
use crate::domain::job::Job;
use crate::domain::post::{PostChange, PostStatus, ScheduledPost};
use crate::domain::store::{Requeued, Submission};
use crate::domain::time_zone::TimeZone;
use crate::domain::visibility::Visibility;

impl App {
    /// Approves a ready post or reschedules a scheduled one for `time`.
    pub async fn schedule_post(
        &self,
        visibility: &Visibility,
        post_id: &str,
        time: PublishTime<'_>,
    ) -> Result<ScheduledPost, PipelineError> {
        let post = self.visible_post(visibility, post_id).await?;
        let website = self.store.find_website(&post.website_id).await?.ok_or(PipelineError::NotFound)?;
        let publish_at = time.moment(TimeZone::or_utc(&website.time_zone), self.clock.wall())?;
        let action = if post.status == PostStatus::Ready { Action::PostApproved } else { Action::PostRescheduled };
        let detail = publish_at.map_or_else(|| "at once".to_owned(), |time| time.to_string());
        self.change_post(&post, PostChange::Schedule(publish_at), action, Some(&detail)).await
    }

    /// Approves a ready post or reschedules a scheduled one for the next free slot of its website.
    pub async fn schedule_post_in_slot(
        &self,
        visibility: &Visibility,
        post_id: &str,
    ) -> Result<ScheduledPost, PipelineError> {
        let post = self.visible_post(visibility, post_id).await?;
        let website = self.store.find_website(&post.website_id).await?.ok_or(PipelineError::NotFound)?;
        if website.publishing_slots.is_empty() {
            return Err(PublishTimeError::NoSlots.into());
        }
        let action = if post.status == PostStatus::Ready { Action::PostApproved } else { Action::PostRescheduled };
        let store = self.audited(&post.account_id, (action, Some(&post.id)), Some("in the next free slot"));
        if let Some(changed) = store.schedule_in_slot(&post.id, self.clock.moment()).await? {
            return Ok(changed);
        }
        match self.visible_post(visibility, post_id).await?.status {
            PostStatus::Ready | PostStatus::Scheduled => Err(PublishTimeError::NoFreeSlot.into()),
            status => Err(PipelineError::NotAllowed(status)),
        }
    }

    /// Removes the time of a scheduled post, so that it waits for approval.
    pub async fn unschedule_post(
        &self,
        visibility: &Visibility,
        post_id: &str,
    ) -> Result<ScheduledPost, PipelineError> {
        let post = self.visible_post(visibility, post_id).await?;
        self.change_post(&post, PostChange::Unschedule, Action::PostUnscheduled, None).await
    }

    /// Cancels a post, and its job if the job has not ended.
    pub async fn cancel_post(&self, visibility: &Visibility, post_id: &str) -> Result<(), PipelineError> {
        let post = self.visible_post(visibility, post_id).await?;
        match (post.status, &post.job_id) {
            (PostStatus::Queued | PostStatus::Generating, Some(job_id)) => {
                let store = self.audited(&post.account_id, (Action::JobCancelled, Some(job_id)), Some(&post.topic));
                match self.cancel_job_in(&store, job_id).await {
                    // The job has ended since the post was read.
                    Err(Error::JobNotCancellable(_) | Error::JobNotFound) => {
                        Err(PipelineError::NotAllowed(self.visible_post(visibility, post_id).await?.status))
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

    /// Retries publishing if the article exists. Otherwise queues another job to write it.
    pub async fn retry_post(&self, visibility: &Visibility, post_id: &str) -> Result<(), PipelineError> {
        let post = self.visible_post(visibility, post_id).await?;
        if post.article_id.is_some() {
            return self.change_post(&post, PostChange::RetryPublishing, Action::PostRetried, None).await.map(drop);
        }
        let failed = match &post.job_id {
            Some(job_id) if post.status == PostStatus::Failed => self.store.find_job(job_id).await?,
            _ => None,
        };
        let failed = failed.ok_or(PipelineError::NotAllowed(post.status))?;
        let website = self.store.find_website(&post.website_id).await?.ok_or(PipelineError::NotFound)?;
        if website.status != WebsiteStatus::Active {
            return Err(Error::WebsiteInactive.into());
        }
        let now = self.clock.moment();
        let (mut job, mut queued) =
            Job::new_queued(failed.request, &post.account_id, &post.website_id, now, &*self.randomness);
        job.scheduled_post_id.clone_from(&post.id);
        queued.id.clone_from(&post.id);
        let submission = Submission {
            job,
            post: queued,
            due_at: now.steady,
            idempotency: None,
            replays_since: now.wall,
            limits: self.limits.queue,
        };
        let store = self.audited(&post.account_id, (Action::PostRetried, Some(&post.id)), Some(&post.topic));
        match store.requeue_post(submission).await? {
            Requeued::Queued => Ok(()),
            Requeued::QueueFull => Err(Error::QueueFull.into()),
            Requeued::DayFull => Err(self.day_full().into()),
            Requeued::NotFailed => Err(PipelineError::NotAllowed(self.visible_post(visibility, post_id).await?.status)),
        }
    }
}
