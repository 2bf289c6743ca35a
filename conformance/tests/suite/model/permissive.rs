//! A server in memory that chooses at random among everything that the rules of the model allow, or has one bug.

#![expect(clippy::disallowed_methods, reason = "requests whose connection was closed end with the test")]

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use bytes::Bytes;
use contentgen_conformance::check::{Channel, Exchange, Request, TransportFault, Waits};
use contentgen_conformance::model::job::{Answer, Call, Job, PostStatus, State, Status};
use contentgen_conformance::model::lead::{self, Leads, Person};
use contentgen_conformance::model::{Machine, key};
use futures::future::{BoxFuture, FutureExt as _, ready};
use http::{HeaderMap, HeaderValue};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Value, json};

const RULES: Job = Job { is_published: false };
/// Longest time in milliseconds before and after a request has its effect.
const LONGEST_DELAY: u64 = 40;

/// A behaviour that the document forbids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bug {
    /// A key is forgotten.
    ForgetsKeys,
    /// A key is stored only after the job, so two requests at the same time make two jobs.
    StoresKeysLate,
    /// A replay is not marked.
    UnmarkedReplay,
    /// A key with another body gets the first job.
    IgnoresBodies,
    /// A new key gets the job of another key.
    SharesJobs,
    /// `409 idempotency_in_flight` although no other request is processed.
    AlwaysInFlight,
    /// A replay queues a second job that no response shows.
    QueuesTwice,
    /// A job that has ended is read as one that has not.
    GoesBack,
    /// Progress goes down.
    LosesProgress,
    /// The body changes after the end.
    ChangesEnd,
    /// A completed job can be cancelled.
    CancelsCompleted,
    /// The article of a cancelled job can be read.
    ArticleAfterCancel,
    /// The article of a completed job is not ready.
    NeverReady,
    /// The scheduled post of a cancelled job becomes queued again.
    RevivesPosts,
    /// A repeated form replaces the lead.
    KeepsLastForm,
    /// Two forms at the same time make two leads.
    RacesForms,
    /// The scheduled post of a cancelled job is shown as ready.
    ReadyAfterCancel,
    /// A cancel that comes while the job is being written is confirmed, and the job completes.
    CompletesAfterCancel,
}

impl Bug {
    pub(crate) const OF_JOBS: [Self; 16] = [
        Self::ForgetsKeys,
        Self::StoresKeysLate,
        Self::UnmarkedReplay,
        Self::IgnoresBodies,
        Self::SharesJobs,
        Self::AlwaysInFlight,
        Self::QueuesTwice,
        Self::GoesBack,
        Self::LosesProgress,
        Self::ChangesEnd,
        Self::CancelsCompleted,
        Self::ArticleAfterCancel,
        Self::NeverReady,
        Self::RevivesPosts,
        Self::ReadyAfterCancel,
        Self::CompletesAfterCancel,
    ];

    /// Returns true if one client alone cannot notice it.
    pub(crate) fn needs_several_clients(self) -> bool {
        self == Self::StoresKeysLate
    }
}

/// Name and address of each person in the forms of `sequences.leads`.
fn person(form: &Value) -> String {
    form["email"].as_str().unwrap().to_ascii_lowercase()
}

/// The server.
pub(crate) struct Permissive(Arc<Inner>);

struct Inner {
    bug: Option<Bug>,
    world: Mutex<World>,
}

struct World {
    random: StdRng,
    jobs: Vec<Record>,
    keys: BTreeMap<String, Kept>,
    /// Accepted forms, by person, and the leads in the order in which they were captured.
    people: BTreeMap<String, (Vec<Value>, Leads)>,
    leads: Vec<Value>,
}

struct Record {
    topic: String,
    state: State,
    /// The body of the job once it has ended.
    end: Option<Value>,
    /// Number of reads.
    reads: u32,
}

struct Kept {
    state: key::State,
    bodies: Vec<Bytes>,
    /// Number of requests that are being processed.
    running: usize,
    /// True once a success was sent.
    is_done: bool,
}

impl fmt::Debug for Permissive {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Permissive({:?})", self.0.bug)
    }
}

impl Permissive {
    /// Returns a server whose choices follow from `seed`.
    pub(crate) fn new(seed: u32, bug: Option<Bug>) -> Self {
        let random = StdRng::seed_from_u64(u64::from(seed));
        let world =
            World { random, jobs: Vec::new(), keys: BTreeMap::new(), people: BTreeMap::new(), leads: Vec::new() };
        Self(Arc::new(Inner { bug, world: Mutex::new(world) }))
    }
}

impl Inner {
    fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap()
    }

    fn has(&self, bug: Bug) -> bool {
        self.bug == Some(bug)
    }

    async fn pause(&self) {
        let delay = self.world().random.random_range(0..=LONGEST_DELAY);
        tokio::time::sleep(Duration::from_millis(delay)).await;
    }

    async fn answer(&self, request: &Request) -> (u16, Value, bool) {
        let path = request.path.split('?').next().unwrap_or_default().trim_start_matches("/api/v1/");
        match path.split('/').collect::<Vec<_>>().as_slice() {
            ["generate"] => self.generate(request).await,
            ["scheduled_posts"] => {
                self.pause().await;
                let posts = self.posts();
                self.pause().await;
                (200, posts, false)
            }
            ["leads"] => (200, self.leads(), false),
            ["", "capture", _] => {
                let form = serde_json::from_slice(request.body.as_ref().unwrap()).unwrap();
                self.capture(form).await;
                (202, json!({ "accepted": true }), false)
            }
            ["jobs", id] => self.about(id, Call::Read).await,
            ["jobs", id, "cancel"] => self.about(id, Call::Cancel).await,
            ["articles", id] => self.about(id, Call::ReadArticle).await,
            _ => panic!("the sequences do not ask for {}", request.path),
        }
    }

    async fn generate(&self, request: &Request) -> (u16, Value, bool) {
        let name = request.headers.iter().find(|(name, _)| name == "idempotency-key").unwrap().1.clone();
        let body = request.body.clone().unwrap();
        let topic = serde_json::from_slice::<Value>(&body).unwrap()["topic"].as_str().unwrap().to_owned();
        let number = {
            let mut world = self.world();
            let new = || Kept { state: key::State::Free, bodies: Vec::new(), running: 0, is_done: false };
            let kept = world.keys.entry(name.clone()).or_insert_with(new);
            kept.running += 1;
            kept.bodies.iter().position(|known| *known == body).unwrap_or_else(|| {
                kept.bodies.push(body);
                kept.bodies.len() - 1
            })
        };
        self.pause().await;
        let late = self.has(Bug::StoresKeysLate).then(|| self.world().keys[&name].state.clone());
        if late.is_some() {
            self.pause().await;
        }
        let answer = self.decide(&name, number, &topic, late);
        self.pause().await;
        let mut world = self.world();
        let kept = world.keys.get_mut(&name).unwrap();
        kept.running -= 1;
        kept.is_done |= answer.0 == 202;
        answer
    }

    /// Chooses the response to a request with a key. `late` is the state of the key that was read earlier.
    fn decide(&self, name: &str, body: usize, topic: &str, late: Option<key::State>) -> (u16, Value, bool) {
        let mut world = self.world();
        let kept = &world.keys[name];
        let state = late.unwrap_or_else(|| kept.state.clone());
        let state = if self.has(Bug::ForgetsKeys) { key::State::Free } else { state };
        let call =
            key::Call { body, is_contended: (kept.running > 1 && !kept.is_done) || self.has(Bug::AlwaysInFlight) };
        let call = match state {
            key::State::Kept { body, .. } if self.has(Bug::IgnoresBodies) => key::Call { body, ..call },
            _ => call,
        };
        let allowed = key::Key::default().allowed(&state, &call);
        let at = world.random.random_range(0..allowed.len());
        let chosen = allowed.into_iter().nth(at).unwrap();
        match chosen.answer {
            key::Answer::Queued { job, is_replay } => {
                let shared = (self.has(Bug::SharesJobs) && !world.jobs.is_empty()).then_some(0);
                let job = job.or(shared);
                if job.is_none() || self.has(Bug::QueuesTwice) {
                    world.jobs.push(Record { topic: topic.to_owned(), state: State::QUEUED, end: None, reads: 0 });
                }
                let job = job.unwrap_or(world.jobs.len() - 1);
                let key::State::Kept { body, .. } = chosen.next else { unreachable!("the job is queued") };
                world.keys.get_mut(name).unwrap().state = key::State::Kept { body, job: Some(job) };
                let shown = json!({ "job_id": id(job), "status": "queued", "topic": topic, "website_id": "web_1" });
                (202, shown, is_replay && !self.has(Bug::UnmarkedReplay))
            }
            key::Answer::Mismatch => (422, json!({ "code": "idempotency_mismatch" }), false),
            key::Answer::InFlight => (409, json!({ "code": "idempotency_in_flight" }), false),
            key::Answer::Other(_) => unreachable!("the rules never allow it"),
        }
    }

    async fn capture(&self, form: Value) {
        self.pause().await;
        let early = self.world().people.get(&person(&form)).map(|(_, leads)| *leads).unwrap_or_default();
        if self.has(Bug::RacesForms) {
            self.pause().await;
        }
        {
            let world = &mut *self.world();
            let (forms, leads) = world.people.entry(person(&form)).or_default();
            let before = if self.has(Bug::RacesForms) { early } else { *leads };
            forms.push(form.clone());
            let number = forms.len() - 1;
            let allowed = Person.allowed(&before, &lead::Call::Capture(number));
            let next = allowed[world.random.random_range(0..allowed.len())].next;
            let is_new = next != before;
            let is_suspected = next.suspected != before.suspected;
            if is_new {
                *leads = next;
                world.leads.push(json!({
                    "email": form["email"], "name": form["name"], "spam": { "suspected": is_suspected },
                }));
            } else if self.has(Bug::KeepsLastForm) {
                let same = world.leads.iter_mut().find(|lead| person(lead) == person(&form));
                same.unwrap()["name"] = form["name"].clone();
            }
        }
        self.pause().await;
    }

    /// Returns the list of leads, newest first.
    fn leads(&self) -> Value {
        let leads: Vec<Value> = self.world().leads.iter().rev().cloned().collect();
        json!({ "items": leads, "next_page": null })
    }

    async fn about(&self, id: &str, call: Call) -> (u16, Value, bool) {
        let job: usize = id.trim_start_matches("job-").parse().unwrap();
        self.pause().await;
        let (status, body) = self.choose(job, call);
        self.pause().await;
        (status, body, false)
    }

    /// Lets the job go on, and chooses a response.
    fn choose(&self, job: usize, call: Call) -> (u16, Value) {
        let world = &mut *self.world();
        go_on(&mut world.random, &mut world.jobs[job].state);
        let before = world.jobs[job].state.clone();
        if self.has(Bug::CancelsCompleted) && call == Call::Cancel && before.status == Status::Completed {
            let body = shown(job, &world.jobs[job].topic, Status::Cancelled, before.progress);
            return (200, body);
        }
        if self.has(Bug::CompletesAfterCancel) && call == Call::Cancel && before.status == Status::InProgress {
            let record = &mut world.jobs[job];
            record.state.status = Status::Completed;
            return (200, shown(job, &record.topic, Status::Cancelled, before.progress));
        }
        if self.has(Bug::ArticleAfterCancel) && call == Call::ReadArticle && before.status == Status::Cancelled {
            return (200, json!({ "id": "art", "job_id": id(job), "topic": world.jobs[job].topic }));
        }
        if self.has(Bug::NeverReady) && call == Call::ReadArticle && before.status == Status::Completed {
            return (404, json!({ "code": "article_not_ready" }));
        }
        let allowed = RULES.allowed(&before, &call);
        let at = world.random.random_range(0..allowed.len());
        let chosen = allowed.into_iter().nth(at).unwrap();
        let record = &mut world.jobs[job];
        match chosen.answer {
            Answer::Job { status, .. } => {
                record.reads += 1;
                let lowest = if self.has(Bug::LosesProgress) { 0 } else { chosen.next.progress };
                let progress = match status {
                    Status::Queued => 0,
                    Status::Completed => 100,
                    Status::InProgress => world.random.random_range(lowest..=99),
                    Status::Failed | Status::Cancelled => chosen.next.progress,
                };
                record.state = State { progress, ..chosen.next };
                if !status.has_ended() {
                    return (200, shown(job, &record.topic, status, progress));
                }
                let body = shown(job, &record.topic, status, progress);
                let mut body = record.end.get_or_insert(body).clone();
                if self.has(Bug::GoesBack) && record.reads.is_multiple_of(3) {
                    body = shown(job, &record.topic, Status::InProgress, progress);
                }
                if self.has(Bug::ChangesEnd) {
                    body["attempts"] = json!(record.reads);
                }
                (200, body)
            }
            Answer::NotCancellable => (409, json!({ "code": "job_not_cancellable" })),
            Answer::Article => (200, json!({ "id": "art", "job_id": id(job), "topic": record.topic })),
            Answer::NotReady => (404, json!({ "code": "article_not_ready" })),
            Answer::GenerationFailed => (404, json!({ "code": "generation_failed" })),
            Answer::GenerationCancelled => (404, json!({ "code": "generation_cancelled" })),
            Answer::Post(_) | Answer::Other(_) => unreachable!("posts are read in the list"),
        }
    }

    /// Returns the list of scheduled posts, newest first.
    fn posts(&self) -> Value {
        let world = &mut *self.world();
        let random = &mut world.random;
        let rows = world.jobs.iter_mut().enumerate().rev().map(|(job, record)| {
            go_on(random, &mut record.state);
            let is_cancelled = record.state.post == PostStatus::Cancelled;
            if self.has(Bug::RevivesPosts) && is_cancelled {
                record.state.post = PostStatus::Queued;
            }
            // The list may lag.
            let allowed = RULES.allowed(&record.state, &Call::ReadPost);
            let chosen = allowed[random.random_range(0..allowed.len())].clone();
            let Answer::Post(mut post) = chosen.answer else { unreachable!("the call reads the post") };
            if self.has(Bug::ReadyAfterCancel) && is_cancelled && !record.state.was_final_post_shown {
                post = PostStatus::Ready;
            }
            record.state = chosen.next;
            json!({ "id": format!("post-{job}"), "job_id": id(job), "topic": record.topic, "status": post.name() })
        });
        json!({ "items": rows.collect::<Vec<_>>(), "next_page": null })
    }
}

/// Takes up to two steps that the rules allow.
fn go_on(random: &mut StdRng, state: &mut State) {
    for _ in 0..random.random_range(0..=2) {
        let steps = RULES.steps(state);
        // Half of the steps are left out, so that several calls see each state.
        if !steps.is_empty() && random.random_bool(0.5) {
            *state = steps[random.random_range(0..steps.len())].clone();
        }
    }
}

fn id(job: usize) -> String {
    format!("job-{job}")
}

/// Returns the body of a job whose fields agree with its status.
fn shown(job: usize, topic: &str, status: Status, progress: u8) -> Value {
    let only_if = |is_so: bool, value: Value| if is_so { value } else { Value::Null };
    json!({
        "job_id": id(job),
        "topic": topic,
        "status": status.name(),
        "done": status.has_ended(),
        "progress": progress,
        "finished_at": only_if(status.has_ended(), json!("2026-11-02T08:00:07.930Z")),
        "article_id": only_if(status == Status::Completed, json!("art")),
        "error": only_if(status == Status::Failed, json!({ "code": "internal", "message": "failed", "retryable": true })),
    })
}

impl Channel for Permissive {
    fn exchange<'a>(&'a self, request: Request, _: &'a Waits) -> BoxFuture<'a, Result<Exchange, TransportFault>> {
        async move {
            let begun = tokio::time::Instant::now();
            let (inner, closed_after) = (Arc::clone(&self.0), request.closed_after);
            let is_detached = inner.world().random.random_bool(0.5);
            let sent = request.clone();
            let answering = async move { inner.answer(&sent).await };
            // A server may go on with a request after its connection was closed, or stop.
            let answering = if is_detached {
                let task = tokio::spawn(answering);
                async move { task.await.unwrap() }.boxed()
            } else {
                answering.boxed()
            };
            let answered = match closed_after {
                Some(limit) => tokio::time::timeout(limit, answering).await.map_err(|_| TransportFault::closed())?,
                None => answering.await,
            };
            let (status, body, is_replay) = answered;
            let mut headers = HeaderMap::new();
            headers.insert("content-type", HeaderValue::from_static("application/json"));
            if is_replay {
                headers.insert("idempotency-replayed", HeaderValue::from_static("true"));
            }
            Ok(Exchange::new(request, status, headers, body.to_string().into(), begun.elapsed()))
        }
        .boxed()
    }

    fn raw(&self, _: Vec<u8>, _: usize, _: Option<Duration>) -> BoxFuture<'_, Result<Vec<u8>, TransportFault>> {
        ready(Err(TransportFault::new("the sequences send no raw bytes"))).boxed()
    }
}
