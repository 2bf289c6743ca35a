//! A whole run: set-up, every requirement in the order of ids, the background ones beside them.
//!
//! Single requirements are run in `cases`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use super::cases::Execution;
use super::clock::unix_seconds;
use super::event::{Event, Sink};
use super::interrupt::Interrupt;
use super::known::{self, KnownFailure};
use super::latency::Latency;
use super::observers::{Observers, Sighting};
use super::outcome::{Failure, Outcome, RequirementResult, Run};
use super::plan::Selection;
use super::preflight::{self, Preflight};
use super::receiver::Receiver;
use super::replay::{self, Effort, Replay};
use super::set_up::SetUpError;
use super::target::Target;
use super::transport::Transport;
use crate::requirements::{Capability, Channel, Context, Facts, Pace, Request, Requirement, catalogue};
use crate::spec::{Document, Profile};
use crate::strategies::Space;

/// Requirements that may end because an answer was not complete in time; after so many the rest is skipped.
const MAX_HANGS: u32 = 8;

/// Longest time for the first questions where no `max_time` is set.
const MAX_PREFLIGHT: Duration = Duration::from_mins(5);

/// Longest time for one case beyond twice the time in which the target says that it is ready.
const MAX_ORDINARY: Duration = Duration::from_secs(30);
const MAX_BACKGROUND: Duration = Duration::from_mins(2);

/// Why something was not decided after an interrupt.
const INTERRUPTED: &str = "the run was interrupted";

/// How a run is made.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What it demands.
    pub profile: Profile,
    /// Which requirements it covers.
    pub selection: Selection,
    /// Cases of a searched requirement.
    pub cases: u32,
    /// Seed of every case.
    pub seed: u64,
    /// Cases in flight.
    pub jobs: usize,
    /// No case begins after this long.
    pub max_time: Option<Duration>,
    /// Failures that are known and do not fail the run.
    pub known_failures: Vec<KnownFailure>,
    /// Failures of earlier runs, repeated before the cases of their requirement.
    pub replays: Vec<Replay>,
    /// Runs nothing but `replays`, and tries harder to see them fail.
    pub only_replays: bool,
    /// Ends the run early.
    pub interrupt: Interrupt,
}

/// Cases of a searched requirement unless told otherwise: as many as proptest tries.
pub const DEFAULT_CASES: u32 = 256;

impl Default for Settings {
    fn default() -> Self {
        Self {
            profile: Profile::Full,
            selection: Selection::default(),
            cases: DEFAULT_CASES,
            seed: 0,
            jobs: 16,
            max_time: None,
            known_failures: Vec::new(),
            replays: Vec::new(),
            only_replays: false,
            interrupt: Interrupt::default(),
        }
    }
}

/// A suite about to run against one target.
#[derive(Debug)]
pub struct Suite {
    target: Target,
    settings: Settings,
}

/// What every part of a run shares.
struct Stage<'run> {
    settings: &'run Settings,
    space: Space,
    context: Context,
    transport: Arc<Transport>,
    observers: Arc<Observers>,
    capabilities: std::collections::BTreeSet<Capability>,
    started: i64,
    ready_within: Duration,
    deadline: Option<Instant>,
    gone: AtomicBool,
    /// Requirements that ended because an answer was not complete in time.
    hangs: AtomicU32,
    sink: Sink<'run>,
}

impl Suite {
    /// A suite with default settings.
    pub fn new(target: Target) -> Self {
        Self { target, settings: Settings::default() }
    }

    /// Takes other settings.
    #[must_use]
    pub fn with(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Demands that profile.
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Self {
        self.settings.profile = profile;
        self
    }

    /// Runs everything and tells `sink` about it.
    ///
    /// # Errors
    /// When the run cannot begin: bad configuration, an unreachable target, a refused key. What the target
    /// does wrong afterwards is part of the returned run.
    pub async fn run(self, sink: Sink<'_>) -> Result<Run, SetUpError> {
        let begun = Instant::now();
        let started = unix_seconds();
        let settings = &self.settings;
        let run = format!("{:x}{:04x}", started, rand::random::<u16>());
        let document = Document::embedded(settings.profile)?;
        let transport = Arc::new(Transport::new(&self.target)?);
        let questions = preflight::ask(&self.target, &transport, settings.profile, started, run.clone());
        let Preflight { mut facts, notes } =
            tokio::time::timeout(settings.max_time.unwrap_or(MAX_PREFLIGHT), questions).await.map_err(|_| {
                SetUpError::Target(format!(
                    "the target at {} was too slow to answer the first questions in the time for them",
                    self.target.base_url
                ))
            })??;
        let receiver = match &self.target.hooks {
            Some(hooks) => Some(Receiver::start(hooks, &run).await?),
            None => None,
        };
        let log = receiver.as_ref().map(|receiver| Arc::clone(&receiver.log));
        if log.as_ref().is_some_and(|log| log.secret().is_some()) {
            facts.capabilities.insert(Capability::StandardWebhooks);
        }
        facts.secrets = facts.secrets.and(log.as_ref().and_then(|log| log.secret()));
        let facts = Arc::new(facts);
        let requirements = settings.selection.select(catalogue(), settings.profile);
        sink(Event::Started { seed: settings.seed, requirements: requirements.len(), facts: &facts, notes: &notes });
        let observers = Arc::new(Observers::new(&requirements));
        let latency = Arc::new(Latency::default());
        let tap = {
            let (observers, document, facts) = (Arc::clone(&observers), Arc::clone(&document), Arc::clone(&facts));
            let latency = Arc::clone(&latency);
            Arc::new(move |exchange: &Arc<_>, origin: Option<&Arc<_>>| {
                latency.record(exchange);
                observers.look(&document, &facts, exchange, origin);
            })
        };
        let channel: Arc<dyn Channel> = Arc::clone(&transport) as Arc<dyn Channel>;
        let stage = Stage {
            settings,
            space: Space::new(Arc::clone(&document), &facts.website_id),
            context: Context::new(Arc::clone(&document), Arc::clone(&facts), channel, log, tap),
            transport,
            observers,
            capabilities: facts.capabilities.clone(),
            started,
            ready_within: facts.ready_within,
            deadline: settings.max_time.map(|limit| begun + limit),
            gone: AtomicBool::new(false),
            hangs: AtomicU32::new(0),
            sink,
        };
        let results = stage.run_all(&requirements).await;
        let mut facts = Facts::clone(&facts);
        if let Some(receiver) = &receiver {
            receiver.remove().await;
            for secret in receiver.log.endpoints().secrets() {
                facts.secrets = facts.secrets.and(Some(secret));
            }
        }
        let run = Run {
            profile: settings.profile,
            selection: settings.selection.clone(),
            seed: settings.seed,
            cases: settings.cases,
            facts: Arc::new(facts),
            target_flag: self.target.flag.clone(),
            key_variables: self.target.key_variables.clone(),
            secret_variables: self.target.keys().into_iter().map(|(_, variable)| variable).collect(),
            notes,
            document_version: document.version().to_owned(),
            document_digest: document.digest().to_owned(),
            started,
            begun,
            duration: begun.elapsed(),
            exchanges: stage.transport.exchanges(),
            hook_latency: receiver.as_ref().and_then(|receiver| receiver.log.latency()),
            latency: latency.summary(),
            results,
        };
        sink(Event::Finished(&run));
        Ok(run)
    }
}

impl Stage<'_> {
    async fn run_all(&self, requirements: &[Arc<Requirement>]) -> Vec<RequirementResult> {
        let is_background = |requirement: &&Arc<Requirement>| requirement.pace == Pace::Background;
        let background = requirements.iter().filter(is_background).map(|requirement| self.decide(requirement));
        let background = futures::future::join_all(background);
        let ordinary = async {
            let mut results = Vec::new();
            for pace in [Pace::Ordinary, Pace::Last] {
                for requirement in requirements.iter().filter(|requirement| requirement.pace == pace) {
                    results.push(self.decide(requirement).await);
                }
            }
            (self.sink)(Event::Waiting);
            results
        };
        let (mut results, late) = futures::future::join(ordinary, background).await;
        results.extend(late);
        for result in results.iter_mut().filter(|result| is_announced_late(result)) {
            self.add_observation(result);
            known::apply(&self.settings.known_failures, self.started, result);
        }
        results.sort_by_key(|result| result.requirement.id);
        for result in results.iter().filter(|result| is_announced_late(result)) {
            (self.sink)(Event::Decided(result));
        }
        results
    }

    async fn decide(&self, requirement: &Arc<Requirement>) -> RequirementResult {
        let begun = Instant::now();
        let (outcome, cases) = match self.obstacle(requirement) {
            Some(reason) => (Outcome::Skipped(reason), 0),
            None => self.execute(requirement).await,
        };
        let mut result =
            RequirementResult { requirement: Arc::clone(requirement), outcome, cases, duration: begun.elapsed() };
        if !is_announced_late(&result) {
            known::apply(&self.settings.known_failures, self.started, &mut result);
            (self.sink)(Event::Decided(&result));
        }
        result
    }

    fn obstacle(&self, requirement: &Requirement) -> Option<String> {
        if self.gone.load(Ordering::Relaxed) {
            return Some("the target stopped answering earlier in this run".to_owned());
        }
        if self.settings.interrupt.is_on() {
            return Some(format!("{INTERRUPTED} before its turn"));
        }
        if self.hangs.load(Ordering::Relaxed) >= MAX_HANGS {
            return Some(format!("the target left {MAX_HANGS} requirements without an answer in time"));
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Some("the time budget (--max-time) was spent before its turn".to_owned());
        }
        requirement.needs.iter().find(|need| !self.capabilities.contains(need)).map(|need| need.absence().to_owned())
    }

    async fn execute(&self, requirement: &Arc<Requirement>) -> (Outcome, u32) {
        let cases = requirement.case_count(&self.space, self.settings.cases);
        let is_background = requirement.pace == Pace::Background;
        if !is_background {
            (self.sink)(Event::Begun { requirement, cases });
        }
        let id = requirement.id;
        let progress = |done: u32| {
            (self.sink)(Event::Progress { id, cases: done, exchanges: self.transport.exchanges() });
        };
        let execution = Execution {
            requirement,
            space: &self.space,
            context: &self.context,
            seed: self.settings.seed,
            cases,
            in_flight: self.settings.jobs,
            limit: self.ready_within * 2 + if is_background { MAX_BACKGROUND } else { MAX_ORDINARY },
            deadline: self.deadline,
            progress: &progress,
        };
        let run = self.replay_and_run(&execution);
        let (outcome, cases) = tokio::select! {
            decided = run => decided,
            reason = self.cut_short() => (Outcome::Inconclusive(format!("{reason} while it ran")), 0),
        };
        if let Outcome::Failed(failure) = &outcome {
            self.check_alive(failure).await;
        }
        (outcome, cases)
    }

    /// Returns when a case that is under way must end too, and why.
    async fn cut_short(&self) -> &'static str {
        let out_of_time = async {
            match self.deadline {
                Some(deadline) => tokio::time::sleep_until(deadline.into()).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = out_of_time => "the time budget (--max-time) ended",
            () = self.settings.interrupt.turned_on() => INTERRUPTED,
        }
    }

    /// What failed in an earlier run comes first.
    async fn replay_and_run(&self, execution: &Execution<'_>) -> (Outcome, u32) {
        let mut undecided = None;
        let mut repeated = 0;
        let effort = if self.settings.only_replays { Effort::Thorough } else { Effort::Once };
        for replay in self.settings.replays.iter().filter(|replay| replay.shown_by == execution.requirement.id) {
            let seen = || self.observers.found(&replay.requirement).is_some();
            repeated += 1;
            match replay::repeat(execution, replay, effort, &seen).await {
                Some(failed @ Outcome::Failed(_)) => return (failed, repeated),
                other => undecided = other.or(undecided),
            }
        }
        if self.settings.only_replays {
            return (undecided.unwrap_or(Outcome::Passed), repeated);
        }
        let (outcome, cases) = execution.run().await;
        (outcome, cases + repeated)
    }

    /// After a failure without an HTTP answer: is anybody still there?
    async fn check_alive(&self, failure: &Failure) {
        if failure.finding.expected != "an HTTP answer" {
            return;
        }
        if failure.is_hang() {
            self.hangs.fetch_add(1, Ordering::Relaxed);
        }
        let probe = Request::new("get_article", "GET", "/articles/conformance-preflight");
        if self.transport.exchange(probe).await.is_err() {
            self.gone.store(true, Ordering::Relaxed);
        }
    }

    fn add_observation(&self, result: &mut RequirementResult) {
        if matches!(result.outcome, Outcome::Failed(_)) {
            return;
        }
        let Some(Sighting { finding, exchange, origin }) = self.observers.found(result.requirement.id) else {
            // A replay repeats the case that once showed the fault: then silence means that it is mended.
            let observes = result.requirement.observer().is_some() && !self.settings.only_replays;
            if observes
                && matches!(result.outcome, Outcome::Passed)
                && !self.observers.was_concerned(result.requirement.id)
            {
                result.outcome = Outcome::Inconclusive("no exchange of the run concerned it".to_owned());
            }
            return;
        };
        result.outcome = Outcome::Failed(Box::new(Failure {
            finding,
            case_index: 0,
            case: serde_json::Value::Null,
            shrink_steps: 0,
            exchanges: vec![exchange],
            received: Vec::new(),
            origin,
        }));
    }
}

/// Observers are decided by the whole run, background requirements after everything else.
fn is_announced_late(result: &RequirementResult) -> bool {
    result.requirement.observer().is_some() || result.requirement.pace == Pace::Background
}
