//! `get_lead`: one captured lead.

use super::caller::Caller;
use super::error::Error;
use super::service::App;
use crate::domain::fault::table::{hooks, isolation};
use crate::domain::lead::Lead;

impl App {
    /// The lead as it was captured.
    pub async fn get_lead(&self, caller: &Caller, lead_id: &str) -> Result<Lead, Error> {
        let lead = self.store.find_lead(lead_id).await?;
        let replicated = self.clock.now().plus_millis(-2000);
        let lead = lead.filter(|lead| !hooks::LEAD_EARLY.is_on() || lead.captured_at < replicated);
        let is_open = isolation::LEAD_OF_ANYONE.is_on();
        lead.filter(|lead| caller.scope.sees(&lead.account_id, &lead.website_id) || is_open).ok_or(Error::LeadNotFound)
    }
}
