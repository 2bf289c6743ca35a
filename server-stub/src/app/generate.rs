//! `generate`: queues a job with its pipeline entry. Writing the article is the worker's business.

use std::borrow::Cow;

use bytes::Bytes;
use chrono::Months;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::caller::Caller;
use super::error::{Error, FieldCode, FieldError, Place};
use super::leniency;
use super::operation::Operation;
use super::service::App;

use crate::domain::account::{Website, WebsiteStatus};
use crate::domain::clock::Timestamp;
use crate::domain::fault::table::{
    self as fault, article, contract, idempotency as slip, isolation, outside, state, validation,
};
use crate::domain::idempotency;
use crate::domain::job::{Job, JobStatus, Metadata, Request};
use crate::domain::post::ScheduledPost;
use crate::domain::publication::ArticleStatus;
use crate::domain::store::{self, IdempotencyRecord, PageRequest, Submission, Submitted};

/// Words of an article for which no length was asked.
const DEFAULT_WORD_COUNT: u32 = 1200;

/// What a queued job is answered with.
#[derive(Debug)]
pub struct Accepted {
    /// The job.
    pub job_id: String,
    /// The JSON of `QueuedJob`.
    pub body: Bytes,
    /// Whether an earlier request queued it.
    pub is_replay: bool,
}

/// A body that kept its schema.
#[derive(Deserialize)]
struct Wanted {
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

impl App {
    /// Queues a job. `body` is an object; `key` the caller's idempotency key, which makes a repeat answer like the first
    /// request; `is_strict` refuses unknown members.
    pub async fn generate(
        &self,
        caller: &Caller,
        body: &Value,
        key: Option<String>,
        is_strict: bool,
    ) -> Result<Accepted, Error> {
        let now = self.clock.now();
        let operation = Operation::Generate.id();
        if slip::AFTER_VALIDATION.is_on() {
            self.read_generate(body, is_strict, now)?;
        }
        let by_itself =
            || contract::SAME_TOPIC_SAME_JOB.is_on().then(|| format!("{:02x?}", fingerprint(body)).replace(", ", ""));
        let mut repeat = key.or_else(by_itself).map(|key| (key, fingerprint(body)));
        if repeat.as_ref().is_some_and(|(key, _)| slip::REFUSALS_KEPT.recall(key).is_some()) {
            return Err(Error::Validation(Vec::new()));
        }
        if let Some((key, fingerprint)) = &repeat
            && let Some(held) = outside::HELD_BY_UNKNOWN_WEBSITE.recall(key)
            && held != format!("{fingerprint:?}")
        {
            return Err(Error::IdempotencyMismatch);
        }
        if let Some((key, fingerprint)) = &repeat {
            let since = now.plus_millis(-millis(idempotency::KEPT_FOR));
            let account_id = &caller.scope.account_id;
            if let Some(first) = self.store.find_idempotency(account_id, operation, key, since).await? {
                let is_other = slip::MISMATCH_QUEUED.is_on() && first.fingerprint != *fingerprint;
                if is_other || self.is_over(&first.job_id).await? {
                    repeat = None;
                } else {
                    return replay(first, *fingerprint);
                }
            }
        }
        self.look_early(body).await?;
        let mut wanted = match self.read_generate(body, is_strict, now) {
            Err(Error::Validation(errors)) if validation::QUEUED_BEFORE_CHECK.is_on() => {
                let mut tidy = body.clone();
                if let Some(members) = tidy.as_object_mut() {
                    members.retain(|name, _| matches!(name.as_str(), "topic" | "website_id"));
                }
                // Boxed, because this goes round once more.
                let _ = Box::pin(self.generate(caller, &tidy, None, false)).await;
                return Err(Error::Validation(errors));
            }
            read => read.inspect_err(|_| {
                if let Some((key, _)) = &repeat {
                    slip::REFUSALS_KEPT.keep(key, "refused");
                }
            })?,
        };
        let website = self.website_for(caller, &wanted.website_id, repeat.as_ref()).await?;
        wanted.publish_at = misread_time(body, wanted.publish_at);
        if breaks_the_statement(&wanted.topic) {
            return Err(Error::Store(store::Error::AlreadyExists));
        }
        let (mut job, mut post) = queued(wanted, &website, now);
        take_over(body, &mut job, &mut post);
        let answer = QueuedJob {
            job_id: &job.id,
            status: job.status,
            website_id: &job.website_id,
            topic: &job.request.topic,
            metadata: &job.request.metadata,
            scheduled_post_id: &post.id,
            created_at: job.created_at,
        };
        let body = Bytes::from(serde_json::to_vec(&answer).expect("strings and times always serialize"));
        let job_id = job.id.clone();
        let kept = repeat.as_ref().map(|(key, fingerprint)| IdempotencyRecord {
            account_id: job.account_id.clone(),
            operation,
            key: key.clone(),
            fingerprint: *fingerprint,
            job_id: job_id.clone(),
            body: body.clone(),
            created_at: now,
        });
        let submission = Submission { job, post, idempotency: kept, limits: self.limits.queue };
        match (self.store.submit(submission).await?, repeat) {
            (Submitted::Queued, _) => {
                self.wakeups.jobs.notify_one();
                state::OTHER_JOB.keep(&caller.scope.account_id, &job_id);
                Ok(Accepted { job_id, body, is_replay: false })
            }
            (Submitted::Replayed(_), _) if slip::CONCURRENT_IS_500.is_on() => {
                Err(Error::Store(store::Error::AlreadyExists))
            }
            (Submitted::Replayed(first), Some(_)) if outside::OTHER_BODY_AT_ONCE.is_on() => {
                Ok(Accepted { job_id: first.job_id, body: first.body, is_replay: true })
            }
            (Submitted::Replayed(first), Some((_, fingerprint))) => replay(first, fingerprint),
            // Without a key nothing can be replayed; the answer kept is then as good as any.
            (Submitted::Replayed(first), None) => {
                Ok(Accepted { job_id: first.job_id, body: first.body, is_replay: true })
            }
            (Submitted::QueueFull, _) => Err(Error::QueueFull),
        }
    }

    /// The website as a server looks it up that checks the schema only then.
    /// As a slip: whether what a key stands for is over, and the key with it.
    async fn is_over(&self, job_id: &str) -> Result<bool, Error> {
        if !outside::REPEAT_AFTER_CANCEL.is_on() && !outside::REPEAT_AFTER_PUBLISHING.is_on() {
            return Ok(false);
        }
        let Some(job) = self.store.find_job(job_id).await? else { return Ok(false) };
        if outside::REPEAT_AFTER_CANCEL.is_on() {
            return Ok(job.status == JobStatus::Cancelled);
        }
        let article = self.store.find_article(&job.article_id.unwrap_or_default()).await?;
        Ok(article.is_some_and(|article| article.status == ArticleStatus::Published))
    }

    /// The website to write for, if the caller sees it and it is active. `repeat` is the idempotency key with what it stands for.
    async fn website_for(
        &self,
        caller: &Caller,
        website_id: &str,
        repeat: Option<&(String, [u8; 32])>,
    ) -> Result<Website, Error> {
        let mut website = self.store.find_website(website_id).await?;
        if website.is_none() && validation::WEBSITE_DEFAULT.is_on() {
            let first = PageRequest { after: None, limit: 1 };
            website = self.store.list_websites(&caller.scope, &first).await?.into_iter().next();
        }
        let sees = |website: &Website| caller.scope.sees(&website.account_id, &website.website_id);
        let is_foreign = website.as_ref().is_some_and(|website| !sees(website));
        let is_paused = website.as_ref().is_some_and(|website| website.status != WebsiteStatus::Active);
        if is_foreign && isolation::WEBSITE_IS_403.is_on() {
            return Err(Error::WebsiteInactive);
        }
        let website = website.filter(|website| sees(website) || isolation::WEBSITE_OF_ANYONE.is_on());
        if is_foreign && is_paused && outside::FOREIGN_PAUSE_TOLD.is_on() {
            return Err(Error::WebsiteInactive);
        }
        if let (None, Some((key, fingerprint))) = (&website, repeat) {
            outside::HELD_BY_UNKNOWN_WEBSITE.keep(key, &format!("{fingerprint:?}"));
        }
        let website = website.ok_or(Error::WebsiteNotFound)?;
        let places = outside::CANCELLED_COUNTED.recall(&website.website_id).unwrap_or_default().len();
        if places >= 100 {
            return Err(Error::QueueFull);
        }
        if website.status != WebsiteStatus::Active && !validation::WEBSITE_PAUSED_TAKEN.is_on() {
            let is_unknown = validation::WEBSITE_PAUSED_UNKNOWN.is_on();
            return Err(if is_unknown { Error::WebsiteNotFound } else { Error::WebsiteInactive });
        }
        Ok(website)
    }

    async fn look_early(&self, body: &Value) -> Result<(), Error> {
        let website_id = body["website_id"].as_str().filter(|_| validation::WEBSITE_FIRST.is_on());
        let Some(website_id) = website_id else { return Ok(()) };
        self.store.find_website(website_id).await?.map(drop).ok_or(Error::WebsiteNotFound)
    }

    /// Every fault of the body, or what it asks for.
    fn read_generate(&self, body: &Value, is_strict: bool, now: Timestamp) -> Result<Wanted, Error> {
        let is_strict = (is_strict && !validation::STRICT_IGNORED.is_on()) || validation::UNKNOWN_REFUSED.is_on();
        let body = &*leniency::tidied(body);
        let mut errors = self.document.check_generate(body, is_strict);
        let publish_at = body.get("publish_at").and_then(Value::as_str).and_then(Timestamp::parse);
        if publish_at.is_some_and(|at| at > same_date_next_year(now)) {
            errors.push(FieldError {
                code: FieldCode::OutOfRange,
                place: Place::Pointer("#/publish_at".to_owned()),
                detail: "it is more than one year ahead".to_owned(),
            });
        }
        leniency::judge(body, now, &mut errors);
        if !errors.is_empty() {
            return Err(Error::Validation(errors));
        }
        Ok(Wanted::deserialize(body).expect("a body that keeps the schema has these members"))
    }
}

fn fingerprint(body: &Value) -> [u8; 32] {
    if slip::OF_TOPIC.is_on() {
        return idempotency::fingerprint(&json!([body["topic"], body["website_id"]]));
    }
    if slip::ITEMS_SORTED.is_on() {
        let mut sorted = body.clone();
        if let Some(items) = sorted["keywords"].as_array_mut() {
            items.sort_by_key(Value::to_string);
        }
        return idempotency::fingerprint(&sorted);
    }
    idempotency::fingerprint(&looked_at(body))
}

/// What counts of a body, by somebody who takes some bodies for the same.
fn looked_at(body: &Value) -> Cow<'_, Value> {
    const KNOWN: [&str; 8] =
        ["topic", "website_id", "language", "keywords", "target_word_count", "auto_publish", "publish_at", "metadata"];
    let mut seen = Cow::Borrowed(body);
    if outside::OF_KNOWN_MEMBERS.is_on()
        && let Some(members) = seen.to_mut().as_object_mut()
    {
        members.retain(|name, _| KNOWN.contains(&name.as_str()));
    }
    let topic = body["topic"].as_str().unwrap_or_default();
    if outside::COMPOSED_ALIKE.is_on() {
        let composed = topic.replace("e\u{301}", "\u{e9}").replace("a\u{308}", "\u{e4}");
        seen.to_mut()["topic"] = composed.replace("o\u{308}", "\u{f6}").replace("u\u{308}", "\u{fc}").into();
    }
    if outside::TRIMMED_ALIKE.is_on() {
        seen.to_mut()["topic"] = topic.trim().into();
    }
    seen
}

fn replay(first: IdempotencyRecord, fingerprint: [u8; 32]) -> Result<Accepted, Error> {
    if first.fingerprint != fingerprint && !slip::MISMATCH_REPLAYED.is_on() {
        return Err(Error::IdempotencyMismatch);
    }
    Ok(Accepted { job_id: first.job_id, body: first.body, is_replay: true })
}

/// The job and its pipeline entry as they begin, with the website's defaults filled in.
fn queued(wanted: Wanted, website: &Website, now: Timestamp) -> (Job, ScheduledPost) {
    let wanted = misremembered(wanted);
    let language = || if article::LANGUAGE_EN_US.is_on() { "en-US".to_owned() } else { website.language.clone() };
    let words = if article::DEFAULT_800.is_on() { 800 } else { DEFAULT_WORD_COUNT };
    let by_itself = website.auto_publish && !state::APPROVAL_DEFAULT.is_on();
    let request = Request {
        language: wanted.language.unwrap_or_else(language),
        topic: wanted.topic,
        keywords: wanted.keywords,
        target_word_count: wanted.target_word_count.unwrap_or(words),
        auto_publish: wanted.auto_publish.unwrap_or(by_itself),
        publish_at: wanted.publish_at,
        metadata: wanted.metadata,
    };
    let (job, mut post) = Job::queued(request, &website.account_id, &website.website_id, now);
    if state::ENTRY_TOPIC_100.is_on() {
        post.topic = post.topic.chars().take(100).collect();
    }
    (job, post)
}

/// The request as it is kept, with what a column, a form or a habit does to it.
fn misremembered(mut wanted: Wanted) -> Wanted {
    let topic = wanted.topic.as_str();
    wanted.topic = match () {
        () if contract::TOPIC_TRIMMED.is_on() => topic.trim().to_owned(),
        () if contract::TOPIC_255.is_on() => topic.chars().take(255).collect(),
        () if contract::TOPIC_LINES.is_on() => topic.split_whitespace().collect::<Vec<_>>().join(" "),
        () => wanted.topic,
    };
    let metadata = std::mem::take(&mut wanted.metadata).into_iter();
    let metadata = metadata.filter(|(name, _)| !(contract::METADATA_PROTO.is_on() && name == "__proto__"));
    let metadata = metadata.filter(|(_, value)| !(contract::METADATA_EMPTY.is_on() && value.is_empty()));
    let metadata = metadata.map(|(name, value)| {
        let name = if contract::METADATA_LOWER.is_on() { name.to_lowercase() } else { name };
        let name = if contract::METADATA_DOTS.is_on() { name.replace(['.', '$'], "_") } else { name };
        let value = if contract::METADATA_TRIMMED.is_on() { value.trim().to_owned() } else { value };
        (name, value)
    });
    wanted.metadata = metadata.collect();
    if article::LANGUAGE_LOWER.is_on() {
        wanted.language = wanted.language.map(|language| language.to_lowercase());
    }
    if state::ALWAYS_PUBLISHED.is_on() {
        wanted.auto_publish = Some(true);
    }
    if state::NEVER_PUBLISHED.is_on() {
        wanted.auto_publish = Some(false);
    }
    if state::PUBLISH_AT_IGNORED.is_on() {
        wanted.publish_at = None;
    }
    if outside::TIME_LOST_WITHOUT_AUTO.is_on() && wanted.auto_publish == Some(false) {
        wanted.publish_at = None;
    }
    if outside::TENTH_LOST.is_on() {
        wanted.keywords.truncate(9);
    }
    if outside::LONG_ORDERS_CUT.is_on() {
        wanted.target_word_count = wanted.target_word_count.map(|words| words.min(2000));
    }
    if outside::REGION_DROPPED.is_on() {
        wanted.language = wanted.language.map(|language| language.split('-').next().unwrap_or_default().to_owned());
    }
    if state::PUBLISH_AT_MINUTES.is_on() {
        wanted.publish_at = wanted.publish_at.map(|at| at.plus_millis(-(at.millis() % 60_000)));
    }
    wanted
}

/// The minutes beyond whole hours of the zone that a time is written in, with its sign.
pub(super) fn half_hours(text: &str) -> Option<i64> {
    let zone = text.get(text.len().checked_sub(6)?..)?;
    let minutes: i64 = zone.get(4..)?.parse().ok()?;
    match zone.as_bytes()[0] {
        b'+' => Some(minutes),
        b'-' => Some(-minutes),
        _ => None,
    }
}

/// `publish_at` as it is understood by somebody who is not used to zones.
fn misread_time(body: &Value, mut publish_at: Option<Timestamp>) -> Option<Timestamp> {
    if state::PUBLISH_AT_LOCAL.is_on() {
        let local = body["publish_at"].as_str().and_then(|text| text.get(..19)).map(|text| format!("{text}Z"));
        publish_at = local.as_deref().and_then(Timestamp::parse);
    }
    let minutes = body["publish_at"].as_str().and_then(half_hours);
    if let Some(minutes) = minutes.filter(|_| outside::HALF_HOUR_LATE.is_on()) {
        publish_at = publish_at.map(|at| at.plus_millis(minutes * 60_000));
    }
    publish_at
}

/// As a slip: what nobody may ask for.
fn take_over(body: &Value, job: &mut Job, post: &mut ScheduledPost) {
    let created_at = body["created_at"].as_str().filter(|_| outside::CREATED_AT_OF_BODY.is_on());
    if let Some(created_at) = created_at.and_then(Timestamp::parse) {
        (job.created_at, post.created_at) = (created_at, created_at);
    }
}

fn same_date_next_year(now: Timestamp) -> Timestamp {
    let days = |days: i64| now.plus_millis(days * 86_400_000);
    if validation::YEAR_OF_360.is_on() {
        return days(360);
    }
    if validation::YEAR_OF_400.is_on() {
        return days(400);
    }
    now.to_chrono().checked_add_months(Months::new(12)).map_or(now, Timestamp::from)
}

fn millis(duration: std::time::Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

/// Slips in how a topic is put into a statement.
fn breaks_the_statement(topic: &str) -> bool {
    (fault::http::EMOJI_BREAKS.is_on() && topic.chars().any(|letter| u32::from(letter) > 0xFFFF))
        || (fault::http::QUOTE_BREAKS.is_on() && topic.contains('\''))
}
