//! Erases one lead on request. `person` erases all leads of a person, and `capture_lead` captures leads.

use super::super::manage_error::{ManageError, check_id};
use super::super::service::App;
use crate::domain::account::Account;
use crate::domain::audit::Action;

impl App {
    /// Erases a lead with its events, their deliveries and the recorded responses of receivers.
    pub async fn erase_lead(&self, account: &Account, lead_id: &str) -> Result<(), ManageError> {
        check_id("the lead's id", lead_id)?;
        let unknown = || ManageError::LeadNotFound(lead_id.to_owned());
        let lead = self.store.find_lead(lead_id).await?;
        lead.filter(|lead| lead.account_id == account.id).ok_or_else(unknown)?;
        if !self.audited(&account.id, (Action::LeadErased, Some(lead_id)), None).erase_lead(lead_id).await? {
            return Err(unknown());
        }
        tracing::info!(lead_id, account_id = %account.id, "a lead was erased");
        Ok(())
    }
}
