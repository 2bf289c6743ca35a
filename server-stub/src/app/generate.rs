//! `generate`: queues a job with its post. The worker writes the article.

use std::fmt;

use bytes::Bytes;
use chrono::Months;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{App, Error, FieldCode, FieldError, Operation, Place, Violations};
use crate::domain::account::{Account, Website, WebsiteStatus};
use crate::domain::article::Metadata;
use crate::domain::audit::Action;
use crate::domain::clock::{Moment, Timestamp};
use crate::domain::idempotency;
use crate::domain::idempotency::IdempotencyRecord;
use crate::domain::job::{Job, JobRequest, JobStatus};
use crate::domain::post::ScheduledPost;
use crate::domain::randomness::Randomness;
use crate::domain::store::{Submission, Submitted};
use crate::domain::time_zone::TimeZone;
use crate::domain::visibility::Visibility;

/// Number of words of an article if neither the request nor the website gives one.
const DEFAULT_WORD_COUNT: u32 = 1200;

/// The response to a queued job.
#[derive(Debug)]
pub struct Accepted {
    /// Id of the job.
    pub job_id: String,
    /// The JSON of `QueuedJob`.
    pub body: Bytes,
    /// True if an earlier request queued the job.
    pub is_replay: bool,
}

/// Body that matches its schema.
#[derive(Debug, Deserialize)]
struct GenerateBody {
    topic: String,
    website_id: String,
    language: Option<String>,
    #[serde(default)]
    keywords: Vec<String>,
    target_word_count: Option<u32>,
    auto_publish: Option<bool>,
    publish_at: Option<Timestamp>,
    #[serde(default)]
    metadata: Metadata,
}

#[derive(Serialize)]
struct QueuedJob<'a> {
    job_id: &'a str,
    status: JobStatus,
    website_id: &'a str,
    topic: &'a str,
    metadata: &'a Metadata,
    scheduled_post_id: &'a str,
    created_at: Timestamp,
}

/// Result of checking a body: the requested job or the violations, with the idempotency key.
pub struct CheckedBody {
    /// The caller's idempotency key, if the body names a website.
    idempotency: Option<CheckedKey>,
    body: Result<GenerateBody, Violations>,
}

/// An idempotency key, with the website and the body that it was sent for.
struct CheckedKey {
    key: String,
    /// The website that the body names. The body may be invalid, and the website of another account.
    website_id: String,
    /// Fingerprint of the body.
    fingerprint: [u8; 32],
}

impl fmt::Debug for CheckedBody {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("CheckedBody").finish_non_exhaustive()
    }
}

/// Submitter of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Submitter {
    /// Client of the API.
    Caller,
    /// User of the dashboard, recorded in the audit trail.
    User,
}

impl App {
    /// Checks a body, a JSON object, sent with the idempotency key `key`. If `is_strict`, refuses unknown fields. Takes time
    /// proportional to the size of the body.
    pub fn check_generate_body(&self, body: &Value, is_strict: bool, key: Option<String>) -> CheckedBody {
        let website_id = body.get("website_id").and_then(Value::as_str);
        let idempotency = key.zip(website_id).map(|(key, website_id)| CheckedKey {
            key,
            website_id: website_id.to_owned(),
            fingerprint: idempotency::fingerprint(body),
        });
        CheckedBody { idempotency, body: self.validate_generate(body, is_strict, self.clock.wall()) }
    }

    /// Queues a job for a submitter who sees `visibility`. A repeat with the same idempotency key gets the response to the first
    /// request.
    pub async fn generate(
        &self,
        visibility: &Visibility,
        checked: CheckedBody,
        submitter: Submitter,
    ) -> Result<Accepted, Error> {
        let CheckedBody { idempotency, body } = checked;
        let now = self.clock.moment();
        let operation = Operation::Generate.as_str();
        let replays_since = now.wall.minus(self.idempotency_retention);
        let account_id = &visibility.account_id;
        // No response may reveal a request for a website that this key may not use, also not if the body is invalid.
        let is_seen = |website_id: &str| visibility.sees(account_id, website_id);
        if body.as_ref().is_ok_and(|body| !is_seen(&body.website_id)) {
            return Err(Error::WebsiteNotFound);
        }
        if let Some(CheckedKey { key, website_id, fingerprint }) = &idempotency
            && is_seen(website_id)
            && let Some(first) =
                self.store.find_idempotency((account_id, website_id), operation, key, replays_since).await?
        {
            return replay(first, *fingerprint);
        }
        let body = body.map_err(Error::Validation)?;
        let website = self.website_to_write_for(visibility, &body.website_id).await?;
        let (job, post) = new_queued_job(body, &website, now, &*self.randomness);
        let (job_id, response_body) = (job.id.clone(), queued_job_json(&job));
        let record = idempotency.as_ref().map(|checked| IdempotencyRecord {
            account_id: job.account_id.clone(),
            website_id: job.website_id.clone(),
            operation,
            key: checked.key.clone(),
            fingerprint: checked.fingerprint,
            job_id: job_id.clone(),
            body: response_body.clone(),
            created_at: now.wall,
        });
        let limits = self.limits.queue;
        let store = match submitter {
            Submitter::Caller => self.store.clone(),
            Submitter::User => {
                let change = (Action::ArticleQueued, Some(post.id.as_str()));
                self.audited(&post.account_id, change, Some(&post.topic))
            }
        };
        let submission = Submission { job, post, due_at: now.steady, idempotency: record, replays_since, limits };
        match (store.submit(submission).await?, idempotency) {
            (Submitted::Queued, _) => Ok(Accepted { job_id, body: response_body, is_replay: false }),
            // Another request with the same key was queued in the meantime.
            (Submitted::Replayed(first), Some(checked)) => replay(first, checked.fingerprint),
            // Cannot happen: nothing is replayed without a key.
            (Submitted::Replayed(first), None) => {
                Ok(Accepted { job_id: first.job_id, body: first.body, is_replay: true })
            }
            (Submitted::QueueFull, _) => Err(Error::QueueFull),
            (Submitted::DayFull, _) => Err(self.day_full()),
        }
    }

    /// Returns the error of an account that has queued as many jobs as it may today.
    pub(super) fn day_full(&self) -> Error {
        let now = self.clock.wall();
        let seconds = TimeZone::UTC.start_of(TimeZone::UTC.day_of(now).plus(1)).seconds() - now.seconds();
        Error::DayFull(u32::try_from(seconds).unwrap_or(1))
    }

    /// Returns how many jobs the account has queued today, and how many it may queue; `None` if there is no limit.
    pub async fn jobs_of_day(&self, account: &Account) -> Result<Option<(u64, u32)>, Error> {
        let Some(limit) = self.limits.queue.per_day else { return Ok(None) };
        Ok(Some((self.store.queued_on_day(&account.id, TimeZone::UTC.day_of(self.clock.wall())).await?, limit)))
    }

    /// Returns the parsed body or its schema violations.
    fn validate_generate(&self, body: &Value, is_strict: bool, now: Timestamp) -> Result<GenerateBody, Violations> {
        let mut violations = self.document.generate.check(body, is_strict);
        let publish_at = body.get("publish_at").and_then(Value::as_str).and_then(Timestamp::parse);
        if publish_at.is_some_and(|at| at > same_date_next_year(now)) {
            violations.push(FieldError {
                code: FieldCode::OutOfRange,
                place: Place::Pointer("#/publish_at".to_owned().into()),
                detail: "must be at most one year ahead".to_owned(),
            });
        }
        violations.into_result()?;
        Ok(GenerateBody::deserialize(body).expect("a body that matches the schema has these members"))
    }

    /// Returns the website to write for, if the caller sees it and it is active.
    async fn website_to_write_for(&self, visibility: &Visibility, website_id: &str) -> Result<Website, Error> {
        let website = self.store.find_website(website_id).await?;
        let website = website.filter(|website| visibility.sees(&website.account_id, &website.website_id));
        let website = website.ok_or(Error::WebsiteNotFound)?;
        if website.status == WebsiteStatus::Active { Ok(website) } else { Err(Error::WebsiteInactive) }
    }
}

/// Returns the stored response to the first request with the same idempotency key. Fails if that request had another body.
fn replay(first: IdempotencyRecord, fingerprint: [u8; 32]) -> Result<Accepted, Error> {
    if !first.is_repeated_by(fingerprint) {
        return Err(Error::IdempotencyMismatch);
    }
    Ok(Accepted { job_id: first.job_id, body: first.body, is_replay: true })
}

/// Returns a new job and its post. Missing values come from the website's defaults.
fn new_queued_job(
    body: GenerateBody,
    website: &Website,
    now: Moment,
    randomness: &dyn Randomness,
) -> (Job, ScheduledPost) {
    let request = JobRequest {
        language: body.language.unwrap_or_else(|| website.language.clone()),
        topic: body.topic,
        keywords: body.keywords,
        target_word_count: body.target_word_count.or(website.target_word_count).unwrap_or(DEFAULT_WORD_COUNT),
        auto_publish: body.auto_publish.unwrap_or(website.auto_publish),
        publish_at: body.publish_at,
        metadata: body.metadata,
    };
    Job::new_queued(request, &website.account_id, &website.website_id, now, randomness)
}

/// Returns the JSON of `QueuedJob`.
fn queued_job_json(job: &Job) -> Bytes {
    let queued_job = QueuedJob {
        job_id: &job.id,
        status: job.status,
        website_id: &job.website_id,
        topic: &job.request.topic,
        metadata: &job.request.metadata,
        scheduled_post_id: &job.scheduled_post_id,
        created_at: job.created_at,
    };
    Bytes::from(serde_json::to_vec(&queued_job).expect("strings and times always serialize"))
}

/// Returns the latest time for which an article can be scheduled.
pub(super) fn same_date_next_year(now: Timestamp) -> Timestamp {
    now.to_chrono().checked_add_months(Months::new(12)).map_or(now, Timestamp::from)
}
