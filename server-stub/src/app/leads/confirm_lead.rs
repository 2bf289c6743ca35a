//! Double opt-in: creates the signed link that the hook about a lead carries, and confirms the lead with it. `http` renders the
//! page.

use super::super::{App, Error};
use crate::domain::account::Website;
use crate::domain::event::Event;
use crate::domain::id::{self, Kind};
use crate::domain::lead::{ConfirmationStatus, Lead};
use crate::domain::link_token::ConfirmationToken;
use crate::domain::personal::Personal;
use crate::domain::public_url::PublicUrl;

/// State of a confirmation link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkState {
    /// The lead waits for confirmation.
    Pending,
    /// The lead is confirmed.
    Confirmed,
    /// The link has expired.
    Expired,
    /// The lead was erased.
    Erased,
    /// The link has no valid signature, or belongs to another website.
    Unknown,
}

impl App {
    /// Returns the link that confirms this lead. Anyone with the link can confirm.
    pub(super) fn confirmation_url(&self, lead: &Lead, public_url: &PublicUrl) -> Personal<String> {
        let token = self.tokens.write_confirmation(&lead.id, self.clock.steady());
        let path = format!("/capture/{}/confirmations/{}", lead.website_id, token.as_str());
        public_url.absolute(&path).into()
    }

    /// Returns the state of the link. Changes nothing, because mail scanners follow links too.
    pub async fn confirmation_link(&self, website: &Website, token: &str) -> Result<LinkState, Error> {
        let lead = self.linked_lead(website, token).await?;
        Ok(lead.map_or_else(|state| state, |lead| state_of(&lead)))
    }

    /// Confirms the lead of the link and records its event. Confirming it again has no effect.
    pub async fn confirm_lead(&self, website: &Website, token: &str) -> Result<LinkState, Error> {
        let lead = match self.linked_lead(website, token).await? {
            Ok(lead) if lead.confirmation.status == ConfirmationStatus::Pending => lead,
            Ok(lead) => return Ok(state_of(&lead)),
            Err(state) => return Ok(state),
        };
        // The clocks of two processes may differ. The confirmation must not be earlier than the lead.
        let confirmed = lead.confirmed(self.clock.wall());
        let now = confirmed.updated_at;
        let event = Event::lead_confirmed(id::new(Kind::Event, now, &*self.randomness), &confirmed, now);
        if !self.store.confirm_lead(&confirmed, &event, self.clock.steady()).await? {
            // Another request confirmed or erased the lead in the meantime.
            return self.confirmation_link(website, token).await;
        }
        tracing::info!(lead_id = %confirmed.id, account_id = %confirmed.account_id, "a lead was confirmed");
        Ok(LinkState::Confirmed)
    }

    async fn linked_lead(&self, website: &Website, token: &str) -> Result<Result<Lead, LinkState>, Error> {
        let lead_id = match self.tokens.read_confirmation(token, self.clock.steady()) {
            ConfirmationToken::Valid(lead_id) => lead_id,
            ConfirmationToken::Expired => return Ok(Err(LinkState::Expired)),
            ConfirmationToken::Forged => return Ok(Err(LinkState::Unknown)),
        };
        let Some(lead) = self.store.find_lead(&lead_id).await? else { return Ok(Err(LinkState::Erased)) };
        Ok(if lead.website_id == website.website_id { Ok(lead) } else { Err(LinkState::Unknown) })
    }
}

fn state_of(lead: &Lead) -> LinkState {
    match lead.confirmation.status {
        ConfirmationStatus::Pending => LinkState::Pending,
        ConfirmationStatus::Confirmed => LinkState::Confirmed,
        ConfirmationStatus::NotRequired => LinkState::Unknown,
    }
}
