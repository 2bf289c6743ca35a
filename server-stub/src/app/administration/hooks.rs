//! Registers hook endpoints and changes their settings. `app::hooks` has the other actions.

use url::Url;

use super::super::service::{App, HookDestinations};
use super::error::{AdminError, Setting};
use crate::domain::account::Account;
use crate::domain::audit::Action;
use crate::domain::event::EventType;
use crate::domain::hook::{EndpointStatus, HookEndpoint, HookSecret, MAX_DESCRIPTION_CHARS};
use crate::domain::id::{self, Kind};

/// Settings of a hook endpoint.
#[derive(Debug, Clone)]
pub struct HookSettings {
    /// https, or also http to an address that the operator listed.
    pub url: String,
    /// Event types to send, at least one.
    pub events: Vec<EventType>,
    /// Restricts the events to this website.
    pub website_id: Option<String>,
    /// True if `article.published` includes the article's text.
    pub include_content: bool,
    /// Description for people, at most 200 characters.
    pub description: Option<String>,
}

impl App {
    /// Registers a hook endpoint with a new secret.
    pub async fn create_hook(&self, account: &Account, wanted: HookSettings) -> Result<HookEndpoint, AdminError> {
        self.check_hook(account, &wanted).await?;
        let now = self.clock.wall();
        let endpoint = HookEndpoint {
            id: id::new(Kind::HookEndpoint, now, &*self.randomness),
            account_id: account.id.clone(),
            url: wanted.url,
            events: wanted.events,
            website_id: wanted.website_id,
            description: wanted.description,
            secret: HookSecret::generate(&*self.randomness),
            status: EndpointStatus::Active,
            include_content: wanted.include_content,
            created_at: now,
        };
        let detail = audit_detail(&endpoint.events, &endpoint.url);
        let store = self.audited(&account.id, (Action::HookCreated, Some(&endpoint.id)), Some(&detail));
        store.create_hook_endpoint(&endpoint).await?;
        Ok(endpoint)
    }

    /// Changes the settings of an endpoint of the account. Pending deliveries are sent to the new URL.
    pub async fn save_hook(
        &self,
        account: &Account,
        endpoint: HookEndpoint<()>,
        wanted: HookSettings,
    ) -> Result<(), AdminError> {
        self.check_hook(account, &wanted).await?;
        let endpoint = HookEndpoint {
            account_id: account.id.clone(),
            url: wanted.url,
            events: wanted.events,
            website_id: wanted.website_id,
            description: wanted.description,
            include_content: wanted.include_content,
            ..endpoint
        };
        let detail = audit_detail(&endpoint.events, &endpoint.url);
        let store = self.audited(&account.id, (Action::HookChanged, Some(&endpoint.id)), Some(&detail));
        if store.update_hook_endpoint(&endpoint).await? {
            return Ok(());
        }
        Err(AdminError::HookNotFound(endpoint.id))
    }

    async fn check_hook(&self, account: &Account, wanted: &HookSettings) -> Result<(), AdminError> {
        let checked = match &*self.hook_destinations {
            HookDestinations::ByUrl(policy) => policy.check_url(&wanted.url).map(drop),
            HookDestinations::Resolved(checker) => checker.check(&wanted.url).await.map(drop),
        };
        checked.map_err(AdminError::HookAddress)?;
        if wanted.events.is_empty() {
            return Err(AdminError::Invalid {
                setting: Setting::HookEvents,
                reason: "must not be empty; choose at least one",
            });
        }
        if wanted.description.as_ref().is_some_and(|text| text.chars().count() > MAX_DESCRIPTION_CHARS) {
            return Err(AdminError::Invalid {
                setting: Setting::HookDescription,
                reason: "must have at most 200 characters",
            });
        }
        match &wanted.website_id {
            Some(website_id) => self.check_website(account, website_id).await,
            None => Ok(()),
        }
    }
}

/// Returns the audit text: the events and the origin of the receiver. The rest of the URL may contain a secret.
fn audit_detail(events: &[EventType], url: &str) -> String {
    let events = events.iter().map(|event| event.as_str()).collect::<Vec<_>>().join(", ");
    let receiver = Url::parse(url).map(|url| url.origin().ascii_serialization()).unwrap_or_default();
    format!("{events} to {receiver}")
}
