//! Runs one job from its claim to its stored outcome. `claims` claims jobs, and `brief` builds the brief for the generator.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::domain::article::{Article, ArticleStatus};
use crate::domain::clock::{Clock, Moment, Timestamp};
use crate::domain::error_chain::ErrorChain;
use crate::domain::failure::Failure;
use crate::domain::id;
use crate::domain::job::{Job, JobStatus, RetryDecision, decide_retry};
use crate::domain::randomness::Randomness;
use crate::domain::store::{ClaimedJob, JobCompletion, JobFailure, LeaseOutcome, Result};
use crate::domain::written_article::WrittenArticle;
use crate::failpoints::{self, Point};
use crate::generation::{ArticleGenerator, FailureCode, GenerationError, UsageMeter, brief, write_article};
use crate::metrics::{JobOutcome, Metrics};
use crate::queue::{retry, while_renewed};
use crate::storage::Store;

use super::capacity::{Slot, WritingSlots};

/// Duration of a lease from the claim, the start or the last renewal.
const LEASE: Duration = Duration::from_secs(90);
/// Interval between lease renewals. A lease lasts six intervals, so some renewals may fail.
const RENEWAL_INTERVAL: Duration = Duration::from_secs(15);
/// Time that a claimed job waits for a slot. Then it is released, because another worker may be free.
const MAX_WAIT: Duration = Duration::from_secs(2);

/// Outcome of writing.
type Outcome = Result<Box<WrittenArticle>, GenerationError>;

/// Runs claimed jobs, each in a separate task.
pub(super) struct JobRunner {
    pub(super) store: Store,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) randomness: Arc<dyn Randomness>,
    pub(super) generator: Arc<dyn ArticleGenerator>,
    pub(super) slots: Arc<WritingSlots>,
    pub(super) metrics: Arc<Metrics>,
}

impl JobRunner {
    /// Runs a claimed job if a slot becomes free soon. Otherwise releases it.
    pub(super) async fn run(self: Arc<Self>, claimed: ClaimedJob, stop: CancellationToken) {
        let slot = tokio::select! {
            biased;
            () = stop.cancelled() => None,
            slot = self.slots.acquire() => Some(slot),
            () = sleep(MAX_WAIT) => None,
        };
        let ClaimedJob { job, lease_token, due_at, .. } = &claimed;
        match slot {
            Some(slot) => self.write_and_record(&claimed, slot).await,
            None => drop(until_stored(&job.id, || self.store.release_job(&job.id, lease_token, *due_at)).await),
        }
    }

    /// Writes the article of a claimed job and records the outcome.
    async fn write_and_record(&self, claimed: &ClaimedJob, slot: Slot) {
        let job_id = &claimed.job.id;
        let meter = UsageMeter::default();
        let written = self.write_while_leased(claimed, slot, &meter).await;
        self.store_usage(claimed, &meter).await;
        let Some((job, outcome)) = written else {
            self.count_lost_lease(job_id).await;
            tracing::info!(%job_id, "stopped a job, because it was cancelled or claimed by another worker");
            return;
        };
        failpoints::hit(Point::JobAfterGeneration);
        match until_stored(job_id, || self.record(claimed, &job, &outcome)).await {
            Some((LeaseOutcome::Recorded, Some(ended))) => self.metrics.job_finished(ended),
            Some((LeaseOutcome::Recorded, None)) => {}
            Some((LeaseOutcome::Lost, _)) => {
                self.count_lost_lease(job_id).await;
                tracing::info!(%job_id, "discarded a written article, because its job was cancelled or claimed by another worker");
            }
            None => tracing::warn!(%job_id, "the outcome of a job was not stored; the job will be claimed again"),
        }
        // The database responds again by now.
        self.store_usage(claimed, &meter).await;
    }

    /// Writes the article. Returns the job in its state after the start, or `None` if the lease was lost.
    async fn write_while_leased(&self, claimed: &ClaimedJob, slot: Slot, meter: &UsageMeter) -> Option<(Job, Outcome)> {
        let beginning = self.begin(claimed);
        let writing = self.write(claimed, slot, meter);
        tokio::pin!(beginning, writing);
        // A quick article may be finished before its start is stored.
        let mut written = None;
        let job = loop {
            tokio::select! {
                job = &mut beginning => break job?,
                // If an earlier lease lapsed, the job may have crashed its worker. Then the start is stored first, so that this
                // attempt counts.
                outcome = &mut writing, if written.is_none() && !claimed.has_lapsed => written = Some(outcome),
            }
        };
        if let Some(outcome) = written {
            return Some((job, outcome));
        }
        let renew = || async {
            self.store_usage(claimed, meter).await;
            self.store.renew_job(&job.id, &claimed.lease_token, self.lease_until()).await
        };
        let interval = failpoints::renewal_interval(RENEWAL_INTERVAL);
        let outcome = while_renewed(&job.id, interval, writing, renew).await?;
        Some((job, outcome))
    }

    /// Writes the article of a claimed job while holding its slot. Adds the model usage to `meter`.
    async fn write(&self, claimed: &ClaimedJob, slot: Slot, meter: &UsageMeter) -> Outcome {
        // Database errors do not fail a job: retry as long as the lease is renewed.
        let brief = retry(&claimed.job.id, "cannot read what a job needs", || {
            brief(&self.store, &claimed.job.request, &claimed.website, &claimed.voice)
        })
        .await;
        let generator = self.generator.metered(meter).unwrap_or_else(|| Arc::clone(&self.generator));
        let runtime = tokio::runtime::Handle::current();
        // When this future is dropped, the article is no longer needed, and the guard cancels the writing.
        let given_up = CancellationToken::new();
        let _give_up_on_drop = given_up.clone().drop_guard();
        let began = Instant::now();
        // Writing computes for milliseconds, which would block the request threads, or waits for a model. A separate thread suits
        // both.
        let written = tokio::task::spawn_blocking(move || {
            let _slot = slot;
            failpoints::delay_writing();
            let writing = given_up.run_until_cancelled(write_article(generator.as_ref(), &brief));
            runtime.block_on(writing)
        });
        let stopped = || GenerationError::new(FailureCode::Internal, "The generator stopped unexpectedly.");
        let article = written.await.ok().flatten().ok_or_else(stopped)??;
        self.metrics.article_written(began.elapsed());
        Ok(Box::new(article))
    }

    /// Stores the start of a job. Returns `None` if the claim was lost.
    async fn begin(&self, claimed: &ClaimedJob) -> Option<Job> {
        let now = self.clock.moment();
        // The job can begin as long as no other worker claims it.
        retry(&claimed.job.id, "cannot store the start of a job", || {
            self.store.begin_job(claimed.start(now, self.lease_until()))
        })
        .await
    }

    /// Stores the model usage since the last call. If that fails, keeps it for the next call.
    async fn store_usage(&self, claimed: &ClaimedJob, meter: &UsageMeter) {
        let job_id = &claimed.job.id;
        loop {
            let (number, used) = meter.report();
            if used.is_empty() {
                return;
            }
            let report = format!("{}:{number}", claimed.lease_token);
            if let Err(error) = self.store.add_model_usage(job_id, &report, &used).await {
                tracing::warn!(%job_id, error = %ErrorChain(&error), "cannot store the usage of the language model; it is kept for the next try");
                return;
            }
            meter.note_stored();
            self.metrics.model_used(&used);
        }
    }

    /// Returns the end of a lease that is claimed, started or renewed now.
    pub(super) fn lease_until(&self) -> Timestamp {
        self.clock.steady().plus(failpoints::lease_duration(LEASE))
    }

    /// Counts a lost lease, unless the job was cancelled or failed by its deadline: that was counted already.
    async fn count_lost_lease(&self, job_id: &str) {
        let job = self.store.find_job(job_id).await;
        if !matches!(job, Ok(Some(job)) if matches!(job.status, JobStatus::Cancelled | JobStatus::Failed)) {
            self.metrics.job_finished(JobOutcome::LostLease);
        }
    }

    /// Stores the outcome. Returns whether the lease was still valid, and how the job ended, if it did.
    async fn record(
        &self,
        claimed: &ClaimedJob,
        job: &Job,
        outcome: &Outcome,
    ) -> Result<(LeaseOutcome, Option<JobOutcome>)> {
        let now = self.clock.moment();
        match outcome {
            Err(error) => self.record_failure(&claimed.lease_token, job, error, now).await,
            Ok(content) => {
                let completion = JobCompletion {
                    job_id: claimed.job.id.clone(),
                    lease_token: claimed.lease_token.clone(),
                    article: new_article(
                        claimed,
                        content,
                        id::new(id::Kind::Article, now.wall, &*self.randomness),
                        now.wall,
                    ),
                    finished_at: now,
                };
                let outcome = self.store.complete_job(completion).await?;
                Ok((outcome, Some(JobOutcome::Completed)))
            }
        }
    }

    async fn record_failure(
        &self,
        lease_token: &str,
        job: &Job,
        error: &GenerationError,
        now: Moment,
    ) -> Result<(LeaseOutcome, Option<JobOutcome>)> {
        let failure = Failure {
            code: error.code.as_str().to_owned(),
            message: error.message.clone(),
            retryable: error.code.is_retryable(),
        };
        let retry_at = match decide_retry(&failure, job.attempts - job.interruptions, now.steady, job.expires_at) {
            RetryDecision::RetryAt(retry_at) if !error.needs_repair => Some(retry_at),
            RetryDecision::RetryAt(_) | RetryDecision::Fail => None,
        };
        tracing::info!(job_id = %job.id, code = %failure.code, attempt = job.attempts, ends = retry_at.is_none(), "writing failed");
        let failed = JobFailure {
            job_id: job.id.clone(),
            lease_token: lease_token.to_owned(),
            failure,
            retry_at,
            event_id: id::new(id::Kind::Event, now.wall, &*self.randomness),
            now,
        };
        let outcome = self.store.fail_job(failed).await?;
        Ok((outcome, retry_at.is_none().then_some(JobOutcome::Failed)))
    }
}

/// Stores a change of a job. Retries until the lease must have ended; then returns `None`.
async fn until_stored<T, F: Future<Output = Result<T>>>(job_id: &str, store: impl Fn() -> F) -> Option<T> {
    timeout(LEASE, retry(job_id, "cannot store a change of a job", store)).await.ok()
}

/// Returns the article to store: scheduled if it is published without approval, otherwise a draft that waits for approval.
fn new_article(claimed: &ClaimedJob, content: &WrittenArticle, id: String, now: Timestamp) -> Article {
    let request = &claimed.job.request;
    Article {
        id,
        job_id: Some(claimed.job.id.clone()),
        website_id: claimed.job.website_id.clone(),
        status: if request.auto_publish { ArticleStatus::Scheduled } else { ArticleStatus::Draft },
        url: None,
        canonical_url: None,
        content: content.clone(),
        version: 1,
        metadata: request.metadata.clone(),
        created_at: now,
        updated_at: now,
        published_at: None,
    }
}
