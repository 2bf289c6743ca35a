//! The log of what was sent to an endpoint, and sending it again. The endpoints themselves are in `endpoints`.

use std::time::Duration;

use super::super::manage_error::{ManageError, check_id};
use super::super::page::{Page, Walk};
use super::super::service::App;
use crate::domain::account::Account;
use crate::domain::audit::Action;
use crate::domain::clock::Timestamp;
use crate::domain::delivery::{LoggedAttempt, LoggedDelivery};
use crate::domain::page::MAX_LIMIT;
use crate::domain::retention::MIN_EVENT_RETENTION;
use crate::domain::store::{PageKey, Redelivery};

/// How far back an endpoint may recover what it missed.
pub const MAX_RECOVERY: Duration = Duration::from_hours(14 * 24);
// What was deleted cannot be recovered, and an event whose delivery was deleted would be taken for a missed one.
const _: () = assert!(MIN_EVENT_RETENTION.as_secs() > MAX_RECOVERY.as_secs());
/// The list that page tokens of the log belong to.
const TOKEN_LIST: &str = "list_deliveries";
/// The part of a page token that names the endpoint.
const ENDPOINT: &str = "endpoint_id";

impl App {
    /// A page of an endpoint's deliveries, newest first: `limit` of them, 1 to 100, behind the page that gave the token.
    pub async fn list_deliveries(
        &self,
        account: &Account,
        endpoint_id: &str,
        limit: u32,
        page_token: Option<&str>,
    ) -> Result<Page<LoggedDelivery>, ManageError> {
        if !(1..=MAX_LIMIT).contains(&limit) {
            return Err(ManageError::PageSize);
        }
        self.endpoint(account, endpoint_id).await?;
        let walk = Walk::new(TOKEN_LIST, &account.id).with(ENDPOINT, Some(endpoint_id)).in_pages_of(limit);
        let page = self.begin(&walk, page_token).ok_or(ManageError::PageToken)?;
        let items = self.store.list_deliveries(endpoint_id, &page).await?;
        Ok(self.end(walk, items, |last| PageKey { time: last.created_at, id: last.id.clone() }))
    }

    /// The attempts of a delivery, oldest first.
    pub async fn list_attempts(&self, account: &Account, delivery_id: &str) -> Result<Vec<LoggedAttempt>, ManageError> {
        self.delivery(account, delivery_id).await?;
        Ok(self.store.list_attempts(delivery_id).await?)
    }

    /// Sends a delivery again, once, under the id that it had. When that fails the delivery is as it was before.
    pub async fn redeliver(&self, account: &Account, delivery_id: &str) -> Result<(), ManageError> {
        let delivery = self.delivery(account, delivery_id).await?;
        let store = self.audited(&account.id, (Action::Redelivered, Some(delivery_id)), None);
        let outcome = store.redeliver(delivery_id, self.clock.steady()).await?;
        self.wakeups.deliveries.notify_one();
        match outcome {
            Redelivery::Queued => Ok(()),
            Redelivery::InFlight => Err(ManageError::InFlight),
            Redelivery::EndpointNotActive => {
                let endpoint = self.endpoint(account, &delivery.endpoint_id).await?;
                Err(ManageError::NotActive(endpoint.status))
            }
            Redelivery::NotFound => Err(ManageError::DeliveryNotFound(delivery_id.to_owned())),
        }
    }

    /// Sends an endpoint's delivery of an event again, once; receivers know the event by its `webhook-id`. Returns the
    /// delivery's id.
    pub async fn redeliver_event(
        &self,
        account: &Account,
        endpoint_id: &str,
        event_id: &str,
    ) -> Result<String, ManageError> {
        check_id("the event's id", event_id)?;
        self.endpoint(account, endpoint_id).await?;
        let found = self.store.find_delivery_of(endpoint_id, event_id).await?;
        let delivery = found.ok_or_else(|| ManageError::EventNotDelivered(event_id.to_owned()))?;
        self.redeliver(account, &delivery.id).await?;
        Ok(delivery.id)
    }

    /// Sends what an endpoint should have had since then and had not: what was given up, once each, and what happened
    /// while it was paused or disabled. Returns how many deliveries are due for it.
    pub async fn recover(&self, account: &Account, endpoint_id: &str, since: Timestamp) -> Result<u64, ManageError> {
        let now = self.clock.moment();
        let earliest = now.wall.minus(MAX_RECOVERY);
        if since < earliest {
            return Err(ManageError::RecoveryTooFarBack(earliest));
        }
        if since > now.wall {
            return Err(ManageError::RecoveryInFuture(now.wall));
        }
        self.active_endpoint(account, endpoint_id).await?;
        let detail = format!("all that was missed since {since}");
        let store = self.audited(&account.id, (Action::Redelivered, Some(endpoint_id)), Some(&detail));
        let recovered = store.recover_deliveries(endpoint_id, since, now).await?;
        self.wakeups.deliveries.notify_one();
        Ok(recovered)
    }

    /// The delivery, if its endpoint is the account's.
    pub(super) async fn delivery(&self, account: &Account, delivery_id: &str) -> Result<LoggedDelivery, ManageError> {
        check_id("the delivery's id", delivery_id)?;
        let unknown = || ManageError::DeliveryNotFound(delivery_id.to_owned());
        let delivery = self.store.find_delivery(delivery_id).await?.ok_or_else(unknown)?;
        match self.endpoint(account, &delivery.endpoint_id).await {
            Ok(_) => Ok(delivery),
            // Whether another account has such a delivery is not revealed.
            Err(ManageError::EndpointNotFound(_)) => Err(unknown()),
            Err(error) => Err(error),
        }
    }
}
