//! What a check holds in its hands: the document, the facts, the way to the target, the trace.
//!
//! Shared steps such as queueing and waiting live in `steps`.

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::activity::{Activity, CaseActivity};
use super::channel::{Channel, Precedence, Waits};
use super::exchange::{Exchange, Request};
use super::facts::Facts;
use super::once::{Made, Once};
use super::origin::Origin;
use super::proxy_page;
use super::raw_answer::{self, RawAnswer};
use super::seen_ids::SeenIds;
use super::shared_answers::SharedAnswers;
use super::tempo::Tempo;
use super::verdict::{AN_ANSWER, Halt};
use crate::inbox::{HookLog, HookRequest};
use crate::lateness::Lateness;
use crate::spec::Document;

/// Longest time that one case waits for quotas and the configured rate: a hundred leads take ten minutes at the contract's quota.
const MAX_WAITS: Duration = Duration::from_mins(30);

/// Answers up to this length tell how far away the target is, in bytes.
const SHORT_BODY: usize = 64 * 1024;

/// How much of each answer's body a case's trace keeps, how much once it holds [`TRACE_BYTES`], and how many exchanges it
/// holds at most. A target that answers with megabytes must not fill the memory with them.
const KEPT_BODY: usize = 256 * 1024;
const KEPT_LATER: usize = 1024;
const TRACE_BYTES: usize = 1024 * 1024;
const TRACE_LENGTH: usize = 4_096;

/// Called with every exchange as soon as it is complete, and with the case that made it.
pub type Tap = Arc<dyn Fn(&Arc<Exchange>, Option<&Arc<Origin>>) + Send + Sync>;

/// One case's view of the run. Cheap to clone; clones share the trace.
#[derive(Clone)]
pub struct Context {
    shared: Arc<Shared>,
    label: Arc<str>,
    origin: Option<Arc<Origin>>,
    activity: Option<Arc<CaseActivity>>,
    trace: Arc<Mutex<Vec<Arc<Exchange>>>>,
    counter: Arc<AtomicU32>,
    begun: Instant,
    waits: Arc<Waits>,
    names: Arc<Mutex<Vec<String>>>,
}

struct Shared {
    document: Arc<Document>,
    facts: Arc<Facts>,
    channel: Arc<dyn Channel>,
    hooks: Option<Arc<HookLog>>,
    tap: Tap,
    seen: SeenIds,
    answers: SharedAnswers,
    tempo: Tempo,
    lateness: Lateness,
    once: Once,
    quota_turn: tokio::sync::Mutex<()>,
}

impl fmt::Debug for Context {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Context").field("label", &self.label).finish_non_exhaustive()
    }
}

impl Context {
    /// The context that the cases of a run are made from. `lateness` tells how late the suite itself is.
    pub fn new(
        document: Arc<Document>,
        facts: Arc<Facts>,
        channel: Arc<dyn Channel>,
        hooks: Option<Arc<HookLog>>,
        tap: Tap,
        lateness: Lateness,
    ) -> Self {
        Self {
            shared: Arc::new(Shared {
                document,
                facts,
                channel,
                hooks,
                tap,
                seen: SeenIds::default(),
                answers: SharedAnswers::default(),
                tempo: Tempo::default(),
                lateness,
                once: Once::default(),
                quota_turn: tokio::sync::Mutex::default(),
            }),
            label: Arc::from(""),
            origin: None,
            activity: None,
            trace: Arc::default(),
            counter: Arc::default(),
            begun: Instant::now(),
            waits: Arc::default(),
            names: Arc::default(),
        }
    }

    /// A context for the case `origin`, with an empty trace; `label` makes its fresh names its own. It counts as one of `activity`.
    #[must_use]
    pub fn for_case(&self, label: &str, precedence: Precedence, origin: Origin, activity: &Arc<Activity>) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            label: Arc::from(label),
            origin: Some(Arc::new(origin)),
            activity: Some(Arc::new(CaseActivity::begin(activity))),
            trace: Arc::default(),
            counter: Arc::default(),
            begun: Instant::now(),
            waits: Arc::new(Waits::new(precedence)),
            names: Arc::new(Mutex::new(vec![format!("-{}-{label}-", self.facts().run)])),
        }
    }

    /// Awaits what only takes time, such as an article that is being written: meanwhile another requirement may run.
    pub async fn waiting<Output>(&self, future: impl Future<Output = Output>) -> Output {
        match &self.activity {
            Some(activity) => activity.wait(future).await,
            None => future.await,
        }
    }

    /// What several cases look at and none changes: whoever needs `what` first makes it, the others wait for that. The exchanges that
    /// made it belong to the trace of each.
    ///
    /// # Errors
    /// What making it came to. Whoever needs it next tries again.
    pub async fn once(&self, what: &str, make: impl Future<Output = Result<Value, Halt>>) -> Result<Value, Halt> {
        let place = self.shared.once.place(what);
        let mut is_maker = false;
        let made = place.get_or_try_init(|| async {
            is_maker = true;
            let before = self.trace().len();
            let known = make.await?;
            let exchanges = self.trace().split_off(before);
            Ok(Made { known, exchanges })
        });
        let made = self.waiting(Box::pin(made)).await?.clone();
        if !is_maker {
            made.exchanges.iter().for_each(|exchange| self.keep(exchange));
        }
        Ok(made.known)
    }

    /// The document, in the run's profile.
    pub fn document(&self) -> &Document {
        &self.shared.document
    }

    /// What is known about the target.
    pub fn facts(&self) -> &Facts {
        &self.shared.facts
    }

    /// The turn of a check that spends the small quota: there is one key that has it.
    pub(crate) async fn quota_turn(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.shared.quota_turn.lock().await
    }

    /// The hook receiver's log.
    ///
    /// # Errors
    /// When no receiver runs, which `needs` rules out.
    pub fn hooks(&self) -> Result<&HookLog, Halt> {
        self.shared.hooks.as_deref().ok_or_else(|| Halt::Error("no hook receiver runs".to_owned()))
    }

    /// A name that no other case and no other run has used: letters, digits and hyphens.
    pub fn fresh(&self, word: &str) -> String {
        let number = self.counter.fetch_add(1, Ordering::Relaxed);
        format!("{word}-{}-{}-{number}", self.facts().run, self.label)
    }

    /// Remembers an id that the target gave to something of this case: hooks with it are the case's.
    pub fn remember_id(&self, id: &str) {
        self.names.lock().unwrap_or_else(PoisonError::into_inner).push(id.to_owned());
    }

    /// The hooks of this case: those with one of its names in them. Where no hook has one, a name may be what is
    /// missing in it: then those that arrived while the case ran.
    pub fn received(&self) -> Vec<HookRequest> {
        let names = self.names.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.shared.hooks.as_ref().map(|log| log.of_case(&names, self.begun)).unwrap_or_default()
    }

    /// How long the case has waited for the target's quotas.
    pub fn waited_for_quotas(&self) -> Duration {
        self.waits.total_for_quotas()
    }

    /// How long the case has waited before it sent something, up to [`MAX_WAITS`].
    pub(super) fn waited(&self) -> Duration {
        self.waits.total().min(MAX_WAITS)
    }

    /// What was measured of the target so far.
    pub(super) fn tempo(&self) -> &Tempo {
        &self.shared.tempo
    }

    /// How late the suite itself has been so far.
    pub(crate) fn lateness(&self) -> &Lateness {
        &self.shared.lateness
    }

    /// Returns when the case has taken `limit`. The time in which it waited before it sent something does not count.
    pub async fn has_taken(&self, limit: Duration) {
        loop {
            let allowed = limit + self.waited();
            let left = allowed.saturating_sub(self.begun.elapsed());
            if left.is_zero() {
                return;
            }
            tokio::time::sleep(left.max(Duration::from_millis(10))).await;
        }
    }

    /// Sends one request; the exchange joins the trace.
    ///
    /// # Errors
    /// When the target gives no usable HTTP answer: that is a finding. When it has no room for the request, however long that was
    /// waited for, or when a proxy before it answers, nothing can be decided.
    pub async fn send(&self, request: Request) -> Result<Arc<Exchange>, Halt> {
        let sent = request.clone();
        let begun = Instant::now();
        let exchange = match self.shared.channel.exchange(request, &self.waits).await {
            Ok(exchange) => exchange,
            Err(fault) => {
                let unanswered = Arc::new(Exchange::unanswered(sent, begun.elapsed()));
                self.keep(&unanswered);
                let line = format!("{} {}", unanswered.request.method, unanswered.request.path);
                return Err(Halt::fail(AN_ANSWER, format!("{fault}, for {line}")).about(&unanswered));
            }
        };
        // A long body takes its time wherever the target is.
        if exchange.request.patience.is_zero() && exchange.body.len() <= SHORT_BODY {
            self.shared.tempo.record_answer(exchange.elapsed);
        }
        let exchange = Arc::new(exchange);
        (self.shared.tap)(&exchange, self.origin.as_ref());
        self.shared.seen.look(&exchange);
        self.keep(&exchange);
        if exchange.has_no_room() && !exchange.request.keep_429 {
            let status = exchange.status;
            let why =
                if status == 429 { "a quota is spent or the queue full" } else { "it says that it is unavailable" };
            return Err(Halt::inconclusive(format!(
                "the target still answered {status} after the suite had waited as its Retry-After says: {why}"
            )));
        }
        if let Some(proxy) = exchange.answered_by_proxy() {
            return Err(Halt::Proxied(proxy_page::reason(proxy, &exchange.line())));
        }
        Ok(exchange)
    }

    /// Adds what the trace has room for.
    fn keep(&self, exchange: &Arc<Exchange>) {
        let mut trace = self.trace.lock().unwrap_or_else(PoisonError::into_inner);
        let held: usize = trace.iter().map(|exchange| exchange.kept_bytes()).sum();
        let room = if held < TRACE_BYTES { KEPT_BODY } else { KEPT_LATER };
        if trace.len() < TRACE_LENGTH {
            trace.push(exchange.cut(room));
        }
    }

    /// Writes raw bytes to a fresh connection and reads what comes back.
    ///
    /// # Errors
    /// When no connection can be made: that is a finding. When a proxy before the target answers, nothing can be decided.
    pub async fn raw(&self, bytes: Vec<u8>, enough: usize) -> Result<Vec<RawAnswer>, Halt> {
        let seen = self.shared.channel.raw(bytes, enough).await;
        let answers = raw_answer::read(&seen.map_err(|fault| Halt::fail("a connection", fault.detail))?);
        for answer in &answers {
            if let Some(proxy) = proxy_page::author(answer.status, &answer.headers, &answer.body) {
                return Err(Halt::Proxied(proxy_page::reason(proxy, &format!("raw bytes -> {}", answer.status))));
            }
        }
        Ok(answers)
    }

    /// What is found out once for all cases of a requirement: the first one `ask`s, the others get the same answer to `question`.
    ///
    /// # Errors
    /// What asking came to.
    pub async fn asked_once(
        &self,
        question: &str,
        ask: impl Future<Output = Result<Value, Halt>>,
    ) -> Result<Value, Halt> {
        let requirement = self.origin.as_ref().map_or("", |origin| origin.requirement);
        self.waiting(self.shared.answers.get(requirement, question.to_owned(), ask)).await
    }

    /// Ids that answers to the account under test have named in this run, oldest first.
    pub fn seen_ids(&self) -> Vec<String> {
        self.shared.seen.all()
    }

    /// The exchanges of this case so far.
    pub fn trace(&self) -> Vec<Arc<Exchange>> {
        self.trace.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
