//! What every use case works with. The use cases themselves have a file each.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::document::Document;
use super::key_uses::KeyUses;
use super::statistics::StatisticsCache;
use super::users::PasswordHasher;
use crate::domain::audit::{Action, Actor, AuditEntry};
use crate::domain::clock::Clock;
use crate::domain::error_chain::ErrorChain;
use crate::domain::page::TokenSigner;
use crate::domain::randomness::Randomness;
use crate::domain::retention::Retention;
use crate::domain::retry_schedule::RetrySchedule;
use crate::domain::store::{self, QueueLimits};
use crate::hooks::{AddressPolicy, DestinationChecker};
use crate::metrics::Metrics;
use crate::storage::Store;
use crate::wakeups::Wakeups;

/// Limits of the queue that an operator may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Unfinished jobs.
    pub queue: QueueLimits,
}

impl Default for Limits {
    fn default() -> Self {
        Self { queue: QueueLimits { per_website: 100, per_account: 500 } }
    }
}

/// How long the readiness check may take. Whoever probes readiness gives up after a few seconds.
const CHECK_TIMEOUT: Duration = Duration::from_secs(2);

/// Whether the service can take work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readiness {
    /// It can take work.
    Ready,
    /// It is shutting down and finishes what it has.
    Draining,
    /// The database does not respond in time.
    DatabaseAway,
}

/// What decides to which destinations hooks are registered.
#[derive(Debug)]
pub(super) enum HookDestinations {
    /// The URL alone. What its host name means is left to the server that sends.
    ByUrl(AddressPolicy),
    /// The URL and the addresses behind its host name.
    Resolved(DestinationChecker),
}

/// The use cases and what they need. Clones share everything but who acts.
#[derive(Debug, Clone)]
pub struct App {
    pub(super) store: Store,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) randomness: Arc<dyn Randomness>,
    pub(super) wakeups: Arc<Wakeups>,
    pub(super) document: Arc<Document>,
    pub(super) tokens: TokenSigner,
    pub(super) limits: Limits,
    pub(super) idempotency_retention: Duration,
    /// For how long hooks are tried.
    pub(super) hook_retries: Duration,
    pub(super) stopping: CancellationToken,
    pub(super) metrics: Arc<Metrics>,
    pub(super) hook_destinations: Arc<HookDestinations>,
    pub(super) passwords: Arc<PasswordHasher>,
    pub(super) statistics: Arc<StatisticsCache>,
    pub(super) key_uses: Arc<KeyUses>,
    pub(super) publishes_files: bool,
    /// Who the audit trail names for changes.
    actor: Actor,
}

impl App {
    /// The use cases over `store`, which register hooks to public destinations only. Long polls end early once `stopping` is
    /// cancelled.
    pub async fn new(
        store: Store,
        clock: Arc<dyn Clock>,
        randomness: Arc<dyn Randomness>,
        wakeups: Arc<Wakeups>,
        limits: Limits,
        stopping: CancellationToken,
    ) -> store::Result<Self> {
        let tokens = TokenSigner::new(store.token_secret().await?);
        Ok(Self {
            store,
            clock,
            randomness,
            wakeups,
            document: Arc::new(Document::embedded()),
            tokens,
            limits,
            idempotency_retention: Retention::default().idempotency_keys,
            hook_retries: RetrySchedule::default().total(),
            stopping,
            metrics: Arc::default(),
            hook_destinations: Arc::new(HookDestinations::ByUrl(AddressPolicy::public_only())),
            passwords: Arc::default(),
            statistics: Arc::default(),
            key_uses: Arc::default(),
            publishes_files: false,
            actor: Actor::Operator,
        })
    }

    /// The same use cases, counted by `metrics`.
    #[must_use]
    pub fn with_metrics(self, metrics: Arc<Metrics>) -> Self {
        Self { metrics, ..self }
    }

    /// The same use cases, which repeat responses to idempotency keys for so long.
    #[must_use]
    pub fn with_idempotency_retention(self, idempotency_retention: Duration) -> Self {
        Self { idempotency_retention, ..self }
    }

    /// The same use cases, which expect hooks to be tried by that schedule.
    #[must_use]
    pub fn with_hook_retry_schedule(self, schedule: &RetrySchedule) -> Self {
        Self { hook_retries: schedule.total(), ..self }
    }

    /// The same use cases, on a server that writes files or does not.
    #[must_use]
    pub fn publishing_files(self, publishes_files: bool) -> Self {
        Self { publishes_files, ..self }
    }

    /// The same use cases, which register hooks to destinations that `checker` allows, host names resolved.
    #[must_use]
    pub fn with_destination_checker(self, checker: DestinationChecker) -> Self {
        Self { hook_destinations: Arc::new(HookDestinations::Resolved(checker)), ..self }
    }

    /// The same use cases, which register hooks to URLs that `policy` allows. Host names are not resolved: to the server that
    /// sends they may mean something else.
    #[must_use]
    pub fn with_hook_policy(self, policy: AddressPolicy) -> Self {
        Self { hook_destinations: Arc::new(HookDestinations::ByUrl(policy)), ..self }
    }

    /// The same use cases, carried out for `actor`: the audit trail names who that is.
    #[must_use]
    pub fn acting_as(&self, actor: Actor) -> Self {
        Self { actor, ..self.clone() }
    }

    /// The store for one change of an account, which is recorded in the audit trail in the same transaction.
    pub(super) fn audited(
        &self,
        account_id: &str,
        (action, subject): (Action, Option<&str>),
        detail: Option<&str>,
    ) -> Store {
        let now = self.clock.wall();
        let entry = AuditEntry::new(account_id, &self.actor, (action, subject), detail, now, &*self.randomness);
        self.store.audited(entry)
    }

    /// Records in the audit trail what changes nothing in the store.
    pub(super) async fn append_to_audit_trail(
        &self,
        account_id: &str,
        (action, subject): (Action, Option<&str>),
        detail: Option<&str>,
    ) -> store::Result<()> {
        let now = self.clock.wall();
        let entry = AuditEntry::new(account_id, &self.actor, (action, subject), detail, now, &*self.randomness);
        self.store.append_audit_entry(&entry).await
    }

    /// Who acts, as the audit trail names it.
    pub(super) fn actor_name(&self) -> &str {
        self.actor.name()
    }

    /// The clock that everything reads.
    pub fn clock(&self) -> &dyn Clock {
        &*self.clock
    }

    /// What everything random is made from.
    pub fn randomness(&self) -> &dyn Randomness {
        &*self.randomness
    }

    /// The document that requests are checked against.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Whether work can be accepted: the store can be written to and read, and the service is not shutting down.
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
