//! [`AuditTrail`] on a database.

use std::sync::Arc;

use async_trait::async_trait;

use crate::domain::audit::AuditEntry;
use crate::domain::store::{AuditTrail, PageRequest, QuotaWindows, Result, Store};
use crate::storage::backend::Backend;
use crate::storage::statements::audit;

use super::SqlStore;

#[async_trait]
impl<B: Backend> AuditTrail for SqlStore<B>
where
    Self: QuotaWindows,
{
    fn recording(&self, entry: AuditEntry) -> Arc<dyn Store> {
        Arc::new(self.with_audit(entry))
    }

    async fn append_audit_entry(&self, entry: &AuditEntry) -> Result<()> {
        let entry = entry.clone();
        self.backend.write(move |session| audit::insert(session, &entry)).await
    }

    async fn list_audit_entries(&self, account_id: &str, page: &PageRequest) -> Result<Vec<AuditEntry>> {
        let (account_id, page) = (account_id.to_owned(), page.clone());
        self.backend.read_many(move |session| audit::list(session, &account_id, &page)).await
    }
}
