//! Data that the cases of a run share: values that are made once, answers, the ids that the run has seen, and response times.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::OnceCell;

use super::exchange::{Credential, Exchange};
use super::verdict::Halt;

/// A value that was made, and the exchanges that made it.
#[derive(Debug, Clone)]
pub(super) struct Made {
    pub(super) known: Value,
    pub(super) exchanges: Vec<Arc<Exchange>>,
}

/// Values that several cases read and none changes, such as an article, by name. `steps` makes each once in a run.
#[derive(Debug, Default)]
pub(super) struct Once(Mutex<BTreeMap<String, Arc<OnceCell<Made>>>>);

impl Once {
    /// Returns the cell of `what`, empty until a case has made it.
    pub(super) fn place(&self, what: &str) -> Arc<OnceCell<Made>> {
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(places.entry(what.to_owned()).or_default())
    }
}

type Answer = Arc<OnceCell<Result<Value, Halt>>>;

/// Answers that all cases of a requirement share, such as that a valid request is accepted, by requirement and question.
#[derive(Default)]
pub(super) struct SharedAnswers(Mutex<BTreeMap<(&'static str, String), Answer>>);

impl SharedAnswers {
    /// Returns the answer to `question` for the cases of `requirement`. The first case asks, the others wait for it.
    pub(super) async fn get(
        &self,
        requirement: &'static str,
        question: String,
        ask: impl Future<Output = Result<Value, Halt>>,
    ) -> Result<Value, Halt> {
        let answer = {
            let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(known.entry((requirement, question)).or_default())
        };
        answer.get_or_init(|| ask).await.clone()
    }
}

/// Maximum number of ids that are kept, and maximum length of one.
const KEPT: usize = 4_096;
const LONGEST: usize = 256;

/// Ids that the run has seen, in the order in which they were first seen. `requirements::isolation` tries them where they must not work.
#[derive(Debug, Default)]
pub(crate) struct SeenIds(Mutex<(BTreeSet<String>, Vec<String>)>);

impl SeenIds {
    /// Collects the ids of a successful response to the account under test.
    pub(crate) fn look(&self, exchange: &Exchange) {
        let is_own = exchange.request.credential == Credential::Main && exchange.request.operation.is_some();
        // A website's id is configured and tested elsewhere.
        if !is_own || !exchange.succeeded() || exchange.request.operation == Some("list_websites") {
            return;
        }
        if let Some(body) = exchange.json() {
            let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            collect(body, &mut |id| {
                if seen.1.len() < KEPT && seen.0.insert(id.to_owned()) {
                    seen.1.push(id.to_owned());
                }
            });
        }
    }

    /// Returns all ids.
    pub(crate) fn all(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1.clone()
    }
}

/// Collects fields called `id`, and `…_id` on the first level of an object or of a row.
fn collect(body: &Value, found: &mut impl FnMut(&str)) {
    match body {
        Value::Array(rows) => rows.iter().for_each(|row| collect(row, found)),
        Value::Object(members) => {
            for (name, member) in members {
                let names_id = name == "id" || (name.ends_with("_id") && name != "website_id");
                if let Some(id) = member.as_str().filter(|id| names_id && !id.is_empty() && id.len() <= LONGEST) {
                    found(id);
                }
                if name == "items" {
                    collect(member, found);
                }
            }
        }
        _ => {}
    }
}

/// Number of newest responses that are measured.
const ANSWERS: usize = 64;

/// Measured response times of the target. Cases share it.
#[derive(Debug, Default)]
pub(super) struct Tempo {
    /// Set when a job was not finished in time, so that later checks wait less long.
    pub(super) is_stuck: AtomicBool,
    /// Longest time, in milliseconds, that a case waited for a job that finished.
    pub(super) longest_job: AtomicU64,
    /// Time that the last article took to be written, in milliseconds; 0 before the first one.
    pub(super) last_article: AtomicU64,
    /// Times of the newest responses.
    answers: Mutex<VecDeque<Duration>>,
}

impl Tempo {
    /// Records the time of a response that the target was not asked to delay.
    pub(super) fn record_answer(&self, took: Duration) {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.truncate(ANSWERS - 1);
        answers.push_front(took);
    }

    /// Returns the 10th percentile of the newest response times for 1, the 90th for 9.
    pub(super) fn answer_at(&self, tenth: usize) -> Duration {
        let mut answers: Vec<Duration> =
            self.answers.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
        answers.sort_unstable();
        answers.get(answers.len() * tenth / 10).copied().unwrap_or_default()
    }
}
