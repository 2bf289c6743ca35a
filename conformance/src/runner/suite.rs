//! A whole run: set-up, every requirement in the order of ids, the background ones beside them.
//!
//! Single requirements are run in `cases`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use futures::stream::StreamExt as _;

use super::cases::{Execution, OUT_OF_TIME};
use super::clock::unix_seconds;
use super::cost::Cost;
use super::estimate::{self, Plan};
use super::event::{Event, Sink};
use super::interrupt::{Interrupt, InterruptSwitch};
use super::known::{self, KnownFailure};
use super::latency::Latency;
use super::observers::{Observers, Sighting};
use super::outcome::{Failure, Outcome, RequirementResult, Run};
use super::plan::{Selection, Shard};
use super::preflight::{self, Preflight};
use super::quotas::Quota;
use super::receiver::Receiver;
use super::replay::{self, Effort, Replay};
use super::set_up::SetUpError;
use super::target::Target;
use super::transport::Transport;
use crate::requirements::{Capability, Channel, Context, Facts, Pace, Request, Requirement};
use crate::spec::{Document, Profile};
use crate::strategies::Space;

/// Requirements that may end because an answer was not complete in time; after so many the rest is skipped.
const MAX_HANGS: u32 = 8;

/// Longest time for the first questions where no `max_time` is set.
const MAX_PREFLIGHT: Duration = Duration::from_mins(5);

/// Longest time for one case beyond twice the time in which the target says that it is ready.
const MAX_ORDINARY: Duration = Duration::from_secs(30);
const MAX_BACKGROUND: Duration = Duration::from_mins(2);

/// Requirements that run beside the others where quotas are scarce.
const BACKGROUND_WHERE_SCARCE: usize = 2;

/// Why something was not decided after an interrupt.
const INTERRUPTED: &str = "the run was interrupted";
/// Why something was not decided after the first failure.
const FAILED_FAST: &str = "another requirement failed (--fail-fast)";

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
    /// What becomes of a finding that is not seen again.
    pub flaky: Flaky,
    /// Only this part of the requirements.
    pub shard: Option<Shard>,
    /// Whether what is only recommended must hold, too.
    pub strict: bool,
    /// Whether the first failure ends the run.
    pub fail_fast: bool,
    /// Ends the run early.
    pub interrupt: Interrupt,
}

/// What becomes of a case that breaks its clause, and holds when it is repeated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Flaky {
    /// It is told, and does not fail the run.
    #[default]
    Warn,
    /// It fails the run like any other finding.
    Fail,
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
            flaky: Flaky::default(),
            shard: None,
            strict: false,
            fail_fast: false,
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
    /// Whether the target's quotas hold the run up.
    is_scarce: bool,
    gone: AtomicBool,
    /// Turned on by the first failure where that ends the run.
    failed: (InterruptSwitch, Interrupt),
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
        let Preflight { mut facts, mut notes } =
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
        let mut requirements = settings.requirements();
        let space = Space::new(Arc::clone(&document), &facts.website_id);
        let scarcity = Scarcity::new(settings, &requirements, &space, &facts, transport.quotas());
        notes.extend(scarcity.remark.clone());
        scarcity.put_in_order(&mut requirements);
        sink(Event::Started { seed: settings.seed, requirements: requirements.len(), facts: &facts, notes: &notes });
        let observers = Arc::new(Observers::new(&requirements));
        let latency = Arc::new(Latency::default());
        let cost = Arc::new(Cost::new(&facts));
        let tap = {
            let (observers, document, facts) = (Arc::clone(&observers), Arc::clone(&document), Arc::clone(&facts));
            let (latency, cost) = (Arc::clone(&latency), Arc::clone(&cost));
            Arc::new(move |exchange: &Arc<_>, origin: Option<&Arc<_>>| {
                latency.record(exchange);
                cost.record(exchange, origin);
                observers.look(&document, &facts, exchange, origin);
            })
        };
        let channel: Arc<dyn Channel> = Arc::clone(&transport) as Arc<dyn Channel>;
        let stage = Stage {
            settings,
            space,
            context: Context::new(Arc::clone(&document), Arc::clone(&facts), channel, log, tap),
            transport,
            observers,
            capabilities: facts.capabilities.clone(),
            started,
            ready_within: facts.ready_within,
            deadline: settings.max_time.map(|limit| begun + limit),
            is_scarce: scarcity.is_there(),
            gone: AtomicBool::new(false),
            failed: Interrupt::new(),
            hangs: AtomicU32::new(0),
            sink,
        };
        let mut results = stage.run_all(&requirements).await;
        for result in &mut results {
            result.requests = cost.of(result.requirement.id);
        }
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
            shard: settings.shard,
            strict: settings.strict,
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

/// What the target's quotas, as far as they are known, mean for the run.
struct Scarcity {
    quotas: Vec<Quota>,
    /// A sentence on how long they hold the run up, if that is worth telling.
    remark: Option<String>,
}

impl Scarcity {
    fn new(
        settings: &Settings,
        requirements: &[Arc<Requirement>],
        space: &Space,
        facts: &Facts,
        announced: Vec<Quota>,
    ) -> Self {
        let can_run = |one: &&Arc<Requirement>| one.needs.iter().all(|need| facts.capabilities.contains(need));
        let requirements: Vec<_> = requirements.iter().filter(can_run).map(Arc::clone).collect();
        let has_lead_form = facts.capabilities.contains(&Capability::LeadForm);
        let quotas = estimate::expected(announced, space.document(), has_lead_form);
        let (cases, max_time) = (settings.cases, settings.max_time);
        let remark = Plan { requirements: &requirements, space, cases, max_time }.remark(&quotas);
        Self { quotas, remark }
    }

    const fn is_there(&self) -> bool {
        self.remark.is_some()
    }

    /// Puts first what costs least, and last what only looks at the exchanges of others.
    fn put_in_order(&self, requirements: &mut [Arc<Requirement>]) {
        if self.is_there() {
            requirements.sort_by_cached_key(|one| (one.observer().is_some(), estimate::time_of_one(one, &self.quotas)));
        }
    }
}

impl Stage<'_> {
    async fn run_all(&self, requirements: &[Arc<Requirement>]) -> Vec<RequirementResult> {
        let is_background = |requirement: &&Arc<Requirement>| requirement.pace == Pace::Background;
        let background = requirements.iter().filter(is_background).map(|requirement| self.decide(requirement));
        // Where quotas are scarce, many at once would wait for one another until what they look at is over.
        let at_once = if self.is_scarce { BACKGROUND_WHERE_SCARCE } else { requirements.len().max(1) };
        let background = futures::stream::iter(background).buffer_unordered(at_once).collect::<Vec<_>>();
        let ordinary = async {
            let of_pace = |pace| requirements.iter().filter(move |requirement| requirement.pace == pace);
            let in_order: Vec<_> = of_pace(Pace::Ordinary).chain(of_pace(Pace::Last)).collect();
            let results = match self.deadline {
                None => self.decide_each(&in_order).await,
                Some(_) => self.decide_first_cases_first(&in_order).await,
            };
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

    async fn decide_each(&self, requirements: &[&Arc<Requirement>]) -> Vec<RequirementResult> {
        let mut results = Vec::new();
        for requirement in requirements {
            results.push(self.decide(requirement).await);
        }
        results
    }

    /// Where time is short, the first case of each requirement tells more than the second of any.
    async fn decide_first_cases_first(&self, requirements: &[&Arc<Requirement>]) -> Vec<RequirementResult> {
        let (mut results, mut begun) = (Vec::new(), Vec::new());
        for requirement in requirements {
            let cases = self.case_count(requirement);
            let result = self.examine(requirement, 0..cases.min(1)).await;
            if cases > 1 && matches!(result.outcome, Outcome::Passed) {
                begun.push((result, cases));
            } else {
                results.push(self.announced(result));
            }
        }
        for (first, cases) in begun {
            let rest = self.examine(&first.requirement, 1..cases).await;
            let (cases, duration) = (first.cases + rest.cases, first.duration + rest.duration);
            results.push(self.announced(RequirementResult { cases, duration, ..rest }));
        }
        results
    }

    async fn decide(&self, requirement: &Arc<Requirement>) -> RequirementResult {
        self.announced(self.examine(requirement, 0..self.case_count(requirement)).await)
    }

    fn case_count(&self, requirement: &Requirement) -> u32 {
        requirement.case_count(&self.space, self.settings.cases)
    }

    /// Runs the cases with these indices.
    async fn examine(&self, requirement: &Arc<Requirement>, cases: Range<u32>) -> RequirementResult {
        let begun = Instant::now();
        // What others have sent shows as much, and costs nothing.
        let has_seen = requirement.observer().is_some() && self.observers.was_concerned(requirement.id);
        let (outcome, cases) = match self.obstacle(requirement, cases.start) {
            None | Some(Outcome::Inconclusive(_)) if self.is_scarce && has_seen => (Outcome::Passed, 0),
            Some(outcome) => (outcome, 0),
            None => self.execute(requirement, cases).await,
        };
        let (duration, requests) = (begun.elapsed(), BTreeMap::new());
        RequirementResult { requirement: Arc::clone(requirement), outcome, cases, duration, requests }
    }

    fn announced(&self, mut result: RequirementResult) -> RequirementResult {
        if !is_announced_late(&result) {
            known::apply(&self.settings.known_failures, self.started, &mut result);
            (self.sink)(Event::Decided(&result));
        }
        if self.settings.fail_fast && result.is_failure() {
            self.failed.0.turn_on();
        }
        result
    }

    /// What becomes of a requirement whose cases from the `first` one on are not run.
    fn obstacle(&self, requirement: &Requirement, first: u32) -> Option<Outcome> {
        let skipped = |reason: String| Some(Outcome::Skipped(reason));
        if self.gone.load(Ordering::Relaxed) {
            return skipped("the target stopped answering earlier in this run".to_owned());
        }
        if self.settings.interrupt.is_on() {
            return skipped(format!("{INTERRUPTED} before its turn"));
        }
        if self.failed.1.is_on() {
            return skipped(format!("{FAILED_FAST} before its turn"));
        }
        if self.hangs.load(Ordering::Relaxed) >= MAX_HANGS {
            return skipped(format!("the target left {MAX_HANGS} requirements without an answer in time"));
        }
        if let Some(need) = requirement.needs.iter().find(|need| !self.capabilities.contains(need)) {
            return skipped(need.absence().to_owned());
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            let reason = if first > 0 { OUT_OF_TIME } else { "the time budget (--max-time) was spent before its turn" };
            return Some(Outcome::Inconclusive(reason.to_owned()));
        }
        None
    }

    async fn execute(&self, requirement: &Arc<Requirement>, cases: Range<u32>) -> (Outcome, u32) {
        let is_background = requirement.pace == Pace::Background;
        if !is_background {
            (self.sink)(Event::Begun { requirement, cases: cases.end });
        }
        let (id, first) = (requirement.id, cases.start);
        let progress = |done: u32| {
            (self.sink)(Event::Progress { id, cases: first + done, exchanges: self.transport.exchanges() });
        };
        let execution = Execution {
            requirement,
            space: &self.space,
            context: &self.context,
            transport: &self.transport,
            seed: self.settings.seed,
            cases,
            in_flight: self.settings.jobs,
            limit: self.ready_within * 2 + if is_background { MAX_BACKGROUND } else { MAX_ORDINARY },
            deadline: self.deadline,
            flaky: self.settings.flaky,
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
            () = self.failed.1.turned_on() => FAILED_FAST,
        }
    }

    /// What failed in an earlier run comes first.
    async fn replay_and_run(&self, execution: &Execution<'_>) -> (Outcome, u32) {
        let mut undecided = None;
        let mut repeated = 0;
        let effort = if self.settings.only_replays { Effort::Thorough } else { Effort::Once };
        let is_first = execution.cases.start == 0;
        let of_this = |replay: &&Replay| is_first && replay.shown_by == execution.requirement.id;
        for replay in self.settings.replays.iter().filter(of_this) {
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
        if !failure.finding.is_without_answer() {
            return;
        }
        if failure.is_hang() {
            self.hangs.fetch_add(1, Ordering::Relaxed);
        }
        let probe = Request::new("get_article", "GET", "/articles/conformance-preflight");
        if self.transport.ask(probe).await.is_err() {
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
