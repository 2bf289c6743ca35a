//! The audit trail: recording a change with its entry, and reading the trail.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;

use crate::domain::audit::{Action, AuditEntry};
use crate::domain::personal::Personal;
use crate::domain::search::Search;

use super::{PageRequest, Result, Store};

/// Who changed what.
#[async_trait]
pub trait AuditTrail: Send + Sync + fmt::Debug {
    /// The same store for one change: what it writes next is stored together with `entry`, in one transaction, if it
    /// changes anything.
    fn audited(&self, entry: AuditEntry) -> Arc<dyn Store>;
    /// Stores an entry alone: of what changes nothing in the store, such as handing out data.
    async fn append_audit_entry(&self, entry: &AuditEntry) -> Result<()>;
    /// A page of an account's entries, newest first.
    async fn list_audit_entries(
        &self,
        account_id: &str,
        filter: &AuditFilter,
        page: &PageRequest,
    ) -> Result<Vec<AuditEntry>>;
}

/// Filters of the audit trail; all that are given must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditFilter {
    /// Of this.
    pub action: Option<Action>,
    /// By somebody with this in their name.
    pub actor: Option<Personal<Search>>,
}
