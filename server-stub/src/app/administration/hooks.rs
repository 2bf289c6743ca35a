//! Registering and removing hook endpoints. What else their owner does with them is in `app::hooks`.

use super::super::service::{App, HookDestinations};
use super::error::AdminError;
use crate::domain::account::Account;
use crate::domain::event::EventType;
use crate::domain::hook::{EndpointStatus, HookEndpoint, HookSecret};
use crate::domain::id::{self, Kind};

/// An endpoint to register.
#[derive(Debug, Clone)]
pub struct NewHook {
    /// https, or also http to an address that the operator listed.
    pub url: String,
    /// What to send.
    pub events: Vec<EventType>,
    /// Only of this website.
    pub website_id: Option<String>,
    /// Whether `article.published` carries the article's text.
    pub include_content: bool,
}

impl App {
    /// Registers a hook endpoint with a new secret.
    pub async fn create_hook(&self, account: &Account, wanted: NewHook) -> Result<HookEndpoint, AdminError> {
        let checked = match &*self.hook_destinations {
            HookDestinations::ByUrl(policy) => policy.check_url(&wanted.url).map(drop),
            HookDestinations::Resolved(checker) => checker.check(&wanted.url).await.map(drop),
        };
        checked.map_err(AdminError::HookAddress)?;
        if let Some(website_id) = &wanted.website_id {
            self.check_website(account, website_id).await?;
        }
        let now = self.clock.wall();
        let endpoint = HookEndpoint {
            id: id::new(Kind::HookEndpoint, now, &*self.randomness),
            account_id: account.id.clone(),
            url: wanted.url,
            events: wanted.events,
            website_id: wanted.website_id,
            description: None,
            secret: HookSecret::generate(&*self.randomness),
            status: EndpointStatus::Active,
            include_content: wanted.include_content,
            created_at: now,
        };
        self.store.create_hook_endpoint(&endpoint).await?;
        Ok(endpoint)
    }

    /// Removes a hook endpoint with what is still to be sent to it; returns whether there was one.
    pub async fn remove_hook(&self, endpoint_id: &str) -> Result<bool, AdminError> {
        Ok(self.store.remove_hook_endpoint(endpoint_id).await?)
    }
}
