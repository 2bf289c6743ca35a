//! [`AuditTrail`] on a database.

use std::sync::Arc;

use async_trait::async_trait;

use crate::domain::account::Scope;
use crate::domain::audit::AuditEntry;
use crate::domain::store::{AuditFilter, AuditTrail, PageRequest, QuotaWindows, Result, Store};
use crate::storage::backend::Backend;
use crate::storage::statements::{audit, lists};

use super::SqlStore;

#[async_trait]
impl<B: Backend> AuditTrail for SqlStore<B>
where
    Self: QuotaWindows,
{
    fn audited(&self, entry: AuditEntry) -> Arc<dyn Store> {
        Arc::new(self.with_audit_entry(entry))
    }

    async fn append_audit_entry(&self, entry: &AuditEntry) -> Result<()> {
        let entry = entry.clone();
        self.backend.write(move |session| audit::insert(session, &entry)).await
    }

    async fn list_audit_entries(
        &self,
        account_id: &str,
        filter: &AuditFilter,
        page: &PageRequest,
    ) -> Result<Vec<AuditEntry>> {
        let scope = Scope { account_id: account_id.to_owned(), website_ids: None };
        let (filter, page) = (filter.clone(), page.clone());
        let is_short = lists::is_short(&scope, &filter, &page);
        self.backend.read_page(is_short, move |session| lists::audit_entries(session, &scope, &filter, &page)).await
    }
}
