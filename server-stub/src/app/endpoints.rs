//! Registers, lists and changes hook endpoints: their settings, secrets and states. Their deliveries are in `deliveries`.

use std::time::Duration;

use url::Url;

use super::admin_error::check_id;
use super::{AdminError, App, Setting};
use crate::domain::account::Account;
use crate::domain::audit::Action;
use crate::domain::clock::{Moment, Timestamp};
use crate::domain::event::{Event, EventType};
use crate::domain::hook::{EndpointStatus, HookEndpoint, HookSecret, MAX_DESCRIPTION_CHARS, UnreadableSecret};
use crate::domain::id::{self, Kind};
use crate::domain::store::EndpointState;

/// Default time for which a former secret signs beside the new one.
pub const DEFAULT_SECRET_OVERLAP: Duration = Duration::from_hours(24);
/// Maximum time for which a former secret signs beside the new one.
pub const MAX_SECRET_OVERLAP: Duration = Duration::from_hours(7 * 24);

/// An endpoint in the list of its account, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointView {
    /// The endpoint and its health.
    pub state: EndpointState<()>,
    /// True if the endpoint fails so often that it gets one delivery at a time and its owner should check it.
    pub is_failing: bool,
}

/// A new secret of an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RotatedSecret {
    /// New secret. It signs from now on.
    pub secret: HookSecret,
    /// Time until which the former secret signs too.
    pub overlap_until: Timestamp,
}

impl App {
    /// Returns the account's endpoints, oldest first, at most 10.
    pub async fn list_endpoints(&self, account: &Account) -> Result<Vec<EndpointView>, AdminError> {
        let now = self.clock.steady();
        let states = self.store.list_hook_endpoints(&account.id).await?;
        let view = |state: EndpointState| EndpointView {
            is_failing: state.health.is_failing(now),
            state: state.with_secret(()),
        };
        Ok(states.into_iter().map(view).collect())
    }

    /// Returns one of the account's endpoints.
    pub async fn find_endpoint(&self, account: &Account, endpoint_id: &str) -> Result<EndpointView, AdminError> {
        check_id("the hook's id", endpoint_id)?;
        let endpoints = self.list_endpoints(account).await?;
        let found = endpoints.into_iter().find(|view| view.state.endpoint.id == endpoint_id);
        found.ok_or_else(|| AdminError::EndpointNotFound(endpoint_id.to_owned()))
    }

    /// Replaces an endpoint's secret. For `overlap`, at most 7 days, the former secret signs too. At most two former secrets sign
    /// beside the new one.
    pub async fn rotate_secret(
        &self,
        account: &Account,
        endpoint_id: &str,
        overlap: Duration,
    ) -> Result<RotatedSecret, AdminError> {
        if overlap > MAX_SECRET_OVERLAP {
            return Err(AdminError::OverlapTooLong);
        }
        // Without a readable secret no attempt was made, so the waiting deliveries need not wait for the schedule.
        let is_unreadable = self.endpoint(account, endpoint_id).await?.secret.is_err();
        let Moment { wall: now, steady } = self.clock.moment();
        let rotated =
            RotatedSecret { secret: HookSecret::generate(&*self.randomness), overlap_until: now.plus(overlap) };
        let detail = format!("the former secret signs until {}", rotated.overlap_until);
        let store = self.audited(&account.id, (Action::HookSecretRotated, Some(endpoint_id)), Some(&detail));
        let (times, retry_at) = ((now, rotated.overlap_until), is_unreadable.then_some(steady));
        let is_there = store.rotate_hook_secret(endpoint_id, &rotated.secret, times, retry_at).await?;
        require_found(is_there, endpoint_id)?;
        Ok(rotated)
    }

    /// Returns the secret that signs an endpoint's hooks. Records the access in the audit trail and the log.
    pub async fn reveal_secret(&self, account: &Account, endpoint_id: &str) -> Result<HookSecret, AdminError> {
        let secret = self.endpoint(account, endpoint_id).await?.secret?;
        let store = self.audited(&account.id, (Action::HookSecretRevealed, Some(endpoint_id)), None);
        require_found(store.note_secret_revealed(endpoint_id).await?, endpoint_id)?;
        tracing::info!(endpoint_id, account_id = %account.id, "the secret of a hook endpoint was revealed");
        Ok(secret)
    }

    /// Pauses an endpoint. Due deliveries wait; events during the pause can be recovered.
    pub async fn pause_endpoint(&self, account: &Account, endpoint_id: &str) -> Result<(), AdminError> {
        if self.endpoint(account, endpoint_id).await?.status == EndpointStatus::Disabled {
            return Err(AdminError::Disabled);
        }
        let store = self.audited(&account.id, (Action::HookPaused, Some(endpoint_id)), None);
        let now = self.clock.steady();
        require_found(store.set_hook_status(endpoint_id, EndpointStatus::Paused, now).await?, endpoint_id)
    }

    /// Resumes a paused or disabled endpoint. Waiting deliveries are due at once.
    pub async fn resume_endpoint(&self, account: &Account, endpoint_id: &str) -> Result<(), AdminError> {
        // An active endpoint keeps its failure counts.
        if self.endpoint(account, endpoint_id).await?.status == EndpointStatus::Active {
            return Ok(());
        }
        let store = self.audited(&account.id, (Action::HookResumed, Some(endpoint_id)), None);
        let now = self.clock.steady();
        require_found(store.set_hook_status(endpoint_id, EndpointStatus::Active, now).await?, endpoint_id)
    }

    /// Removes an endpoint with its deliveries and their log.
    pub async fn remove_endpoint(&self, account: &Account, endpoint_id: &str) -> Result<(), AdminError> {
        self.endpoint(account, endpoint_id).await?;
        let store = self.audited(&account.id, (Action::HookRemoved, Some(endpoint_id)), None);
        require_found(store.remove_hook_endpoint(endpoint_id).await?, endpoint_id)
    }

    /// Sends `hook.test` to one endpoint, once. Returns the id of the delivery.
    pub async fn send_test(&self, account: &Account, endpoint_id: &str) -> Result<String, AdminError> {
        self.active_endpoint(account, endpoint_id).await?;
        let now = self.clock.moment();
        let event = Event::hook_test(id::new(Kind::Event, now.wall, &*self.randomness), &account.id, now.wall);
        let store = self.audited(&account.id, (Action::HookTested, Some(endpoint_id)), None);
        let delivery_id = store.send_test(endpoint_id, &event, now.steady).await?;
        delivery_id.ok_or_else(|| AdminError::EndpointNotFound(endpoint_id.to_owned()))
    }

    /// Returns the endpoint, if it belongs to the account.
    pub(super) async fn endpoint(
        &self,
        account: &Account,
        endpoint_id: &str,
    ) -> Result<HookEndpoint<Result<HookSecret, UnreadableSecret>>, AdminError> {
        check_id("the hook's id", endpoint_id)?;
        let states = self.store.list_hook_endpoints(&account.id).await?;
        let endpoint = states.into_iter().map(|state| state.endpoint).find(|endpoint| endpoint.id == endpoint_id);
        endpoint.ok_or_else(|| AdminError::EndpointNotFound(endpoint_id.to_owned()))
    }

    /// Checks that the endpoint belongs to the account and is active.
    pub(super) async fn active_endpoint(&self, account: &Account, endpoint_id: &str) -> Result<(), AdminError> {
        match self.endpoint(account, endpoint_id).await?.status {
            EndpointStatus::Active => Ok(()),
            status => Err(AdminError::NotActive(status)),
        }
    }
}

/// Returns an error if another process removed the endpoint in the meantime.
fn require_found(is_there: bool, endpoint_id: &str) -> Result<(), AdminError> {
    if is_there { Ok(()) } else { Err(AdminError::EndpointNotFound(endpoint_id.to_owned())) }
}

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

    /// Changes the settings of an endpoint of the account, if they still are those of `former`. Pending deliveries are due at
    /// once if the URL is new.
    pub async fn save_hook(
        &self,
        account: &Account,
        former: &HookEndpoint<()>,
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
            ..former.clone()
        };
        let detail = audit_detail(&endpoint.events, &endpoint.url);
        let store = self.audited(&account.id, (Action::HookChanged, Some(&endpoint.id)), Some(&detail));
        let retry_at = (endpoint.url != former.url).then(|| self.clock.steady());
        let is_saved = store.update_hook_endpoint(former, &endpoint, retry_at).await?;
        if is_saved { Ok(()) } else { Err(AdminError::SettingsChanged) }
    }

    async fn check_hook(&self, account: &Account, wanted: &HookSettings) -> Result<(), AdminError> {
        self.hook_destinations.check(&wanted.url).await.map_err(AdminError::HookAddress)?;
        Setting::HookEvents.require(!wanted.events.is_empty(), "must not be empty; choose at least one")?;
        let is_short = wanted.description.as_ref().is_none_or(|text| text.chars().count() <= MAX_DESCRIPTION_CHARS);
        Setting::HookDescription.require(is_short, "must have at most 200 characters")?;
        wanted.description.as_deref().map_or(Ok(()), |text| Setting::HookDescription.require_plain_line(text))?;
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
