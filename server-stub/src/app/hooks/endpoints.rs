//! What the owner of an account does with its hook endpoints. Registering one is in `administration`, its deliveries
//! are in `deliveries`.

use std::time::Duration;

use super::super::manage_error::{ManageError, check_id};
use super::super::service::App;
use crate::domain::account::Account;
use crate::domain::audit::Action;
use crate::domain::clock::Timestamp;
use crate::domain::event::Event;
use crate::domain::hook::{EndpointStatus, HookEndpoint, HookSecret, UnreadableSecret};
use crate::domain::id::{self, Kind};
use crate::domain::store::EndpointState;

/// How long a former secret signs beside the new one unless told otherwise.
pub const DEFAULT_SECRET_OVERLAP: Duration = Duration::from_hours(24);
/// How long a former secret may sign beside the new one.
pub const MAX_SECRET_OVERLAP: Duration = Duration::from_hours(7 * 24);

/// An endpoint in the list of its account: without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointView {
    /// The endpoint and how it fares.
    pub state: EndpointState<()>,
    /// Whether it fails so much that it gets one delivery at a time and its owner should look after it.
    pub is_failing: bool,
}

/// A new secret of an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RotatedSecret {
    /// Signs from now on.
    pub secret: HookSecret,
    /// Until then the former one signs too.
    pub overlap_until: Timestamp,
}

impl App {
    /// The account's endpoints, oldest first, at most 10.
    pub async fn list_endpoints(&self, account: &Account) -> Result<Vec<EndpointView>, ManageError> {
        let now = self.clock.steady();
        let states = self.store.list_hook_endpoints(&account.id).await?;
        let view = |state: EndpointState| EndpointView {
            is_failing: state.health.is_failing(now),
            state: state.with_secret(()),
        };
        Ok(states.into_iter().map(view).collect())
    }

    /// One of the account's endpoints.
    pub async fn find_endpoint(&self, account: &Account, endpoint_id: &str) -> Result<EndpointView, ManageError> {
        check_id("the hook's id", endpoint_id)?;
        let endpoints = self.list_endpoints(account).await?;
        let found = endpoints.into_iter().find(|view| view.state.endpoint.id == endpoint_id);
        found.ok_or_else(|| ManageError::EndpointNotFound(endpoint_id.to_owned()))
    }

    /// Gives an endpoint a new secret. For `overlap`, at most 7 days, the former one signs too; at most two do.
    pub async fn rotate_secret(
        &self,
        account: &Account,
        endpoint_id: &str,
        overlap: Duration,
    ) -> Result<RotatedSecret, ManageError> {
        if overlap > MAX_SECRET_OVERLAP {
            return Err(ManageError::OverlapTooLong);
        }
        self.endpoint(account, endpoint_id).await?;
        let now = self.clock.wall();
        let rotated =
            RotatedSecret { secret: HookSecret::generate(&*self.randomness), overlap_until: now.plus(overlap) };
        let detail = format!("the former secret signs until {}", rotated.overlap_until);
        let store = self.audited(&account.id, (Action::HookSecretRotated, Some(endpoint_id)), Some(&detail));
        let is_there = store.rotate_hook_secret(endpoint_id, &rotated.secret, rotated.overlap_until, now).await?;
        require_found(is_there, endpoint_id)?;
        Ok(rotated)
    }

    /// The secret that an endpoint's hooks are signed with. The audit trail and the log record that it was shown.
    pub async fn reveal_secret(&self, account: &Account, endpoint_id: &str) -> Result<HookSecret, ManageError> {
        let secret = self.endpoint(account, endpoint_id).await?.secret?;
        let store = self.audited(&account.id, (Action::HookSecretRevealed, Some(endpoint_id)), None);
        require_found(store.note_secret_revealed(endpoint_id).await?, endpoint_id)?;
        tracing::info!(endpoint_id, account_id = %account.id, "the secret of a hook endpoint was revealed");
        Ok(secret)
    }

    /// Stops sending to an endpoint. What is due waits; what happens meanwhile can be recovered.
    pub async fn pause_endpoint(&self, account: &Account, endpoint_id: &str) -> Result<(), ManageError> {
        if self.endpoint(account, endpoint_id).await?.status == EndpointStatus::Disabled {
            return Err(ManageError::Disabled);
        }
        let store = self.audited(&account.id, (Action::HookPaused, Some(endpoint_id)), None);
        require_found(store.set_hook_status(endpoint_id, EndpointStatus::Paused).await?, endpoint_id)
    }

    /// Sends to an endpoint again that was paused or disabled: first what waited for it.
    pub async fn resume_endpoint(&self, account: &Account, endpoint_id: &str) -> Result<(), ManageError> {
        // One that is active keeps what is known of its failures.
        if self.endpoint(account, endpoint_id).await?.status == EndpointStatus::Active {
            return Ok(());
        }
        let store = self.audited(&account.id, (Action::HookResumed, Some(endpoint_id)), None);
        require_found(store.set_hook_status(endpoint_id, EndpointStatus::Active).await?, endpoint_id)?;
        self.wakeups.deliveries.notify_one();
        Ok(())
    }

    /// Removes an endpoint with its deliveries and their log.
    pub async fn remove_endpoint(&self, account: &Account, endpoint_id: &str) -> Result<(), ManageError> {
        self.endpoint(account, endpoint_id).await?;
        let store = self.audited(&account.id, (Action::HookRemoved, Some(endpoint_id)), None);
        require_found(store.remove_hook_endpoint(endpoint_id).await?, endpoint_id)
    }

    /// Sends `hook.test` to one endpoint, once; returns the delivery's id.
    pub async fn send_test(&self, account: &Account, endpoint_id: &str) -> Result<String, ManageError> {
        self.active_endpoint(account, endpoint_id).await?;
        let now = self.clock.moment();
        let event = Event::hook_test(id::new(Kind::Event, now.wall, &*self.randomness), &account.id, now.wall);
        let store = self.audited(&account.id, (Action::HookTested, Some(endpoint_id)), None);
        let delivery_id = store.send_test(endpoint_id, &event, now.steady).await?;
        self.wakeups.deliveries.notify_one();
        delivery_id.ok_or_else(|| ManageError::EndpointNotFound(endpoint_id.to_owned()))
    }

    /// The endpoint, if it is the account's.
    pub(super) async fn endpoint(
        &self,
        account: &Account,
        endpoint_id: &str,
    ) -> Result<HookEndpoint<Result<HookSecret, UnreadableSecret>>, ManageError> {
        check_id("the hook's id", endpoint_id)?;
        let states = self.store.list_hook_endpoints(&account.id).await?;
        let endpoint = states.into_iter().map(|state| state.endpoint).find(|endpoint| endpoint.id == endpoint_id);
        endpoint.ok_or_else(|| ManageError::EndpointNotFound(endpoint_id.to_owned()))
    }

    /// The endpoint, if it is the account's and hooks are sent to it.
    pub(super) async fn active_endpoint(&self, account: &Account, endpoint_id: &str) -> Result<(), ManageError> {
        match self.endpoint(account, endpoint_id).await?.status {
            EndpointStatus::Active => Ok(()),
            status => Err(ManageError::NotActive(status)),
        }
    }
}

/// Another process may have removed it meanwhile.
fn require_found(is_there: bool, endpoint_id: &str) -> Result<(), ManageError> {
    if is_there { Ok(()) } else { Err(ManageError::EndpointNotFound(endpoint_id.to_owned())) }
}
