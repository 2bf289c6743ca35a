//! [`AuditTrail`] on a database.

use crate::domain::account::Scope;
use crate::domain::audit::AuditEntry;
use crate::domain::store::{AuditFilter, PageRequest, Result};
use crate::storage::statements::{audit, lists};

use super::store::Store;

impl Store {
    /// Stores an entry alone: of what changes nothing in the store, such as handing out data.
    pub async fn append_audit_entry(&self, entry: &AuditEntry) -> Result<()> {
        let entry = entry.clone();
        self.write(move |session| audit::insert(session, &entry)).await
    }

    /// A page of an account's entries, newest first.
    pub async fn list_audit_entries(
        &self,
        account_id: &str,
        filter: &AuditFilter,
        page: &PageRequest,
    ) -> Result<Vec<AuditEntry>> {
        let scope = Scope { account_id: account_id.to_owned(), website_ids: None };
        let (filter, page) = (filter.clone(), page.clone());
        let is_short = lists::is_short(&scope, &filter, &page);
        self.read_page(is_short, move |session| lists::audit_entries(session, &scope, &filter, &page)).await
    }
}
