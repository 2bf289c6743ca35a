//! The load: requests articles and sends lead forms, and retries each until the server acknowledges it. The oracle checks that no
//! acknowledged work is lost.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Result, bail};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};
use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::evidence::Acknowledged;

/// Number of concurrent callers.
const CALLERS: u32 = 4;
/// Number of articles for each lead.
const ARTICLES_PER_LEAD: u32 = 5;
/// Maximum time that a caller waits for a response before it retries under the same key.
const PATIENCE: Duration = Duration::from_secs(8);
/// Pause of a caller before a retry.
const PAUSE: Duration = Duration::from_millis(25);

/// The servers and the account that receive the load.
#[derive(Debug, Clone)]
pub(super) struct Target {
    /// Scheme, host and port of each server process.
    pub(super) bases: Vec<String>,
    /// An API key with all scopes.
    pub(super) api_key: String,
    /// Active websites of its account; leads go to the first.
    pub(super) website_ids: Vec<String>,
}

/// The acknowledged work, and the number of refusals.
#[derive(Debug, Default)]
pub(super) struct Promises {
    acknowledged: Mutex<Vec<Acknowledged>>,
    leads: Mutex<Vec<String>>,
    /// The next number of an article, so that no two articles share a key.
    numbers: AtomicU32,
    /// Number of responses with a status of 500 or above.
    pub(super) server_errors: AtomicUsize,
}

impl Promises {
    /// Copies the promises made so far.
    pub(super) fn snapshot(&self) -> Self {
        Self {
            acknowledged: Mutex::new(self.acknowledged()),
            leads: Mutex::new(self.leads()),
            numbers: AtomicU32::new(self.numbers.load(Ordering::SeqCst)),
            server_errors: AtomicUsize::default(),
        }
    }

    /// Returns the jobs that were acknowledged so far.
    pub(super) fn acknowledged(&self) -> Vec<Acknowledged> {
        self.acknowledged.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the addresses of the leads that were acknowledged so far.
    pub(super) fn leads(&self) -> Vec<String> {
        self.leads.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A running load; it ends when it is dropped.
#[derive(Debug)]
pub(super) struct Load {
    callers: JoinSet<Result<()>>,
}

impl Load {
    /// Requests `jobs` articles within about `span`.
    pub(super) fn start(target: &Target, promises: &Arc<Promises>, jobs: u32, span: Duration, seed: u64) -> Self {
        let mut load = Self { callers: JoinSet::new() };
        load.grow(target, promises, jobs, span, seed);
        load
    }

    /// Requests `jobs` additional articles.
    pub(super) fn grow(&mut self, target: &Target, promises: &Arc<Promises>, jobs: u32, span: Duration, seed: u64) {
        let left = Arc::new(AtomicU32::new(jobs));
        for number in 0..CALLERS {
            let caller = Caller {
                client: Client::new(),
                target: target.clone(),
                promises: Arc::clone(promises),
                random: ChaCha8Rng::seed_from_u64(seed ^ u64::from(number + 1)),
            };
            self.callers.spawn(caller.run(Arc::clone(&left), span * CALLERS / jobs.max(1)));
        }
    }

    /// Waits until everything is acknowledged.
    pub(super) async fn finish(mut self, patience: Duration) -> Result<()> {
        let finishing = async {
            while let Some(ended) = self.callers.join_next().await {
                ended??;
            }
            Ok(())
        };
        match timeout(patience, finishing).await {
            Ok(ended) => ended,
            Err(_) => bail!("not all requests were acknowledged within {} s", patience.as_secs()),
        }
    }
}

struct Caller {
    client: Client,
    target: Target,
    promises: Arc<Promises>,
    random: ChaCha8Rng,
}

impl Caller {
    async fn run(mut self, left: Arc<AtomicU32>, gap: Duration) -> Result<()> {
        let take = |left: u32| left.checked_sub(1);
        while left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, take).is_ok() {
            sleep(gap.mul_f64(self.random.random_range(0.0..2.0))).await;
            let number = self.promises.numbers.fetch_add(1, Ordering::SeqCst);
            self.ask_for_article(number).await?;
            if number.is_multiple_of(ARTICLES_PER_LEAD) {
                self.send_lead(number).await?;
            }
        }
        Ok(())
    }

    async fn ask_for_article(&mut self, number: u32) -> Result<()> {
        let key = format!("crash-{number}");
        let website_id = &self.target.website_ids[number as usize % self.target.website_ids.len()];
        let wanted = json!({
            "topic": format!("how to store {number} apples"), "website_id": website_id, "target_word_count": 200,
        });
        let answer = self
            .until_acknowledged(|caller, base| {
                let request = caller.client.post(format!("{base}/api/v1/generate"));
                let request = request.bearer_auth(&caller.target.api_key).header("idempotency-key", &key);
                with_json(request, &wanted)
            })
            .await?;
        let Some(job_id) = answer["job_id"].as_str() else { bail!("an acknowledgement has no job_id: {answer}") };
        let acknowledged = Acknowledged { key, job_id: job_id.to_owned() };
        self.promises.acknowledged.lock().unwrap_or_else(PoisonError::into_inner).push(acknowledged);
        Ok(())
    }

    async fn send_lead(&mut self, number: u32) -> Result<()> {
        let email = format!("reader-{number}@example.com");
        let form = json!({ "email": email, "message": "Please call.", "consent": { "given": true, "text": "Yes." } });
        self.until_acknowledged(|caller, base| {
            with_json(caller.client.post(format!("{base}/capture/{}", caller.target.website_ids[0])), &form)
        })
        .await?;
        self.promises.leads.lock().unwrap_or_else(PoisonError::into_inner).push(email);
        Ok(())
    }

    /// Retries a request, at another process if there is one, until the response is 2xx.
    async fn until_acknowledged(&mut self, request: impl Fn(&Self, &str) -> RequestBuilder) -> Result<Value> {
        let mut turn = self.random.random_range(0..self.target.bases.len());
        loop {
            let base = self.target.bases[turn % self.target.bases.len()].clone();
            turn += 1;
            if let Ok(response) = request(self, &base).timeout(PATIENCE).send().await {
                let status = response.status();
                if status.is_server_error() {
                    self.promises.server_errors.fetch_add(1, Ordering::SeqCst);
                } else if let Ok(body) = response.bytes().await {
                    if status.is_success() {
                        return Ok(serde_json::from_slice(&body)?);
                    }
                    bail!("a valid request was refused with {status}: {}", String::from_utf8_lossy(&body));
                }
            }
            sleep(PAUSE).await;
        }
    }
}

fn with_json(request: RequestBuilder, body: &Value) -> RequestBuilder {
    request.header(CONTENT_TYPE, "application/json").body(body.to_string())
}
