//! Random sequences of requests for a few jobs, by one client and by several, compared with the `model`.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::check::Source::{self, Sentence};
use crate::check::{
    About as _, Capability, Cases, Context, Exchange, Halt, Look, Request, Requirement, Verdict, demand, ensure,
};
use crate::model::{self, Event, Explanation, Machine, job, key};
use crate::steps::lists::{self, POSTS};
use crate::steps::{self, histories, keyed, pipeline};
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
        .drawn("sequences of 3 to 12 steps over a few jobs", Cases::Divided(2), |_, draw| {
            draw.value(&sequences(1, 2..=11))
        }),
        Requirement::new(
            "sequences.jobs.concurrent",
            "If several clients do the same at the same time, their responses have an order in which each follows from the earlier ones.",
            SOURCES,
            run,
        )
        .needs(NEEDS)
        .drawn("4 to 24 steps of up to 8 clients over a few jobs", Cases::Divided(4), |_, draw| {
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
    begun: Instant,
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

/// The calls about one object, with their exchanges.
struct History<Call, Answer> {
    events: Vec<Event<Call, Answer>>,
    exchanges: Vec<Arc<Exchange>>,
}

impl<Call, Answer> Default for History<Call, Answer> {
    fn default() -> Self {
        Self { events: Vec::new(), exchanges: Vec::new() }
    }
}

impl<'run> Play<'run> {
    fn new(context: &'run Context) -> Self {
        let keys = (0..KEYS).map(|_| context.fresh("key")).collect();
        let marker = context.fresh("sequence");
        Self { context, begun: Instant::now(), marker, keys, seen: Mutex::default() }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the steps of one client.
    async fn client(&self, client: usize, steps: Vec<Step>) -> Verdict {
        for step in steps {
            let index = match step {
                Step::Generate(index) => {
                    self.generate(client, index).await?;
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
                Step::Entry(_) | Step::Generate(_) => _ = self.entry(client, job).await?,
            }
        }
        Ok(())
    }

    async fn generate(&self, client: usize, index: usize) -> Verdict {
        let (key, body) = (index % KEYS, index / KEYS % BODIES);
        let topic = format!("Sorting a box of buttons {key}{body} {}", self.marker);
        let request = keyed::keyed(&steps::quiet_request(self.context, &topic), &self.keys[key]);
        let begun = Instant::now();
        let exchange = self.context.send(request).await?;
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
        let event = self.event(client, key::Call { body, is_contended: false }, answer, begun);
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

    fn event<Call, Answer>(&self, client: usize, call: Call, answer: Answer, begun: Instant) -> Event<Call, Answer> {
        let [begun, ended] = [begun, Instant::now()].map(|time| histories::nanoseconds(self.begun, time));
        Event { client, call, answer: Some(answer), begun, ended }
    }

    /// Returns the id and the topic of a job.
    fn job(&self, job: usize) -> (String, String) {
        let Job { id, topic, .. } = &self.seen().jobs[job];
        (id.clone(), topic.clone())
    }

    /// Sends a request about a job and records the response.
    async fn ask(&self, client: usize, job: usize, call: job::Call, request: Request) -> Result<Arc<Exchange>, Halt> {
        let begun = Instant::now();
        let exchange = self.context.send(request).await?;
        self.record(client, job, call, &exchange, begun);
        Ok(exchange)
    }

    fn record(&self, client: usize, job: usize, call: job::Call, exchange: &Arc<Exchange>, begun: Instant) {
        let (id, _) = self.job(job);
        let shown = histories::of_jobs(exchange).into_iter().find(|(about, of, _)| *about == id && *of == call);
        let answer = shown.map_or_else(|| job::Answer::Other(demand::seen(exchange)), |(.., answer)| answer);
        let event = self.event(client, call, answer, begun);
        self.seen().jobs[job].history.add(event, Arc::clone(exchange));
    }

    async fn poll(&self, client: usize, job: usize) -> Verdict {
        let (id, _) = self.job(job);
        let exchange = self.ask(client, job, job::Call::Read, steps::get_job(&id)).await?;
        self.agrees(job, &exchange)
    }

    async fn wait(&self, client: usize, job: usize) -> Verdict {
        let (id, _) = self.job(job);
        let begun = Instant::now();
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

    /// Reads the scheduled post of a job, and returns its status.
    async fn entry(&self, client: usize, job: usize) -> Result<Value, Halt> {
        let (id, topic) = self.job(job);
        let begun = Instant::now();
        let entries = pipeline::entries_of(self.context, &id).await?;
        ensure(entries.len() == 1, "exactly one scheduled post of the job", || entries.len().to_string())?;
        demand::same("topic of the scheduled post", &json!(topic), &entries[0]["topic"])?;
        if let Some(page) = self.page_with(&id) {
            self.record(client, job, job::Call::ReadPost, &page, begun);
        }
        Ok(entries[0]["status"].clone())
    }

    /// Returns the last page of the case that shows the scheduled post of a job.
    fn page_with(&self, id: &str) -> Option<Arc<Exchange>> {
        let trace = self.context.trace();
        trace.into_iter().rev().find(|exchange| {
            let shown = histories::of_jobs(exchange);
            shown.iter().any(|(about, call, _)| about == id && *call == job::Call::ReadPost)
        })
    }

    /// Ends all jobs, reads everything once more, and counts what was queued.
    async fn settle(&self) -> Verdict {
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
            // The scheduled post may follow its job with a delay.
            let look = || async move {
                let status = self.entry(0, job).await?;
                Ok(Look::at(status == expected, || {
                    Halt::fail(format!("a scheduled post with status {expected}"), demand::brief(&status))
                }))
            };
            self.context.eventually(self.context.grace(), look).await?;
        }
        let query = format!("limit=100&website_id={}", steps::segment(&self.context.facts().website_id));
        let is_own = |row: &Value| row["topic"].as_str().is_some_and(|topic| topic.ends_with(&self.marker));
        let posts = lists::found(self.context, POSTS, &query, is_own).await?;
        ensure(posts.len() == count, format!("{count} scheduled posts, one for each job that a response named"), || {
            posts.len().to_string()
        })
    }

    /// Compares the responses with the rules.
    fn verdict(&self) -> Verdict {
        let seen = self.seen();
        for (index, history) in seen.keys.iter().enumerate() {
            let others = seen.jobs.iter().enumerate().filter(|(_, job)| job.key != index);
            let rules = key::Key { jobs_of_others: others.map(|(number, _)| number).collect() };
            history.with_contention().explained_by(&rules, key::State::Free)?;
        }
        let rules = job::Job { is_published: false };
        seen.jobs.iter().try_for_each(|job| job.history.explained_by(&rules, job::State::QUEUED))
    }
}

impl<Call: Display, Answer: Display> History<Call, Answer> {
    fn add(&mut self, event: Event<Call, Answer>, exchange: Arc<Exchange>) {
        self.events.push(event);
        self.exchanges.push(exchange);
    }

    /// Passes if the responses have an order that the rules allow.
    fn explained_by<Rules>(&self, rules: &Rules, initial: Rules::State) -> Verdict
    where
        Rules: Machine<Call = Call, Answer = Answer>,
    {
        let contradiction = match model::explain(rules, [initial], &self.events) {
            Explanation::Explained(_) => return Ok(()),
            Explanation::Undecided => return Err(Halt::inconclusive("the calls have too many possible orders")),
            Explanation::Contradiction(contradiction) => contradiction,
        };
        let observed = model::diagram(&self.events, contradiction.event);
        Err(Halt::fail(contradiction.expected(), observed)).about(&self.exchanges[contradiction.event])
    }
}

impl History<key::Call, key::Answer> {
    /// Returns the history with a mark at each call that another one overlaps.
    fn with_contention(&self) -> Self {
        let overlaps = |one: usize, other: usize| {
            let (one_event, other_event) = (&self.events[one], &self.events[other]);
            one != other && one_event.begun <= other_event.ended && other_event.begun <= one_event.ended
        };
        let mut events = self.events.clone();
        for (at, event) in events.iter_mut().enumerate() {
            event.call.is_contended = (0..self.events.len()).any(|other| overlaps(at, other));
        }
        Self { events, exchanges: self.exchanges.clone() }
    }
}
