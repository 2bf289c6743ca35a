//! [`Leads`] on a database.

use crate::domain::account::Scope;
use crate::domain::clock::Timestamp;
use crate::domain::event::Event;
use crate::domain::lead::Lead;
use crate::domain::search::Search;
use crate::domain::store::{Captured, LeadEvent, LeadFilter, PageRequest, Result, SearchPage};
use crate::storage::hint::Hint;
use crate::storage::statements::{erasure, leads, lists, log, search};

use super::store::Store;

impl Store {
    /// Stores a lead with its event, unless it is the same as one captured since `same_since`.
    pub async fn capture_lead(
        &self,
        lead: &Lead,
        event: &Event,
        same_since: Timestamp,
        due_at: Timestamp,
    ) -> Result<Captured> {
        let (lead, event) = (lead.clone(), event.clone());
        let captured = self.change(move |session| leads::capture(session, &lead, &event, (same_since, due_at))).await?;
        self.hint(Hint::Deliveries);
        Ok(captured)
    }

    /// Stores a lead that was confirmed with its event, if it waited for that. Returns whether it did.
    pub async fn confirm_lead(&self, confirmed: &Lead, event: &Event, due_at: Timestamp) -> Result<bool> {
        let (confirmed, event) = (confirmed.clone(), event.clone());
        let is_done = self.change(move |session| leads::confirm(session, &confirmed, &event, due_at)).await?;
        self.hint(Hint::Deliveries);
        Ok(is_done)
    }

    /// The lead, whoever owns it.
    pub async fn find_lead(&self, lead_id: &str) -> Result<Option<Lead>> {
        let lead_id = lead_id.to_owned();
        self.read_few(move |session| leads::find(session, &lead_id)).await
    }

    /// A page of leads.
    pub async fn list_leads(&self, scope: &Scope, filter: &LeadFilter, page: &PageRequest) -> Result<Vec<Lead>> {
        let (scope, filter, page) = (scope.clone(), filter.clone(), page.clone());
        let is_short = lists::is_short(&scope, &filter, &page);
        self.read_page(is_short, move |session| lists::leads(session, &scope, &filter, &page)).await
    }

    /// A page of the leads that have this in the e-mail address, the name or the company.
    pub async fn search_leads(
        &self,
        scope: &Scope,
        filter: &LeadFilter,
        text: &Search,
        page: &PageRequest,
    ) -> Result<SearchPage<Lead>> {
        let (scope, filter, text, page) = (scope.clone(), filter.clone(), text.clone(), page.clone());
        self.read_many(move |session| search::leads(session, &scope, &filter, &text, &page)).await
    }

    /// How many leads there are, or how many of them have this in their texts.
    pub async fn count_leads(&self, scope: &Scope, filter: &LeadFilter, text: Option<&Search>) -> Result<u64> {
        let (scope, filter, text) = (scope.clone(), filter.clone(), text.cloned());
        self.read_many(move |session| lists::count_leads(session, &scope, &filter, text.as_ref())).await
    }

    /// The events that told of the lead, as long as they are kept, oldest first.
    pub async fn find_lead_events(&self, lead_id: &str) -> Result<Vec<LeadEvent>> {
        let lead_id = lead_id.to_owned();
        self.read_few(move |session| log::lead_events(session, &lead_id)).await
    }

    /// Erases a lead and all that was made of it: events, deliveries, attempts. Returns whether there was one.
    pub async fn erase_lead(&self, lead_id: &str) -> Result<bool> {
        let lead_id = lead_id.to_owned();
        self.change_alone(move |session| erasure::erase_lead(session, &lead_id)).await
    }
}
