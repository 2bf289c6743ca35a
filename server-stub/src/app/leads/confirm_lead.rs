//! Double opt-in: the signed link that the hook about a lead carries, and confirming the lead by it. The page behind it is `http`'s business.

use super::super::error::Error;
use super::super::service::App;
use crate::domain::account::Website;
use crate::domain::confirmation_link::ConfirmationToken;
use crate::domain::event::Event;
use crate::domain::id::{self, Kind};
use crate::domain::lead::{ConfirmationStatus, Lead};
use crate::domain::personal::Personal;
use crate::domain::public_url::PublicUrl;

/// Where a link that confirms a lead leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkState {
    /// To a lead that waits to be confirmed.
    Pending,
    /// To a lead that is confirmed.
    Confirmed,
    /// It is too old.
    Expired,
    /// The lead was erased.
    Erased,
    /// It was not signed here, or not for this website.
    Unknown,
}

impl App {
    /// The link that confirms this lead. Whoever has it may confirm.
    pub(super) fn confirmation_url(&self, lead: &Lead, public_url: &PublicUrl) -> Personal<String> {
        let token = self.tokens.write_confirmation(&lead.id, self.clock.steady());
        let path = format!("/capture/{}/confirmations/{}", lead.website_id, token.as_str());
        public_url.absolute(&path).into()
    }

    /// Where the link leads. Nothing changes: scanners of mail follow links, too.
    pub async fn confirmation_link(&self, website: &Website, token: &str) -> Result<LinkState, Error> {
        let lead = self.linked_lead(website, token).await?;
        Ok(lead.map_or_else(|state| state, |lead| state_of(&lead)))
    }

    /// Confirms the lead behind the link, with its event; whoever does it again finds it confirmed.
    pub async fn confirm_lead(&self, website: &Website, token: &str) -> Result<LinkState, Error> {
        let lead = match self.linked_lead(website, token).await? {
            Ok(lead) if lead.confirmation.status == ConfirmationStatus::Pending => lead,
            Ok(lead) => return Ok(state_of(&lead)),
            Err(state) => return Ok(state),
        };
        // Two processes may differ on the time, and nobody confirms before there is something to confirm.
        let confirmed = lead.confirmed(self.clock.wall());
        let now = confirmed.updated_at;
        let event = Event::lead_confirmed(id::new(Kind::Event, now, &*self.randomness), &confirmed, now);
        if !self.store.confirm_lead(&confirmed, &event, self.clock.steady()).await? {
            // Somebody confirmed or erased it meanwhile.
            return self.confirmation_link(website, token).await;
        }
        tracing::info!(lead_id = %confirmed.id, account_id = %confirmed.account_id, "a lead was confirmed");
        self.wakeups.deliveries.notify_one();
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
