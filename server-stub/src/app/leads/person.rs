//! Erases leads, and exports and erases all leads with one e-mail address on request of the person (GDPR, articles 15 and 17).

use std::collections::HashMap;

use futures::{Stream, TryStreamExt as _, pin_mut};
use serde_json::{Value, json};

use super::super::admin_error::check_id;
use super::super::{AdminError, App};
use crate::domain::account::Account;
use crate::domain::audit::Action;
use crate::domain::event::EventType;
use crate::domain::hook::DeliveryStatus;
use crate::domain::lead::Lead;
use crate::domain::search::Search;
use crate::domain::store::{LeadEvent, LeadFilter};
use crate::domain::unicode_form::composed;

/// Maximum length of an e-mail address, in characters (RFC 5321, section 4.5.3.1.3).
const MAX_EMAIL: usize = 254;

/// A lead of a person, with the receivers of its events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonLead {
    /// The lead.
    pub lead: Lead,
    /// Stored events about the lead, oldest first.
    pub events: Vec<LeadEvent>,
    /// Receivers of hooks about the lead.
    pub recipients: Vec<Recipient>,
}

/// Returns scheme, host and port of an endpoint.
fn origin(url: &str) -> String {
    url::Url::parse(url).map_or_else(|_| url.to_owned(), |url| url.origin().ascii_serialization())
}

impl PersonLead {
    /// Returns the JSON of the export.
    pub fn to_json(&self) -> Value {
        let recipients: Vec<_> = self
            .recipients
            .iter()
            .map(|one| {
                let event = one.event_type.as_str();
                json!({ "event": event, "url": one.url, "status": one.status.as_str(), "attempts": one.attempts })
            })
            .collect();
        let captured = self.events.iter().find(|event| event.event_type == EventType::LeadCaptured);
        let event = captured.map(|event| json!({ "id": event.id, "created_at": event.created_at }));
        json!({ "lead": self.lead, "event": event, "recipients": recipients })
    }
}

/// Receiver of a hook, as a person's export shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipient {
    /// Type of the event.
    pub event_type: EventType,
    /// Origin of the receiver; its path is omitted because it may be a secret. The endpoint's id if the endpoint was removed.
    pub url: String,
    /// State of the delivery.
    pub status: DeliveryStatus,
    /// Number of attempts.
    pub attempts: u32,
}

impl App {
    /// Returns all leads with that e-mail address (ignoring case), newest first, each with its recipients. Records the export in
    /// the audit trail without the address.
    ///
    /// # Errors
    /// Fails if the text cannot be an address, or if the store fails.
    pub async fn export_person(
        &self,
        account: &Account,
        email: &str,
    ) -> Result<impl Stream<Item = Result<PersonLead, AdminError>> + Send + use<>, AdminError> {
        let leads = self.leads_of_person(account, email)?;
        self.append_to_audit_trail(&account.id, (Action::LeadsExported, None), Some("those of one person")).await?;
        let endpoints = self.store.list_hook_endpoints(&account.id).await?;
        let addresses: HashMap<_, _> =
            endpoints.into_iter().map(|state| (state.endpoint.id, origin(&state.endpoint.url))).collect();
        let store = self.store.clone();
        Ok(leads.and_then(move |lead| {
            let (store, addresses) = (store.clone(), addresses.clone());
            async move {
                let events = store.find_lead_events(&lead.id).await?;
                let deliveries = events.iter().flat_map(|event| &event.deliveries);
                let recipients = deliveries
                    .map(|delivery| Recipient {
                        event_type: delivery.event_type,
                        url: addresses.get(&delivery.endpoint_id).unwrap_or(&delivery.endpoint_id).clone(),
                        status: delivery.status,
                        attempts: delivery.attempts,
                    })
                    .collect();
                Ok(PersonLead { lead, events, recipients })
            }
        }))
    }

    /// Erases all leads with that e-mail address, with their events and deliveries. Returns their number.
    ///
    /// # Errors
    /// Fails if the text cannot be an address, or if the store fails. Leads that were erased before the failure stay erased.
    pub async fn erase_person(&self, account: &Account, email: &str) -> Result<u64, AdminError> {
        let leads = self.leads_of_person(account, email)?;
        pin_mut!(leads);
        let mut erased = 0;
        while let Some(lead) = leads.try_next().await? {
            match self.erase_lead(account, &lead.id).await {
                Ok(()) => erased += 1,
                // Another request erased the lead in the meantime.
                Err(AdminError::LeadNotFound(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(erased)
    }

    /// Returns the leads with exactly that address, ignoring case.
    fn leads_of_person(
        &self,
        account: &Account,
        email: &str,
    ) -> Result<impl Stream<Item = Result<Lead, AdminError>> + Send + use<>, AdminError> {
        let email = email.trim().to_owned();
        let search = Search::parse(&email).filter(|_| email.contains('@') && email.chars().count() <= MAX_EMAIL);
        let search = search.ok_or(AdminError::NotAnEmail)?;
        let pages = self.lead_pages(account, LeadFilter::default(), Some(search)).map_err(AdminError::from);
        let folded = |email: &str| composed(email.trim()).to_lowercase();
        let email = folded(&email);
        let is_theirs = move |lead: &Lead| lead.email.as_ref().is_some_and(|known| folded(known) == email);
        let theirs = pages.map_ok(move |leads| {
            let theirs: Vec<_> = leads.into_iter().filter(|lead| is_theirs(lead)).map(Ok).collect();
            futures::stream::iter(theirs)
        });
        Ok(theirs.try_flatten())
    }

    /// Erases a lead with its events, their deliveries and the recorded responses of receivers.
    pub async fn erase_lead(&self, account: &Account, lead_id: &str) -> Result<(), AdminError> {
        check_id("the lead's id", lead_id)?;
        let unknown = || AdminError::LeadNotFound(lead_id.to_owned());
        let lead = self.store.find_lead(lead_id).await?;
        lead.filter(|lead| lead.account_id == account.id).ok_or_else(unknown)?;
        if !self.audited(&account.id, (Action::LeadErased, Some(lead_id)), None).erase_lead(lead_id).await? {
            return Err(unknown());
        }
        tracing::info!(lead_id, account_id = %account.id, "a lead was erased");
        Ok(())
    }
}
