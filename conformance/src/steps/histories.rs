//! Histories of calls, for the rules of the `model`.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use serde_json::Value;
use tokio::time::Instant;

use super::calls::without_nulls;
use super::lists::rows;
use super::paths::percent_decoded;
use crate::check::{About as _, Exchange, Halt, Verdict};
use crate::model::job::{Answer, Call, PostStatus, Status};
use crate::model::{self, Event, Explanation, MAX_EVENTS, Machine, key};

/// Returns what an exchange shows about jobs: the id of each job, the call, and the response.
pub(crate) fn of_jobs(exchange: &Exchange) -> Vec<(String, Call, Answer)> {
    let Some(body) = exchange.json() else { return Vec::new() };
    let id = |value: &Value| value["job_id"].as_str().map(ToOwned::to_owned);
    let one = |id: Option<String>, call, answer| id.map(|id| (id, call, answer)).into_iter().collect();
    match (exchange.request.operation, exchange.status) {
        (Some("get_job"), 200) => job(body).map_or_else(Vec::new, |answer| one(id(body), Call::Read, answer)),
        (Some("cancel_job"), 200) => job(body).map_or_else(Vec::new, |answer| one(id(body), Call::Cancel, answer)),
        (Some("cancel_job"), 409) if exchange.code() == Some("job_not_cancellable") => {
            one(id_in_path(exchange), Call::Cancel, Answer::NotCancellable)
        }
        (Some("get_article"), 200) => {
            one(id(body).or_else(|| id_in_path(exchange)), Call::ReadArticle, Answer::Article)
        }
        (Some("get_article"), 404) => {
            let answer = match exchange.code() {
                Some("article_not_ready") => Answer::NotReady,
                Some("generation_failed") => Answer::GenerationFailed,
                Some("generation_cancelled") => Answer::GenerationCancelled,
                _ => return Vec::new(),
            };
            one(id_in_path(exchange), Call::ReadArticle, answer)
        }
        (Some("get_scheduled_post"), 200) => post(body).into_iter().collect(),
        (Some("list_scheduled_posts"), 200) => rows(body).iter().filter_map(post).collect(),
        _ => Vec::new(),
    }
}

/// Returns the body of a job as a response to `get_job` or `cancel_job`. Returns `None` for a status that the document does not list.
fn job(body: &Value) -> Option<Answer> {
    let status = Status::parse(body["status"].as_str()?)?;
    let progress = body["progress"].as_u64().and_then(|progress| u8::try_from(progress).ok());
    let mut hasher = DefaultHasher::new();
    // `null` and an absent field mean the same.
    hash(&without_nulls(body), &mut hasher);
    Some(Answer::Job { status, progress, body: hasher.finish() })
}

/// Hashes a value without the order of its fields.
fn hash(value: &Value, hasher: &mut DefaultHasher) {
    match value {
        Value::Object(fields) => {
            let sorted: BTreeMap<&String, &Value> = fields.iter().collect();
            for (name, field) in sorted {
                name.hash(hasher);
                hash(field, hasher);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| hash(item, hasher)),
        other => other.to_string().hash(hasher),
    }
}

/// Returns a scheduled post as a response about its job.
fn post(body: &Value) -> Option<(String, Call, Answer)> {
    let id = body["job_id"].as_str()?.to_owned();
    let status = PostStatus::parse(body["status"].as_str()?)?;
    Some((id, Call::ReadPost, Answer::Post(status)))
}

/// Returns the id in the path of a request for a job or an article.
fn id_in_path(exchange: &Exchange) -> Option<String> {
    let path = exchange.request.path.split('?').next()?;
    let below = ["/jobs/", "/articles/"].iter().find_map(|name| path.split_once(name))?.1;
    let id = below.split('/').next()?;
    String::from_utf8(percent_decoded(id)).ok()
}

/// Times of events, in nanoseconds since this was made.
#[derive(Debug)]
pub(crate) struct Clock(Instant);

impl Default for Clock {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Clock {
    /// Returns the time of an instant; 0 if it was before this was made.
    pub(crate) fn at(&self, instant: Instant) -> u64 {
        u64::try_from(instant.saturating_duration_since(self.0).as_nanos()).unwrap_or(u64::MAX)
    }

    /// Returns the current time.
    pub(crate) fn now(&self) -> u64 {
        self.at(Instant::now())
    }

    /// Returns a call that ends now.
    pub(crate) fn event<Call, Answer>(
        &self,
        client: usize,
        call: Call,
        answer: Answer,
        begun: u64,
    ) -> Event<Call, Answer> {
        Event { client, call, answer: Some(answer), begun, ended: self.now() }
    }
}

/// The calls about one object, with their exchanges.
#[derive(Debug, Clone)]
pub(crate) struct History<Call, Answer> {
    pub(crate) events: Vec<Event<Call, Answer>>,
    exchanges: Vec<Arc<Exchange>>,
}

impl<Call, Answer> Default for History<Call, Answer> {
    fn default() -> Self {
        Self { events: Vec::new(), exchanges: Vec::new() }
    }
}

impl<Call: Display, Answer: Display> History<Call, Answer> {
    /// Adds a call. One without a response has an exchange without one.
    pub(crate) fn add(&mut self, event: Event<Call, Answer>, exchange: Arc<Exchange>) {
        self.events.push(event);
        self.exchanges.push(exchange);
    }

    /// Passes if the responses have an order that the rules allow.
    pub(crate) fn explained_by<Rules>(&self, rules: &Rules, initial: Rules::State) -> Verdict
    where
        Rules: Machine<Call = Call, Answer = Answer>,
    {
        let contradiction = match model::explain(rules, [initial], &self.events) {
            Explanation::Explained(_) => return Ok(()),
            Explanation::Undecided => {
                let reason =
                    format!("there are over {MAX_EVENTS} calls about one object, or too many possible orders of them");
                return Err(Halt::inconclusive(reason));
            }
            Explanation::Contradiction(contradiction) => contradiction,
        };
        let observed = model::diagram(&self.events, contradiction.event);
        Err(Halt::fail(contradiction.expected(), observed)).about(&self.exchanges[contradiction.event])
    }
}

impl History<key::Call, key::Answer> {
    /// Returns the history with a mark at each call that the first one with the key may overlap. A call without a response may never end.
    pub(crate) fn with_contention(&self) -> Self {
        let end = |at: usize| if self.events[at].answer.is_some() { self.events[at].ended } else { u64::MAX };
        let overlap = |one: usize, other: usize| {
            one != other && self.events[one].begun <= end(other) && self.events[other].begun <= end(one)
        };
        let is_success = |at: usize| matches!(self.events[at].answer, Some(key::Answer::Queued { .. }));
        let mut marked = self.clone();
        for (at, event) in marked.events.iter_mut().enumerate() {
            let all = || 0..self.events.len();
            let is_first_done = all().any(|other| is_success(other) && end(other) < self.events[at].begun);
            event.call.is_contended = !is_first_done && all().any(|other| overlap(at, other));
        }
        marked
    }
}
