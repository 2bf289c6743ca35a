//! Retries the failed publishing or writing of an article.

use super::super::error::Error;
use super::super::service::App;
use super::error::PipelineError;
use crate::domain::account::{Scope, WebsiteStatus};
use crate::domain::audit::Action;
use crate::domain::job::Job;
use crate::domain::post::{PostChange, PostStatus};
use crate::domain::store::{Requeued, Submission};

impl App {
    /// Retries publishing if the article exists. Otherwise queues another job to write it.
    pub async fn retry_post(&self, scope: &Scope, post_id: &str) -> Result<(), PipelineError> {
        let post = self.visible_post(scope, post_id).await?;
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
            Requeued::NotFailed => Err(PipelineError::NotAllowed(self.visible_post(scope, post_id).await?.status)),
        }
    }
}
