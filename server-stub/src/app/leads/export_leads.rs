//! Handing out leads, many at a time. In which form they are handed out is not decided here.

use futures::Stream;
use futures::stream::try_unfold;

use super::super::service::App;
use crate::domain::account::{Account, Scope};
use crate::domain::audit::Action;
use crate::domain::lead::Lead;
use crate::domain::store::{self, LeadFilter, PageKey, PageRequest};

/// Leads that are read at a time: as many as are in memory, however many are handed out.
const PAGE: u32 = 200;

impl App {
    /// The account's leads that the filter lets through, newest first, a page at a time. The audit trail has how many there are before
    /// the first one is handed out, and nothing of them.
    pub async fn export_leads(
        &self,
        account: &Account,
        filter: LeadFilter,
    ) -> Result<impl Stream<Item = Result<Vec<Lead>, store::Error>> + Send + use<>, store::Error> {
        let scope = Scope { account_id: account.id.clone(), website_ids: None };
        let count = self.store.count_leads(&scope, &filter).await?;
        self.record(&account.id, (Action::LeadsExported, None), Some(&format!("{count} leads"))).await?;
        tracing::info!(account_id = %account.id, count, "leads are exported");
        let store = self.store.clone();
        let first = Some(PageRequest { after: None, limit: PAGE });
        Ok(try_unfold((store, scope, filter, first), async |(store, scope, filter, request)| {
            let Some(request) = request else { return Ok(None) };
            let leads = store.list_leads(&scope, &filter, &request).await?;
            let last = leads.last().filter(|_| leads.len() == PAGE as usize);
            let next = last.map(|lead| PageRequest {
                after: Some(PageKey { time: lead.captured_at, id: lead.id.clone() }),
                limit: PAGE,
            });
            Ok(Some((leads, (store, scope, filter, next))))
        }))
    }
}
