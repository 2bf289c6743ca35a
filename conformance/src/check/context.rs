//! The context of a check: the document, the facts, the way to the target, the trace.

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::activity::{Activity, CaseActivity};
use super::channel::{Channel, Precedence, Waits};
use super::exchange::{Exchange, Origin, Request};
use super::facts::Facts;
use super::proxy_page;
use super::raw_answer::{self, RawAnswer};
use super::shared::{Made, Once, SeenIds, SharedAnswers, Tempo};
use super::verdict::{Finding, Halt};
use crate::inbox::{HookLog, HookRequest};
use crate::lateness::Lateness;
use crate::spec::Document;

/// Longest time that one case waits for quotas and the configured rate. A hundred leads take ten minutes at the contract's quota.
const MAX_WAITS: Duration = Duration::from_mins(30);

/// Maximum length in bytes of a response whose time counts for the distance to the target.
const SHORT_BODY: usize = 64 * 1024;

/// Bytes of each response body that a case's trace keeps, bytes once it holds [`TRACE_BYTES`], and maximum number of
/// exchanges. A target that responds with megabytes must not fill the memory.
const KEPT_BODY: usize = 256 * 1024;
const KEPT_LATER: usize = 1024;
const TRACE_BYTES: usize = 1024 * 1024;
const TRACE_LENGTH: usize = 4_096;

/// Called with every exchange once it is complete, and with the case that made it.
pub type Tap = Arc<dyn Fn(&Arc<Exchange>, Option<&Arc<Origin>>) + Send + Sync>;

/// One case's view of the run. Clones are cheap and share the trace.
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
    /// Returns the context from which the contexts of cases are made. `lateness` measures how late the suite itself is.
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

    /// Returns a context for the case `origin`, with an empty trace. `label` makes its fresh names unique. It counts as
    /// one case of `activity`.
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

    /// Awaits a future that only takes time, such as an article that is being written. Meanwhile another requirement may run.
    pub async fn waiting<Output>(&self, future: impl Future<Output = Output>) -> Output {
        match &self.activity {
            Some(activity) => activity.wait(future).await,
            None => future.await,
        }
    }

    /// Returns a value that several cases read and none changes. The first case that needs `what` makes it, the others
    /// wait. The exchanges that made it are added to each trace.
    ///
    /// # Errors
    /// Returns the error of `make`. The next case that needs the value tries again.
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

    /// Returns the document, in the run's profile.
    pub fn document(&self) -> &Document {
        &self.shared.document
    }

    /// Returns the known facts about the target.
    pub fn facts(&self) -> &Facts {
        &self.shared.facts
    }

    /// Waits for the turn of a check that spends the small quota: only one key has it.
    pub(crate) async fn quota_turn(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.shared.quota_turn.lock().await
    }

    /// Returns the log of the webhook receiver.
    ///
    /// # Errors
    /// Returns an error if no receiver runs, which `needs` rules out.
    pub fn hooks(&self) -> Result<&HookLog, Halt> {
        self.shared.hooks.as_deref().ok_or_else(|| Halt::Error("no hook receiver runs".to_owned()))
    }

    /// Returns a name that no other case and no other run has used: letters, digits and hyphens.
    pub fn fresh(&self, word: &str) -> String {
        let number = self.counter.fetch_add(1, Ordering::Relaxed);
        format!("{word}-{}-{}-{number}", self.facts().run, self.label)
    }

    /// Remembers an id that the target assigned in this case. Webhooks that contain it belong to the case.
    pub fn remember_id(&self, id: &str) {
        self.names.lock().unwrap_or_else(PoisonError::into_inner).push(id.to_owned());
    }

    /// Returns the webhooks of this case: those that contain one of its names. If none does, the name itself may be
    /// missing. Then it returns the webhooks that arrived while the case ran.
    pub fn received(&self) -> Vec<HookRequest> {
        let names = self.names.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.shared.hooks.as_ref().map(|log| log.of_case(&names, self.begun)).unwrap_or_default()
    }

    /// Returns the time that the case has waited for the target's quotas.
    pub fn waited_for_quotas(&self) -> Duration {
        self.waits.total_for_quotas()
    }

    /// Returns the time that the case has waited before it sent something, up to [`MAX_WAITS`].
    pub(super) fn waited(&self) -> Duration {
        self.waits.total().min(MAX_WAITS)
    }

    /// Returns the measured response times of the target.
    pub(super) fn tempo(&self) -> &Tempo {
        &self.shared.tempo
    }

    /// Returns how late the suite itself has been so far.
    pub(crate) fn lateness(&self) -> &Lateness {
        &self.shared.lateness
    }

    /// Returns when the case has taken `limit`. Time in which it waited before it sent something does not count.
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

    /// Sends one request and adds the exchange to the trace.
    ///
    /// # Errors
    /// Returns a finding if the target gives no usable HTTP response. Returns an undecided result if the target's
    /// quotas have no room after the longest wait, or if a proxy before the target responds.
    pub async fn send(&self, request: Request) -> Result<Arc<Exchange>, Halt> {
        let delivered = self.deliver(request).await?;
        delivered.ok_or_else(|| Halt::Error("only `send_and_close` closes connections".to_owned()))
    }

    /// Sends one request. Returns `None` if the suite closed the connection.
    async fn deliver(&self, request: Request) -> Result<Option<Arc<Exchange>>, Halt> {
        let sent = request.clone();
        let begun = Instant::now();
        let exchange = match self.shared.channel.exchange(request, &self.waits).await {
            Ok(exchange) => exchange,
            Err(fault) => {
                let unanswered = Arc::new(Exchange::unanswered(sent, begun.elapsed()));
                self.keep(&unanswered);
                if fault.is_closed {
                    return Ok(None);
                }
                let line = format!("{} {}", unanswered.request.method, unanswered.request.path);
                return Err(Halt::Fail(Finding::no_response(&fault, &line)).about(&unanswered));
            }
        };
        // A long body takes time at any distance.
        if exchange.request.patience.is_zero() && exchange.body.len() <= SHORT_BODY {
            self.shared.tempo.record_answer(exchange.elapsed);
        }
        let exchange = Arc::new(exchange);
        (self.shared.tap)(&exchange, self.origin.as_ref());
        self.shared.seen.look(&exchange);
        self.keep(&exchange);
        if exchange.is_waited_out() {
            let status = exchange.status;
            let why =
                if status == 429 { "a quota is spent or the queue full" } else { "it says that it is unavailable" };
            return Err(Halt::inconclusive(format!(
                "the target still answered {status} after the suite had waited as its Retry-After says: {why}"
            )));
        }
        if let Some(proxy) = exchange.answered_by_proxy(self.document().profile()) {
            return Err(Halt::Proxied(proxy_page::reason(proxy, &exchange.line())));
        }
        Ok(Some(exchange))
    }

    /// Sends one request as `send` does, and closes the connection after `eighths` of the usual response time, at least as many milliseconds.
    /// Returns `None` if the response had not arrived by then: the request may have its effect or not.
    ///
    /// # Errors
    /// Returns the errors of `send`.
    pub async fn send_and_close(&self, request: Request, eighths: u32) -> Result<Option<Arc<Exchange>>, Halt> {
        let least = Duration::from_millis(u64::from(eighths));
        let closed_after = (self.tempo().answer_at(5) * eighths / 8).max(least);
        self.deliver(Request { closed_after: Some(closed_after), ..request }).await
    }

    /// Adds the exchange to the trace as far as there is room.
    fn keep(&self, exchange: &Arc<Exchange>) {
        let mut trace = self.trace.lock().unwrap_or_else(PoisonError::into_inner);
        let held: usize = trace.iter().map(|exchange| exchange.kept_bytes()).sum();
        let room = if held < TRACE_BYTES { KEPT_BODY } else { KEPT_LATER };
        if trace.len() < TRACE_LENGTH {
            trace.push(exchange.cut(room));
        }
    }

    /// Writes raw bytes to a fresh connection and reads the responses.
    ///
    /// # Errors
    /// Returns a finding if no connection can be made. Returns an undecided result if a proxy before the target responds.
    pub async fn raw(&self, bytes: Vec<u8>, enough: usize) -> Result<Vec<RawAnswer>, Halt> {
        self.raw_within(bytes, enough, None).await
    }

    /// Does the same, and waits at most for `limit` instead of the time limit of a response. Meanwhile other requirements run.
    ///
    /// # Errors
    /// Returns the same errors.
    pub async fn raw_within(
        &self,
        bytes: Vec<u8>,
        enough: usize,
        limit: Option<Duration>,
    ) -> Result<Vec<RawAnswer>, Halt> {
        let seen = self.waiting(self.shared.channel.raw(bytes, enough, limit)).await;
        let answers = raw_answer::read(&seen.map_err(|fault| Halt::fail("a connection", fault.detail))?);
        for answer in &answers {
            let profile = self.document().profile();
            if let Some(proxy) = proxy_page::author(profile, answer.status, &answer.headers, &answer.body) {
                return Err(Halt::Proxied(proxy_page::reason(proxy, &format!("raw bytes -> {}", answer.status))));
            }
        }
        Ok(answers)
    }

    /// Returns the answer to `question`, which all cases of a requirement share: the first case calls `ask`.
    ///
    /// # Errors
    /// Returns the error of `ask`.
    pub async fn asked_once(
        &self,
        question: &str,
        ask: impl Future<Output = Result<Value, Halt>>,
    ) -> Result<Value, Halt> {
        let requirement = self.origin.as_ref().map_or("", |origin| origin.requirement);
        self.waiting(self.shared.answers.get(requirement, question.to_owned(), ask)).await
    }

    /// Returns the ids in this run's responses to the account under test, oldest first.
    pub fn seen_ids(&self) -> Vec<String> {
        self.shared.seen.all()
    }

    /// Returns the exchanges of this case so far.
    pub fn trace(&self) -> Vec<Arc<Exchange>> {
        self.trace.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
