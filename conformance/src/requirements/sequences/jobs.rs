//! Random sequences of requests for a few jobs, by one client and by several, compared with the `model`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use crate::check::Source::{self, Sentence};
use crate::check::{
    About as _, Capability, Cases, Context, Exchange, Halt, Look, Request, Requirement, Verdict, demand, ensure,
};
use crate::model::{Event, job, key};
use crate::steps::histories::{self, Clock, History};
use crate::steps::lists::{self, POSTS};
use crate::steps::{self, keyed, pipeline};
use crate::strategies::{BODIES, KEYS, Step, Turn, sequences};

const NEEDS: &[Capability] = &[Capability::JOBS, Capability::PIPELINE];

const SOURCES: &[Source] = &[
    Sentence(
        "From one read to the next, `progress` and the rank of `status` (queued 0, in_progress 1, ended 2) never decrease.",
    ),
    Sentence("Once `done` is true, the body and its `ETag` no longer change."),
    Sentence(
        "`done` is true exactly if `status` is `completed`, `failed` or `cancelled`, and exactly if `finished_at` is not null.",
    ),
    Sentence("`error` is not null exactly if `status` is `failed`."),
    Sentence(
        "`article_id` is not null exactly if `status` is `completed`, and exactly if `GET /api/v1/articles/{article_id}` answers 200.",
    ),
    Sentence("Cancels a job that has not ended, and its scheduled post."),
    Sentence("For a job that is already cancelled the response is the same again."),
    Sentence("If the job completed or failed, it is 409 `job_not_cancellable`."),
    Sentence("Until the job has ended, the response is 404 `article_not_ready` with `Retry-After`."),
    Sentence("If the job failed or was cancelled, it is 404 `generation_failed` or `generation_cancelled`."),
    Sentence(
        "When the response arrives, `GET /api/v1/scheduled_posts` lists exactly one scheduled post with this `job_id`.",
    ),
    Sentence(
        "`queued` and `generating` follow the job, `ready` waits for approval, `scheduled` waits for its time, `publishing` is being published.",
    ),
    Sentence(
        "For 24 hours the same key with the same body queues nothing and returns the first success again, with `Idempotency-Replayed: true`.",
    ),
    Sentence("The key was used before with another body."),
    Sentence(
        "Identical calls with one `Idempotency-Key` make one job and one scheduled post, also if they are concurrent.",
    ),
];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "sequences.jobs.model",
            "In any sequence of queueing with a few idempotency keys, reading, waiting, cancelling and fetching, each response follows from the earlier ones: a key has one job, a job never goes back or changes after its end, has an article exactly if it has completed, and one scheduled post that follows it.",
            SOURCES,
            run,
        )
        .needs(NEEDS)
        .drawn("sequences of 3 to 12 steps over a few jobs", Cases::Divided(4), |_, draw| {
            draw.value(&sequences(1, 2..=11))
        }),
        Requirement::new(
            "sequences.jobs.concurrent",
            "If several clients do the same at the same time, their responses have an order in which each follows from the earlier ones.",
            SOURCES,
            run,
        )
        .needs(NEEDS)
        .drawn("4 to 24 steps of up to 8 clients over a few jobs", Cases::Divided(8), |_, draw| {
            draw.value(&sequences(8, 3..=23))
        }),
    ]
}

async fn run(context: Context, case: Value) -> Verdict {
    let mut clients: BTreeMap<usize, Vec<Step>> = BTreeMap::new();
    for Turn { client, step } in case.as_array().into_iter().flatten().filter_map(Turn::from_json) {
        clients.entry(client).or_default().push(step);
    }
    let play = Play::new(&context);
    futures::future::try_join_all(clients.into_iter().map(|(client, steps)| play.client(client, steps))).await?;
    play.settle().await?;
    play.verdict()
}

/// One case: its jobs and keys, with the calls about each.
struct Play<'run> {
    context: &'run Context,
    clock: Clock,
    /// Part of each topic that no other case has.
    marker: String,
    keys: Vec<String>,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    jobs: Vec<Job>,
    keys: [History<key::Call, key::Answer>; KEYS],
}

/// A job that a response has named.
struct Job {
    id: String,
    topic: String,
    /// Index of the key that it was queued with.
    key: usize,
    history: History<job::Call, job::Answer>,
}

impl<'run> Play<'run> {
    fn new(context: &'run Context) -> Self {
        let keys = (0..KEYS).map(|_| context.fresh("key")).collect();
        let marker = context.fresh("sequence");
        Self { context, clock: Clock::default(), marker, keys, seen: Mutex::default() }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the steps of one client.
    async fn client(&self, client: usize, steps: Vec<Step>) -> Verdict {
        for step in steps {
            let index = match step {
                Step::Generate(index) => {
                    self.generate(client, index, None).await?;
                    continue;
                }
                Step::Abandon(index) => {
                    // Different times hit different moments of the server's work.
                    let eighths = u32::try_from(index / (KEYS * BODIES) + 1).unwrap_or(1);
                    self.generate(client, index, Some(eighths)).await?;
                    continue;
                }
                Step::Poll(index)
                | Step::Wait(index)
                | Step::Cancel(index)
                | Step::Fetch(index)
                | Step::Entry(index) => index,
            };
            let count = self.seen().jobs.len();
            // The first job may be queued by another client at this moment.
            let Some(job) = index.checked_rem(count) else { continue };
            match step {
                Step::Poll(_) => self.poll(client, job).await?,
                Step::Wait(_) => self.wait(client, job).await?,
                Step::Cancel(_) => self.cancel(client, job).await?,
                Step::Fetch(_) => self.fetch(client, job).await?,
                Step::Entry(_) | Step::Generate(_) | Step::Abandon(_) => self.entry(client, job).await?,
            }
        }
        Ok(())
    }

    /// Queues an article, and closes the connection after some `eighths` of the usual response time.
    async fn generate(&self, client: usize, index: usize, eighths: Option<u32>) -> Verdict {
        let (key, body) = (index % KEYS, index / KEYS % BODIES);
        let topic = format!("Sorting a box of buttons {key}{body} {}", self.marker);
        let request = keyed::keyed(&steps::quiet_request(self.context, &topic), &self.keys[key]);
        let begun = self.clock.now();
        let call = key::Call { body, is_contended: false };
        let sent = match eighths {
            Some(eighths) => self.context.send_and_close(request, eighths).await?,
            None => Some(self.context.send(request).await?),
        };
        let Some(exchange) = sent else {
            let event = Event { client, call, answer: None, begun, ended: self.clock.now() };
            let unanswered = self.context.trace().pop();
            return unanswered.map_or(Ok(()), |exchange| {
                self.seen().keys[key].add(event, exchange);
                Ok(())
            });
        };
        let answer = match exchange.code() {
            _ if exchange.succeeded() => {
                demand::same("topic", &json!(topic), &demand::json(&exchange)?["topic"]).about(&exchange)?;
                let id = steps::queued(self.context, &exchange)?;
                let is_replay = exchange.header("idempotency-replayed") == Some("true");
                key::Answer::Queued { job: Some(self.number(id, topic, key)), is_replay }
            }
            Some("idempotency_mismatch") if exchange.status == 422 => key::Answer::Mismatch,
            Some("idempotency_in_flight") if exchange.status == 409 => key::Answer::InFlight,
            _ => key::Answer::Other(demand::seen(&exchange)),
        };
        let event = self.clock.event(client, call, answer, begun);
        self.seen().keys[key].add(event, exchange);
        Ok(())
    }

    /// Returns the number of a job, which may be new.
    fn number(&self, id: String, topic: String, key: usize) -> usize {
        let jobs = &mut self.seen().jobs;
        jobs.iter().position(|job| job.id == id).unwrap_or_else(|| {
            jobs.push(Job { id, topic, key, history: History::default() });
            jobs.len() - 1
        })
    }

    /// Returns the id and the topic of a job.
    fn job(&self, job: usize) -> (String, String) {
        let Job { id, topic, .. } = &self.seen().jobs[job];
        (id.clone(), topic.clone())
    }

    /// Sends a request about a job and records the response.
    async fn ask(&self, client: usize, job: usize, call: job::Call, request: Request) -> Result<Arc<Exchange>, Halt> {
        let begun = self.clock.now();
        let exchange = self.context.send(request).await?;
        self.record(client, job, call, &exchange, begun);
        Ok(exchange)
    }

    fn record(&self, client: usize, job: usize, call: job::Call, exchange: &Arc<Exchange>, begun: u64) {
        let (id, _) = self.job(job);
        let shown = histories::of_jobs(exchange).into_iter().find(|(about, of, _)| *about == id && *of == call);
        let is_of_job = exchange.json().is_some_and(|body| body["job_id"] == id.as_str());
        let answer = match shown {
            Some((.., answer)) => answer,
            // The document does not list its status, which a later one may add.
            None if exchange.succeeded() && is_of_job => return,
            None => job::Answer::Other(demand::seen(exchange)),
        };
        let event = self.clock.event(client, call, answer, begun);
        self.seen().jobs[job].history.add(event, Arc::clone(exchange));
    }

    async fn poll(&self, client: usize, job: usize) -> Verdict {
        let (id, _) = self.job(job);
        let exchange = self.ask(client, job, job::Call::Read, steps::get_job(&id)).await?;
        self.agrees(job, &exchange)
    }

    async fn wait(&self, client: usize, job: usize) -> Verdict {
        let (id, _) = self.job(job);
        let begun = self.clock.now();
        let exchange = steps::finished(self.context, &id).await?;
        self.record(client, job, job::Call::Read, &exchange, begun);
        self.agrees(job, &exchange)
    }

    /// Compares the fields of a job with each other and with the request.
    fn agrees(&self, job: usize, exchange: &Arc<Exchange>) -> Verdict {
        if !exchange.succeeded() {
            return Ok(());
        }
        let body = demand::json(exchange)?;
        demand::same("topic", &json!(self.job(job).1), &body["topic"]).about(exchange)?;
        steps::jobs::agrees(body).about(exchange)
    }

    async fn cancel(&self, client: usize, job: usize) -> Verdict {
        let (id, _) = self.job(job);
        let exchange = self.ask(client, job, job::Call::Cancel, steps::cancel_job(&id)).await?;
        self.agrees(job, &exchange)
    }

    async fn fetch(&self, client: usize, job: usize) -> Verdict {
        let (id, topic) = self.job(job);
        let exchange = self.ask(client, job, job::Call::ReadArticle, steps::get_article(&id)).await?;
        if exchange.succeeded() {
            demand::same("topic of the article", &json!(topic), &demand::json(&exchange)?["topic"]).about(&exchange)?;
        }
        Ok(())
    }

    /// Reads the scheduled post of a job. Returns its status, and the page that shows it.
    async fn post(&self, job: usize) -> Result<(Value, Arc<Exchange>), Halt> {
        let (id, topic) = self.job(job);
        let (entries, page) = pipeline::page_of(self.context, &id).await?;
        ensure(entries.len() == 1, "exactly one scheduled post of the job", || entries.len().to_string())?;
        demand::same("topic of the scheduled post", &json!(topic), &entries[0]["topic"])?;
        Ok((entries[0]["status"].clone(), page))
    }

    async fn entry(&self, client: usize, job: usize) -> Verdict {
        let begun = self.clock.now();
        let (_, page) = self.post(job).await?;
        self.record(client, job, job::Call::ReadPost, &page, begun);
        Ok(())
    }

    /// Returns the indices of the requests to generate that may have had an effect without a response.
    fn unanswered(&self) -> BTreeSet<usize> {
        let seen = self.seen();
        let lost = seen.keys.iter().enumerate().flat_map(|(key, history)| {
            let lost = history.events.iter().filter(|event| event.answer.is_none());
            lost.map(move |event| key + event.call.body * KEYS)
        });
        lost.collect()
    }

    /// Repeats what has no response, ends all jobs, reads everything once more, and counts what was queued.
    async fn settle(&self) -> Verdict {
        for index in self.unanswered() {
            let look = || async move {
                self.generate(0, index, None).await?;
                let seen = self.seen();
                let last = seen.keys[index % KEYS].events.last().and_then(|event| event.answer.as_ref());
                Ok(Look::at(last != Some(&key::Answer::InFlight), || {
                    Halt::inconclusive("a request whose connection was closed is still being processed")
                }))
            };
            self.context.eventually(self.context.grace(), look).await?;
        }
        let count = self.seen().jobs.len();
        for job in 0..count {
            self.cancel(0, job).await?;
            self.wait(0, job).await?;
            self.fetch(0, job).await?;
            self.poll(0, job).await?;
            let expected = match self.seen().jobs[job].history.events.last().and_then(|event| event.answer.as_ref()) {
                Some(job::Answer::Job { status: job::Status::Completed, .. }) => "ready",
                Some(job::Answer::Job { status, .. }) => status.name(),
                _ => continue,
            };
            // The scheduled post may follow its job with a delay. Only the last read is recorded, because a history has a limit.
            let look = || async move {
                let begun = self.clock.now();
                let (status, page) = self.post(job).await?;
                let halt = || Halt::fail(format!("a scheduled post with status {expected}"), demand::brief(&status));
                Ok(Look::found_or((status == expected).then_some((page, begun)), halt))
            };
            let (page, begun) = self.context.eventually(self.context.grace(), look).await?;
            self.record(0, job, job::Call::ReadPost, &page, begun);
        }
        let query = format!("limit=100&website_id={}", steps::segment(&self.context.facts().website_id));
        let is_own = |row: &Value| row["topic"].as_str().is_some_and(|topic| topic.ends_with(&self.marker));
        let posts = lists::found(self.context, POSTS, &query, is_own).await?;
        // Each job has its post, as shown above, but the newest pages may be short.
        ensure(posts.len() <= count, format!("{count} scheduled posts, one for each job that a response named"), || {
            posts.len().to_string()
        })
    }

    /// Compares the responses with the rules.
    fn verdict(&self) -> Verdict {
        let seen = self.seen();
        for (index, history) in seen.keys.iter().enumerate() {
            let others = seen.jobs.iter().enumerate().filter(|(_, job)| job.key != index);
            let rules = key::Key { jobs_of_other_keys: others.map(|(number, _)| number).collect() };
            history.with_contention().explained_by(&rules, key::State::Free)?;
        }
        let rules = job::Job { is_published: false };
        seen.jobs.iter().try_for_each(|job| job.history.explained_by(&rules, job::State::QUEUED))
    }
}
