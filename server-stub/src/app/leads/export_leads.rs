//! Exports leads in pages. The caller chooses the format.

use futures::Stream;
use futures::stream::try_unfold;

use super::super::service::App;
use crate::domain::account::Account;
use crate::domain::audit::Action;
use crate::domain::lead::Lead;
use crate::domain::search::Search;
use crate::domain::store::{self, LeadFilter, PageKey, PageRequest};

/// Number of leads that an export reads at a time, which bounds the memory that it uses.
const PAGE: u32 = 200;

impl App {
    /// Returns the account's leads that match the filter, newest first, a page at a time. Records their number in the audit trail
    /// before the first page; the entry contains no lead data.
    pub async fn export_leads(
        &self,
        account: &Account,
        filter: LeadFilter,
        search: Option<Search>,
    ) -> Result<impl Stream<Item = Result<Vec<Lead>, store::Error>> + Send + use<>, store::Error> {
        let scope = account.scope();
        let count = self.store.count_leads(&scope, &filter, search.as_ref()).await?;
        self.append_to_audit_trail(&account.id, (Action::LeadsExported, None), Some(&format!("{count} leads"))).await?;
        tracing::info!(account_id = %account.id, count, "leads are exported");
        let store = self.store.clone();
        let first = Some(PageRequest { after: None, limit: PAGE });
        Ok(try_unfold((store, (scope, filter, search), first), async |(store, wanted, request)| {
            let Some(request) = request else { return Ok(None) };
            let (scope, filter, search) = &wanted;
            let (leads, after) = if let Some(search) = search {
                let found = store.search_leads(scope, filter, search, &request).await?;
                (found.rows, found.next)
            } else {
                let leads = store.list_leads(scope, filter, &request).await?;
                let last = leads.last().filter(|_| leads.len() == PAGE as usize);
                let after = last.map(|lead| PageKey { time: lead.captured_at, id: lead.id.clone() });
                (leads, after)
            };
            let next = after.map(|after| PageRequest { after: Some(after), limit: PAGE });
            Ok(Some((leads, (store, wanted, next))))
        }))
    }
}
