//! [`Leads`] on a database.

use async_trait::async_trait;

use crate::domain::account::Scope;
use crate::domain::clock::Timestamp;
use crate::domain::event::Event;
use crate::domain::lead::Lead;
use crate::domain::search::Search;
use crate::domain::store::{Captured, LeadEvent, LeadFilter, Leads, PageRequest, Result, SearchPage};
use crate::storage::backend::{Backend, Hint};
use crate::storage::statements::{erasure, leads, lists, log, search};

use super::SqlStore;

#[async_trait]
impl<B: Backend> Leads for SqlStore<B> {
    async fn capture_lead(
        &self,
        lead: &Lead,
        event: &Event,
        same_since: Timestamp,
        due_at: Timestamp,
    ) -> Result<Captured> {
        let (lead, event) = (lead.clone(), event.clone());
        let captured = self.write(move |session| leads::capture(session, &lead, &event, (same_since, due_at))).await?;
        self.backend.hint(Hint::Deliveries);
        Ok(captured)
    }

    async fn confirm_lead(&self, confirmed: &Lead, event: &Event, due_at: Timestamp) -> Result<bool> {
        let (confirmed, event) = (confirmed.clone(), event.clone());
        let is_done = self.write(move |session| leads::confirm(session, &confirmed, &event, due_at)).await?;
        self.backend.hint(Hint::Deliveries);
        Ok(is_done)
    }

    async fn find_lead(&self, lead_id: &str) -> Result<Option<Lead>> {
        let lead_id = lead_id.to_owned();
        self.backend.read_few(move |session| leads::find(session, &lead_id)).await
    }

    async fn list_leads(&self, scope: &Scope, filter: &LeadFilter, page: &PageRequest) -> Result<Vec<Lead>> {
        let (scope, filter, page) = (scope.clone(), filter.clone(), page.clone());
        let is_short = lists::is_short(&scope, &filter, &page);
        self.backend.read_page(is_short, move |session| lists::leads(session, &scope, &filter, &page)).await
    }

    async fn search_leads(
        &self,
        scope: &Scope,
        filter: &LeadFilter,
        text: &Search,
        page: &PageRequest,
    ) -> Result<SearchPage<Lead>> {
        let (scope, filter, text, page) = (scope.clone(), filter.clone(), text.clone(), page.clone());
        self.backend.read_many(move |session| search::leads(session, &scope, &filter, &text, &page)).await
    }

    async fn count_leads(&self, scope: &Scope, filter: &LeadFilter, text: Option<&Search>) -> Result<u64> {
        let (scope, filter, text) = (scope.clone(), filter.clone(), text.cloned());
        self.backend.read_many(move |session| lists::count_leads(session, &scope, &filter, text.as_ref())).await
    }

    async fn find_lead_events(&self, lead_id: &str) -> Result<Vec<LeadEvent>> {
        let lead_id = lead_id.to_owned();
        self.backend.read_few(move |session| log::lead_events(session, &lead_id)).await
    }

    async fn erase_lead(&self, lead_id: &str) -> Result<bool> {
        let lead_id = lead_id.to_owned();
        self.write_alone(move |session| erasure::erase_lead(session, &lead_id)).await
    }
}
