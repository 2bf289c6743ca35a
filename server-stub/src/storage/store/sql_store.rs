//! A store: a backend, and the cipher for secrets. What it does is in the files beside this one, one for each trait.

use std::sync::Arc;

use crate::domain::audit::AuditEntry;
use crate::domain::store::{
    Cancelled, Captured, RedeliveredBatch, Redelivery, Requeued, Result, Submitted, VoiceRemoval,
};
use crate::storage::backend::Backend;
use crate::storage::secret_cipher::SecretCipher;
use crate::storage::sql::Session;
use crate::storage::statements::audit;

use super::unreadable_rows::UnreadableRows;

/// A store on one database. The stores that [`with_audit_entry`](Self::with_audit_entry) makes share its connections.
#[derive(Debug)]
pub(in crate::storage) struct SqlStore<B> {
    pub(super) backend: Arc<B>,
    pub(super) cipher: Arc<SecretCipher>,
    pub(super) unreadable_rows: Arc<UnreadableRows>,
    /// Written in the transaction of each change.
    audit_entry: Option<AuditEntry>,
}

impl<B: Backend> SqlStore<B> {
    /// The store on `backend`, whose secrets are sealed with `cipher`.
    pub(in crate::storage) fn new(backend: B, cipher: SecretCipher) -> Self {
        Self {
            backend: Arc::new(backend),
            cipher: Arc::new(cipher),
            unreadable_rows: Arc::default(),
            audit_entry: None,
        }
    }

    /// The same store, whose changes are recorded with this entry.
    pub(super) fn with_audit_entry(&self, entry: AuditEntry) -> Self {
        let Self { backend, cipher, unreadable_rows, .. } = self;
        let (backend, cipher) = (Arc::clone(backend), Arc::clone(cipher));
        Self { backend, cipher, unreadable_rows: Arc::clone(unreadable_rows), audit_entry: Some(entry) }
    }

    /// Whether changes are recorded in the audit trail.
    pub(super) fn is_audited(&self) -> bool {
        self.audit_entry.is_some()
    }

    /// [`Backend::write`], with the entry of the audit trail if something changed.
    pub(super) async fn write<T, F>(&self, work: F) -> Result<T>
    where
        T: ChangeOutcome + Send + 'static,
        F: FnMut(&mut dyn Session) -> Result<T> + Send + 'static,
    {
        self.backend.write(with_entry(self.audit_entry.clone(), work)).await
    }

    /// [`Backend::write_alone`], with the entry of the audit trail if something changed.
    pub(super) async fn write_alone<T, F>(&self, work: F) -> Result<T>
    where
        T: ChangeOutcome + Send + 'static,
        F: FnMut(&mut dyn Session) -> Result<T> + Send + 'static,
    {
        self.backend.write_alone(with_entry(self.audit_entry.clone(), work)).await
    }
}

fn with_entry<T: ChangeOutcome>(
    audit_entry: Option<AuditEntry>,
    mut work: impl FnMut(&mut dyn Session) -> Result<T> + Send + 'static,
) -> impl FnMut(&mut dyn Session) -> Result<T> + Send + 'static {
    move |session| {
        let outcome = work(session)?;
        if let Some(entry) = audit_entry.as_ref().filter(|_| outcome.has_changed()) {
            audit::insert(session, entry)?;
        }
        Ok(outcome)
    }
}

/// What a change returns, as far as it tells whether anything changed.
pub(super) trait ChangeOutcome {
    /// Whether it did.
    fn has_changed(&self) -> bool;
}

impl ChangeOutcome for () {
    fn has_changed(&self) -> bool {
        true
    }
}

impl ChangeOutcome for bool {
    fn has_changed(&self) -> bool {
        *self
    }
}

impl ChangeOutcome for u64 {
    fn has_changed(&self) -> bool {
        *self > 0
    }
}

impl<T> ChangeOutcome for Option<T> {
    fn has_changed(&self) -> bool {
        self.is_some()
    }
}

impl ChangeOutcome for Redelivery {
    fn has_changed(&self) -> bool {
        *self == Self::Queued
    }
}

impl ChangeOutcome for RedeliveredBatch {
    fn has_changed(&self) -> bool {
        self.count > 0
    }
}

impl ChangeOutcome for Cancelled {
    fn has_changed(&self) -> bool {
        matches!(self, Self::Done(_))
    }
}

impl ChangeOutcome for Captured {
    fn has_changed(&self) -> bool {
        *self == Self::New
    }
}

impl ChangeOutcome for Submitted {
    fn has_changed(&self) -> bool {
        *self == Self::Queued
    }
}

impl ChangeOutcome for Requeued {
    fn has_changed(&self) -> bool {
        *self == Self::Queued
    }
}

impl ChangeOutcome for VoiceRemoval {
    fn has_changed(&self) -> bool {
        *self == Self::Done
    }
}
