//! `get_lead`: returns one captured lead.

use super::super::caller::Caller;
use super::super::error::Error;
use super::super::service::App;
use crate::domain::lead::Lead;

impl App {
    /// Returns the current state of the lead.
    pub async fn get_lead(&self, caller: &Caller, lead_id: &str) -> Result<Lead, Error> {
        let lead = self.store.find_lead(lead_id).await?;
        lead.filter(|lead| caller.scope.sees(&lead.account_id, &lead.website_id)).ok_or(Error::LeadNotFound)
    }
}
