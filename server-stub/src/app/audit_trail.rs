//! Reads the audit trail. `App::audited` writes an entry with each change.

use super::page::Listing;
use super::{AdminError, App, Page};
use crate::domain::account::Account;
use crate::domain::audit::{Action, AuditEntry};
use crate::domain::store::{AuditFilter, PageKey, PageRequest};

/// Maximum number of entries in an export.
pub const MAX_EXPORTED_ENTRIES: usize = 10_000;
/// Number of entries that an export reads at a time.
const EXPORT_BATCH: u32 = 100;

impl App {
    /// Returns a page of the account's audit trail, newest first: the page that `page_token` points to, or the first one.
    pub async fn audit_entries(
        &self,
        account: &Account,
        filter: &AuditFilter,
        page_token: Option<&str>,
    ) -> Result<Page<AuditEntry>, AdminError> {
        let listing = Listing::new("audit_entries", &account.id)
            .with("action", filter.action.map(Action::as_str))
            .with("actor", filter.actor.as_ref().map(|actor| actor.as_str()));
        let listing = self.at_token(listing, page_token).ok_or(AdminError::PageToken)?;
        let rows = self.store.list_audit_entries(&account.id, filter, &listing.request()).await?;
        Ok(self.page(listing, rows, |entry| PageKey { time: entry.at, id: entry.id.clone() }))
    }

    /// Returns the newest entries of the account's audit trail, at most [`MAX_EXPORTED_ENTRIES`].
    pub async fn export_audit_trail(
        &self,
        account: &Account,
        filter: &AuditFilter,
    ) -> Result<Vec<AuditEntry>, AdminError> {
        let mut entries: Vec<AuditEntry> = Vec::new();
        let mut page = PageRequest { after: None, limit: EXPORT_BATCH };
        while entries.len() < MAX_EXPORTED_ENTRIES {
            let batch = self.store.list_audit_entries(&account.id, filter, &page).await?;
            let is_last = batch.len() < EXPORT_BATCH as usize;
            entries.extend(batch);
            if is_last {
                break;
            }
            page.after = entries.last().map(|last| PageKey { time: last.at, id: last.id.clone() });
        }
        Ok(entries)
    }
}
