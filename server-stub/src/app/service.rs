//! State that all use cases share. Each use case has its own file.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::daily_counts::StatisticsCache;
use super::document::Document;
use super::key_uses::KeyUses;
use super::password_hasher::PasswordHasher;
use super::turns::Turns;
use crate::domain::audit::{Action, Actor, AuditEntry};
use crate::domain::clock::Clock;
use crate::domain::error_chain::ErrorChain;
use crate::domain::page::TokenSigner;
use crate::domain::randomness::Randomness;
use crate::domain::retention::Retention;
use crate::domain::retry_schedule::RetrySchedule;
use crate::domain::store::{self, QueueLimits};
use crate::hooks::{AddressError, AddressPolicy, DestinationChecker};
use crate::metrics::Metrics;
use crate::storage::Store;

/// Limits of the queue that the operator can change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of unfinished jobs.
    pub queue: QueueLimits,
}

impl Default for Limits {
    fn default() -> Self {
        Self { queue: QueueLimits { per_website: 100, per_account: 500, per_day: None } }
    }
}

/// Maximum number of texts that are checked against a profile at a time.
const TEXT_CHECKS_AT_ONCE: usize = 1;
/// Maximum number of requests that wait for that.
const MAX_WAITING_TEXT_CHECKS: usize = 16;

/// Time limit of the readiness check. Probes give up after a few seconds.
const CHECK_TIMEOUT: Duration = Duration::from_secs(2);

/// Readiness of the service to accept work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readiness {
    /// The service accepts work.
    Ready,
    /// The service is shutting down and finishes its current work.
    Draining,
    /// The database does not respond in time.
    DatabaseAway,
}

/// Policy for the destinations that can be registered for hooks.
#[derive(Debug)]
pub(super) enum HookDestinations {
    /// Checks only the URL. The sending server resolves the host name.
    ByUrl(AddressPolicy),
    /// Checks the URL and the addresses of its host name.
    Resolved(DestinationChecker),
}

impl HookDestinations {
    /// Returns an error if nothing may be sent to the URL.
    pub(super) async fn check(&self, url: &str) -> Result<(), AddressError> {
        match self {
            Self::ByUrl(policy) => policy.check_url(url).map(drop),
            Self::Resolved(checker) => checker.check(url).await.map(drop),
        }
    }
}

/// The use cases and their dependencies. Clones share everything except the actor.
#[derive(Debug, Clone)]
pub struct App {
    pub(super) store: Store,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) randomness: Arc<dyn Randomness>,
    pub(super) document: Arc<Document>,
    pub(super) tokens: TokenSigner,
    pub(super) limits: Limits,
    pub(super) idempotency_retention: Duration,
    /// Total time over which a hook is retried.
    pub(super) hook_retries: Duration,
    pub(super) stopping: CancellationToken,
    pub(super) metrics: Arc<Metrics>,
    pub(super) hook_destinations: Arc<HookDestinations>,
    pub(super) passwords: Arc<PasswordHasher>,
    pub(super) text_checks: Arc<Turns>,
    pub(super) statistics: Arc<StatisticsCache>,
    pub(super) key_uses: Arc<KeyUses>,
    pub(super) publishes_files: bool,
    /// Actor that the audit trail records for changes.
    actor: Actor,
}

impl App {
    /// Creates the use cases over `store`. Hooks can be registered for public destinations only. Long polls end early when
    /// `stopping` is cancelled.
    pub fn new(
        store: Store,
        clock: Arc<dyn Clock>,
        randomness: Arc<dyn Randomness>,
        limits: Limits,
        stopping: CancellationToken,
    ) -> Self {
        let tokens = TokenSigner::new(|purpose| store.derived_secret(purpose));
        Self {
            store,
            clock,
            randomness,
            document: Arc::new(Document::embedded()),
            tokens,
            limits,
            idempotency_retention: Retention::default().idempotency_keys,
            hook_retries: RetrySchedule::default().total(),
            stopping,
            metrics: Arc::default(),
            hook_destinations: Arc::new(HookDestinations::ByUrl(AddressPolicy::public_only())),
            passwords: Arc::default(),
            text_checks: Arc::new(Turns::new(TEXT_CHECKS_AT_ONCE, MAX_WAITING_TEXT_CHECKS)),
            statistics: Arc::default(),
            key_uses: Arc::default(),
            publishes_files: false,
            actor: Actor::Operator,
        }
    }

    /// Reports counts to `metrics`.
    #[must_use]
    pub fn with_metrics(self, metrics: Arc<Metrics>) -> Self {
        Self { metrics, ..self }
    }

    /// Sets how long a response is replayed for the same idempotency key.
    #[must_use]
    pub fn with_idempotency_retention(self, idempotency_retention: Duration) -> Self {
        Self { idempotency_retention, ..self }
    }

    /// Sets the retry schedule that hooks are expected to follow. It decides when the counts of a day are final; the dispatcher has
    /// its own schedule.
    #[must_use]
    pub fn with_hook_retry_schedule(self, schedule: &RetrySchedule) -> Self {
        Self { hook_retries: schedule.total(), ..self }
    }

    /// Sets whether this server writes files.
    #[must_use]
    pub fn publishing_files(self, publishes_files: bool) -> Self {
        Self { publishes_files, ..self }
    }

    /// Lets hooks be registered for the destinations that `checker` allows after resolving host names.
    #[must_use]
    pub fn with_destination_checker(self, checker: DestinationChecker) -> Self {
        Self { hook_destinations: Arc::new(HookDestinations::Resolved(checker)), ..self }
    }

    /// Lets hooks be registered for the URLs that `policy` allows. Does not resolve host names: the sending server may resolve them
    /// differently.
    #[must_use]
    pub fn with_hook_policy(self, policy: AddressPolicy) -> Self {
        Self { hook_destinations: Arc::new(HookDestinations::ByUrl(policy)), ..self }
    }

    /// Returns the same use cases for `actor`, which the audit trail records.
    #[must_use]
    pub fn acting_as(&self, actor: Actor) -> Self {
        Self { actor, ..self.clone() }
    }

    /// Returns the store for one change of an account. The change and its audit entry are written in the same transaction.
    pub(super) fn audited(&self, account_id: &str, change: (Action, Option<&str>), detail: Option<&str>) -> Store {
        self.store.audited(self.audit_entry(account_id, change, detail))
    }

    /// Records an action in the audit trail that changes nothing else in the store.
    pub(super) async fn append_to_audit_trail(
        &self,
        account_id: &str,
        change: (Action, Option<&str>),
        detail: Option<&str>,
    ) -> store::Result<()> {
        self.store.append_audit_entry(&self.audit_entry(account_id, change, detail)).await
    }

    fn audit_entry(&self, account_id: &str, change: (Action, Option<&str>), detail: Option<&str>) -> AuditEntry {
        AuditEntry::new(account_id, &self.actor, change, detail, self.clock.wall(), &*self.randomness)
    }

    /// Returns the name of the actor, as in the audit trail.
    pub(super) fn actor_name(&self) -> &str {
        self.actor.name()
    }

    /// Returns the clock that the whole service uses.
    pub fn clock(&self) -> &dyn Clock {
        &*self.clock
    }

    /// Returns the source of all random values.
    pub fn randomness(&self) -> &dyn Randomness {
        &*self.randomness
    }

    /// Returns the document that requests are checked against.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Returns whether work can be accepted: the store can be read and written, and the service is not shutting down.
    pub async fn readiness(&self) -> Readiness {
        if self.stopping.is_cancelled() {
            return Readiness::Draining;
        }
        match timeout(CHECK_TIMEOUT, self.store.check()).await {
            Ok(Ok(())) => return Readiness::Ready,
            Ok(Err(error)) => {
                tracing::warn!(error = %ErrorChain(&error), "the database cannot be written to");
            }
            Err(_) => tracing::warn!("the database did not respond to the readiness check in time"),
        }
        Readiness::DatabaseAway
    }
}
