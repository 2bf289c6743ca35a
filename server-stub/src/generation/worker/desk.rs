//! One job from its claim to its recorded outcome. The loop that takes jobs is in `queue`.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::{Instant, interval_at, sleep};
use tokio_util::sync::CancellationToken;

use crate::domain::account::Scope;
use crate::domain::article::{InternalLink, WrittenArticle};
use crate::domain::backoff::Backoff;
use crate::domain::clock::{Clock, Timestamp};
use crate::domain::failpoint::{self, Point};
use crate::domain::id;
use crate::domain::job::{Failure, JobStatus, RetryDecision, decide_retry};
use crate::domain::publication::{Article, ArticleStatus, ArticleSummary};
use crate::domain::store::{ArticleFilter, ClaimedJob, Fenced, JobCompletion, JobFailure, PageRequest, Result, Store};
use crate::domain::wakeup::Wakeups;
use crate::generation::{ArticleGenerator, FailureCode, GenerationError, Order, OrderedWebsite, write_article};
use crate::metrics::{JobOutcome, Metrics};

/// How long a claim holds without a sign of life.
pub(super) const LEASE: Duration = Duration::from_secs(90);
/// How often it is renewed: six signs of life may be lost.
const RENEWAL: Duration = Duration::from_secs(15);
/// Published articles that an article may link to.
const LINKABLE: u32 = 20;

/// What every job's task needs.
pub(super) struct Desk {
    pub(super) store: Arc<dyn Store>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) wakeups: Arc<Wakeups>,
    pub(super) generator: Arc<dyn ArticleGenerator>,
    /// One permit for each article that may be written at a time.
    pub(super) writing: Arc<Semaphore>,
    pub(super) metrics: Arc<Metrics>,
}

enum Outcome {
    Written(Box<WrittenArticle>),
    Failed(GenerationError),
    /// Not begun, because the worker stops.
    PutBack,
}

impl Desk {
    /// Tells whoever waits that the job ended.
    pub(super) fn announce_end(&self, job_id: &str) {
        self.wakeups.job_ended(job_id);
        // Its end may be an event.
        self.wakeups.deliveries.notify_one();
    }

    /// Writes the article of a claimed job and records what came of it.
    pub(super) async fn work(self: Arc<Self>, claimed: ClaimedJob, stop: CancellationToken) {
        let job_id = claimed.job.id.clone();
        let Some(outcome) = self.write_while_leased(&claimed, &stop).await else {
            self.count_lost(&job_id).await;
            tracing::info!(%job_id, "gave up a job that was cancelled or taken by another worker");
            return;
        };
        failpoint::hit(Point::JobAfterGeneration);
        let mut backoff = Backoff::default();
        let given_up_at = Instant::now() + LEASE;
        loop {
            match self.record(&claimed, &outcome).await {
                Ok((Fenced::Recorded, ended)) => {
                    if let Some(outcome) = ended {
                        self.metrics.job_finished(outcome);
                    }
                    return;
                }
                Ok((Fenced::Lost, _)) => {
                    self.count_lost(&job_id).await;
                    tracing::info!(%job_id, "a finished job was cancelled or taken by another worker meanwhile");
                    return;
                }
                Err(error) if Instant::now() >= given_up_at => {
                    tracing::warn!(%job_id, %error, "the outcome of a job was not stored; it will be taken again");
                    return;
                }
                Err(_) => sleep(backoff.next_pause()).await,
            }
        }
    }

    /// Writes the article; `None` when the lease was lost meanwhile.
    async fn write_while_leased(&self, claimed: &ClaimedJob, stop: &CancellationToken) -> Option<Outcome> {
        let writing = self.write(claimed, stop);
        tokio::pin!(writing);
        let pause = failpoint::renewal(RENEWAL);
        let mut renewal = interval_at(Instant::now() + pause, pause);
        loop {
            tokio::select! {
                outcome = &mut writing => return Some(outcome),
                _ = renewal.tick() => {
                    let until = self.clock.now().plus(failpoint::lease(LEASE));
                    let renewed = self.store.renew_job(&claimed.job.id, &claimed.lease_token, until).await;
                    // A database that is away for a moment takes nothing from us: the fence at the end decides.
                    if matches!(renewed, Ok(Fenced::Lost)) {
                        return None;
                    }
                }
            }
        }
    }

    async fn write(&self, claimed: &ClaimedJob, stop: &CancellationToken) -> Outcome {
        let permit = tokio::select! {
            biased;
            () = stop.cancelled() => return Outcome::PutBack,
            permit = Arc::clone(&self.writing).acquire_owned() => permit.expect("the semaphore is never closed"),
        };
        // A database that is away is no failure of the work: it goes on as long as the lease is renewed.
        let mut backoff = Backoff::default();
        let order = loop {
            match self.order(claimed).await {
                Ok(order) => break order,
                Err(error) => {
                    tracing::warn!(job_id = %claimed.job.id, %error, "an order could not be put together yet");
                }
            }
            tokio::select! {
                () = stop.cancelled() => return Outcome::PutBack,
                () = sleep(backoff.next_pause()) => {}
            }
        };
        let generator = Arc::clone(&self.generator);
        let runtime = tokio::runtime::Handle::current();
        // Dropped with this future, when nobody waits for the article any more.
        let given_up = CancellationToken::new();
        let _give_up_on_drop = given_up.clone().drop_guard();
        // Writing computes for milliseconds, during which the request threads must go on.
        let began = Instant::now();
        let written = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            failpoint::work();
            let writing = given_up.run_until_cancelled(write_article(generator.as_ref(), &order));
            runtime.block_on(writing)
        });
        match written.await {
            Ok(Some(Ok(article))) => {
                self.metrics.article_written(began.elapsed());
                Outcome::Written(Box::new(article))
            }
            Ok(Some(Err(error))) => Outcome::Failed(error),
            Ok(None) => Outcome::PutBack,
            Err(_) => {
                Outcome::Failed(GenerationError::new(FailureCode::Internal, "The generator stopped unexpectedly."))
            }
        }
    }

    async fn order(&self, claimed: &ClaimedJob) -> Result<Order> {
        let ClaimedJob { job, website, voice, .. } = claimed;
        let scope = Scope { account_id: job.account_id.clone(), website_ids: None };
        let filter = ArticleFilter {
            website_id: Some(job.website_id.clone()),
            status: Some(ArticleStatus::Published),
            updated_since: None,
        };
        let published =
            self.store.list_articles(&scope, &filter, &PageRequest { after: None, limit: LINKABLE }).await?;
        let linkable =
            |article: ArticleSummary| article.url.map(|url| InternalLink { url, anchor_text: article.title });
        Ok(Order {
            topic: job.request.topic.clone(),
            language: job.request.language.clone(),
            keywords: job.request.keywords.clone(),
            target_word_count: job.request.target_word_count,
            metadata: Some(job.request.metadata.clone()),
            website: OrderedWebsite {
                website_id: website.website_id.clone(),
                name: website.name.clone(),
                url: website.url.clone(),
            },
            voice: voice.clone(),
            published: published.into_iter().filter_map(linkable).collect(),
        })
    }

    /// A job that was not ours to finish any more was cancelled, which was counted then, or another worker has it.
    async fn count_lost(&self, job_id: &str) {
        let job = self.store.find_job(job_id).await;
        if !matches!(job, Ok(Some(job)) if job.status == JobStatus::Cancelled) {
            self.metrics.job_finished(JobOutcome::LostLease);
        }
    }

    /// Stores the outcome; says besides how the job ended, if it did.
    async fn record(&self, claimed: &ClaimedJob, outcome: &Outcome) -> Result<(Fenced, Option<JobOutcome>)> {
        let now = self.clock.now();
        match outcome {
            Outcome::PutBack => Ok((self.store.release_job(&claimed.job.id, &claimed.lease_token, now).await?, None)),
            Outcome::Failed(error) => self.record_failure(claimed, error, now).await,
            Outcome::Written(content) => {
                let completion = JobCompletion {
                    job_id: claimed.job.id.clone(),
                    lease_token: claimed.lease_token.clone(),
                    article: stored(claimed, content, now),
                    finished_at: now,
                };
                let fenced = self.store.complete_job(completion).await?;
                self.wakeups.job_ended(&claimed.job.id);
                self.wakeups.posts.notify_one();
                Ok((fenced, Some(JobOutcome::Completed)))
            }
        }
    }

    async fn record_failure(
        &self,
        claimed: &ClaimedJob,
        error: &GenerationError,
        now: Timestamp,
    ) -> Result<(Fenced, Option<JobOutcome>)> {
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
            event_id: id::new(id::Kind::Event, now),
            now,
        };
        let fenced = self.store.fail_job(failed).await?;
        if retry_at.is_none() {
            self.announce_end(&job.id);
        }
        Ok((fenced, retry_at.is_none().then_some(JobOutcome::Failed)))
    }
}

/// The article as it is stored: out by itself when the request said so, else waiting for approval.
fn stored(claimed: &ClaimedJob, content: &WrittenArticle, now: Timestamp) -> Article {
    let request = &claimed.job.request;
    Article {
        id: id::new(id::Kind::Article, now),
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
