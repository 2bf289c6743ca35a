//! One job from its claim to its recorded outcome. The loop that claims jobs is in `claim_loop`.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::{Instant, interval_at, sleep};
use tokio_util::sync::CancellationToken;

use crate::domain::account::Scope;
use crate::domain::article::{Article, ArticleStatus, ArticleSummary};
use crate::domain::backoff::Backoff;
use crate::domain::clock::{Clock, Timestamp};
use crate::domain::error_chain::ErrorChain;
use crate::domain::id;
use crate::domain::job::{Failure, JobStatus, RetryDecision, decide_retry};
use crate::domain::randomness::Randomness;
use crate::domain::store::{
    ArticleFilter, Articles, ClaimedJob, JobCompletion, JobFailure, JobQueue, LeaseOutcome, PageRequest, Result,
};
use crate::domain::written_article::{InternalLink, WrittenArticle};
use crate::failpoints::{self, Point};
use crate::generation::{ArticleBrief, ArticleGenerator, BriefWebsite, FailureCode, GenerationError, write_article};
use crate::metrics::{JobOutcome, Metrics};
use crate::wakeups::Wakeups;

/// How long a claim holds unless it is renewed.
pub(super) const LEASE: Duration = Duration::from_secs(90);
/// How often a lease is renewed: six times before it would end, so some renewals may fail.
const RENEWAL_INTERVAL: Duration = Duration::from_secs(15);
/// Most published articles that are offered to an article as links.
const MAX_LINK_CANDIDATES: u32 = 20;

/// Runs claimed jobs, each in a task of its own.
pub(super) struct JobRunner {
    pub(super) queue: Arc<dyn JobQueue>,
    /// Finds published articles to link to.
    pub(super) articles: Arc<dyn Articles>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) randomness: Arc<dyn Randomness>,
    pub(super) wakeups: Arc<Wakeups>,
    pub(super) generator: Arc<dyn ArticleGenerator>,
    /// One permit for each article that may be written at a time.
    pub(super) writing: Arc<Semaphore>,
    pub(super) metrics: Arc<Metrics>,
}

enum Outcome {
    Written(Box<WrittenArticle>),
    Failed(GenerationError),
    /// The worker stopped before writing began.
    Released,
}

impl JobRunner {
    /// Wakes whoever waits for the end of the job.
    pub(super) fn wake_waiters(&self, job_id: &str) {
        self.wakeups.job_ended(job_id);
        // A failed job may be announced by a hook.
        self.wakeups.deliveries.notify_one();
    }

    /// Writes the article of a claimed job and records what came of it.
    pub(super) async fn work(self: Arc<Self>, claimed: ClaimedJob, stop: CancellationToken) {
        let job_id = claimed.job.id.clone();
        let Some(outcome) = self.write_while_leased(&claimed, &stop).await else {
            self.count_lost_lease(&job_id).await;
            tracing::info!(%job_id, "gave up a job that was cancelled or taken by another worker");
            return;
        };
        failpoints::hit(Point::JobAfterGeneration);
        let mut backoff = Backoff::default();
        let given_up_at = Instant::now() + LEASE;
        loop {
            match self.record(&claimed, &outcome).await {
                Ok((LeaseOutcome::Recorded, ended)) => {
                    if let Some(outcome) = ended {
                        self.metrics.job_finished(outcome);
                    }
                    return;
                }
                Ok((LeaseOutcome::Lost, _)) => {
                    self.count_lost_lease(&job_id).await;
                    tracing::info!(%job_id, "a finished job was cancelled or taken by another worker meanwhile");
                    return;
                }
                Err(error) if Instant::now() >= given_up_at => {
                    let error = ErrorChain(&error);
                    tracing::warn!(%job_id, %error, "the outcome of a job was not stored; it will be taken again");
                    return;
                }
                Err(error) => {
                    tracing::warn!(%job_id, error = %ErrorChain(&error), "the outcome of a job is not stored yet");
                    sleep(backoff.next_pause()).await;
                }
            }
        }
    }

    /// Writes the article; `None` when the lease was lost meanwhile.
    async fn write_while_leased(&self, claimed: &ClaimedJob, stop: &CancellationToken) -> Option<Outcome> {
        let writing = self.write(claimed, stop);
        tokio::pin!(writing);
        let pause = failpoints::renewal_interval(RENEWAL_INTERVAL);
        let mut renewal = interval_at(Instant::now() + pause, pause);
        loop {
            tokio::select! {
                outcome = &mut writing => return Some(outcome),
                _ = renewal.tick() => {
                    let until = self.clock.now().plus(failpoints::lease_duration(LEASE));
                    let renewed = self.queue.renew_job(&claimed.job.id, &claimed.lease_token, until).await;
                    match renewed {
                        Ok(LeaseOutcome::Recorded) => {}
                        Ok(LeaseOutcome::Lost) => return None,
                        // This is no lost lease: recording the outcome checks the token again.
                        Err(error) => {
                            let job_id = &claimed.job.id;
                            tracing::warn!(%job_id, error = %ErrorChain(&error), "a lease could not be renewed");
                        }
                    }
                }
            }
        }
    }

    async fn write(&self, claimed: &ClaimedJob, stop: &CancellationToken) -> Outcome {
        let permit = tokio::select! {
            biased;
            () = stop.cancelled() => return Outcome::Released,
            permit = Arc::clone(&self.writing).acquire_owned() => permit.expect("the semaphore is never closed"),
        };
        // A database that does not answer fails no job: this goes on as long as the lease is renewed.
        let mut backoff = Backoff::default();
        let brief = loop {
            match self.brief(claimed).await {
                Ok(brief) => break brief,
                Err(error) => {
                    let job_id = &claimed.job.id;
                    tracing::warn!(%job_id, error = %ErrorChain(&error), "a brief could not be put together yet");
                }
            }
            tokio::select! {
                () = stop.cancelled() => return Outcome::Released,
                () = sleep(backoff.next_pause()) => {}
            }
        };
        let generator = Arc::clone(&self.generator);
        let runtime = tokio::runtime::Handle::current();
        // When this future is dropped, nobody waits for the article any more, and the guard ends the writing.
        let given_up = CancellationToken::new();
        let _give_up_on_drop = given_up.clone().drop_guard();
        let began = Instant::now();
        // Writing computes for milliseconds, during which the request threads must go on.
        let written = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            failpoints::delay_writing();
            let writing = given_up.run_until_cancelled(write_article(generator.as_ref(), &brief));
            runtime.block_on(writing)
        });
        match written.await {
            Ok(Some(Ok(article))) => {
                self.metrics.article_written(began.elapsed());
                Outcome::Written(Box::new(article))
            }
            Ok(Some(Err(error))) => Outcome::Failed(error),
            Ok(None) => Outcome::Released,
            Err(_) => {
                Outcome::Failed(GenerationError::new(FailureCode::Internal, "The generator stopped unexpectedly."))
            }
        }
    }

    async fn brief(&self, claimed: &ClaimedJob) -> Result<ArticleBrief> {
        let ClaimedJob { job, website, voice, .. } = claimed;
        let scope = Scope { account_id: job.account_id.clone(), website_ids: None };
        let filter = ArticleFilter {
            website_id: Some(job.website_id.clone()),
            status: Some(ArticleStatus::Published),
            updated_since: None,
        };
        let published = self
            .articles
            .list_articles(&scope, &filter, &PageRequest { after: None, limit: MAX_LINK_CANDIDATES })
            .await?;
        let linkable =
            |article: ArticleSummary| article.url.map(|url| InternalLink { url, anchor_text: article.title });
        Ok(ArticleBrief {
            topic: job.request.topic.clone(),
            language: job.request.language.clone(),
            keywords: job.request.keywords.clone(),
            target_word_count: job.request.target_word_count,
            metadata: Some(job.request.metadata.clone()),
            website: BriefWebsite {
                website_id: website.website_id.clone(),
                name: website.name.clone(),
                url: website.url.clone(),
            },
            voice: voice.clone(),
            published: published.into_iter().filter_map(linkable).collect(),
        })
    }

    /// Counts a lost lease, unless the job was cancelled: that was counted when it happened.
    async fn count_lost_lease(&self, job_id: &str) {
        let job = self.queue.find_job(job_id).await;
        if !matches!(job, Ok(Some(job)) if job.status == JobStatus::Cancelled) {
            self.metrics.job_finished(JobOutcome::LostLease);
        }
    }

    /// Stores the outcome. Returns whether the lease still held, and how the job ended, if it did.
    async fn record(&self, claimed: &ClaimedJob, outcome: &Outcome) -> Result<(LeaseOutcome, Option<JobOutcome>)> {
        let now = self.clock.now();
        match outcome {
            Outcome::Released => Ok((self.queue.release_job(&claimed.job.id, &claimed.lease_token, now).await?, None)),
            Outcome::Failed(error) => self.record_failure(claimed, error, now).await,
            Outcome::Written(content) => {
                let completion = JobCompletion {
                    job_id: claimed.job.id.clone(),
                    lease_token: claimed.lease_token.clone(),
                    article: new_article(claimed, content, id::new(id::Kind::Article, now, &*self.randomness), now),
                    finished_at: now,
                };
                let outcome = self.queue.complete_job(completion).await?;
                self.wakeups.job_ended(&claimed.job.id);
                self.wakeups.posts.notify_one();
                Ok((outcome, Some(JobOutcome::Completed)))
            }
        }
    }

    async fn record_failure(
        &self,
        claimed: &ClaimedJob,
        error: &GenerationError,
        now: Timestamp,
    ) -> Result<(LeaseOutcome, Option<JobOutcome>)> {
        let job = &claimed.job;
        let failure = Failure {
            code: error.code.as_str().to_owned(),
            message: error.message.clone(),
            retryable: error.retryable(),
        };
        let retry_at = match decide_retry(&failure, job.attempts - job.interruptions, now, job.deadline_at) {
            RetryDecision::RetryAt(retry_at) => Some(retry_at),
            RetryDecision::Fail => None,
        };
        tracing::info!(job_id = %job.id, code = %failure.code, attempt = job.attempts, ends = retry_at.is_none(), "writing failed");
        let failed = JobFailure {
            job_id: job.id.clone(),
            lease_token: claimed.lease_token.clone(),
            failure,
            retry_at,
            event_id: id::new(id::Kind::Event, now, &*self.randomness),
            now,
        };
        let outcome = self.queue.fail_job(failed).await?;
        if retry_at.is_none() {
            self.wake_waiters(&job.id);
        }
        Ok((outcome, retry_at.is_none().then_some(JobOutcome::Failed)))
    }
}

/// The article as it is stored: scheduled if it is published without approval, else a draft that waits for it.
fn new_article(claimed: &ClaimedJob, content: &WrittenArticle, id: String, now: Timestamp) -> Article {
    let request = &claimed.job.request;
    Article {
        id,
        job_id: Some(claimed.job.id.clone()),
        website_id: claimed.job.website_id.clone(),
        status: if request.auto_publish { ArticleStatus::Scheduled } else { ArticleStatus::Draft },
        url: None,
        canonical_url: Some(format!("{}/{}", claimed.website.url.trim_end_matches('/'), content.slug)),
        content: content.clone(),
        metadata: request.metadata.clone(),
        created_at: now,
        updated_at: now,
        published_at: None,
    }
}
