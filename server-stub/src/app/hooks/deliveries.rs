//! Lists the deliveries of an endpoint and sends them again. The endpoints themselves are in `endpoints`.

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

/// Maximum age of missed events that an endpoint can recover.
pub const MAX_RECOVERY: Duration = Duration::from_hours(14 * 24);
// Deleted deliveries cannot be recovered, and an event without its deleted delivery would look like a missed one.
const _: () = assert!(MIN_EVENT_RETENTION.as_secs() > MAX_RECOVERY.as_secs());
/// Name of this list in page tokens.
const TOKEN_LIST: &str = "list_deliveries";
/// Name of the page token's filter for the endpoint.
const ENDPOINT: &str = "endpoint_id";

impl App {
    /// Returns a page of an endpoint's deliveries, newest first. `limit` is 1 to 100. The page is the one that `page_token` points
    /// to, or the first one.
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

    /// Returns the attempts of a delivery, oldest first.
    pub async fn list_attempts(&self, account: &Account, delivery_id: &str) -> Result<Vec<LoggedAttempt>, ManageError> {
        self.delivery(account, delivery_id).await?;
        Ok(self.store.list_attempts(delivery_id).await?)
    }

    /// Sends a delivery again, once, with the same id. If the attempt fails, the delivery keeps its former state.
    pub async fn redeliver(&self, account: &Account, delivery_id: &str) -> Result<(), ManageError> {
        let delivery = self.delivery(account, delivery_id).await?;
        let store = self.audited(&account.id, (Action::Redelivered, Some(delivery_id)), None);
        match store.redeliver(delivery_id, self.clock.steady()).await? {
            Redelivery::Queued => Ok(()),
            Redelivery::InFlight => Err(ManageError::InFlight),
            Redelivery::EndpointNotActive => {
                let endpoint = self.endpoint(account, &delivery.endpoint_id).await?;
                Err(ManageError::NotActive(endpoint.status))
            }
            Redelivery::NotFound => Err(ManageError::DeliveryNotFound(delivery_id.to_owned())),
        }
    }

    /// Sends an endpoint's delivery of an event again, once. Receivers recognise the event by its `webhook-id`. Returns the id of
    /// the delivery.
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

    /// Sends the events that an endpoint missed since `since`: failed deliveries, once each, and events from while it was paused or
    /// disabled. Returns the number of deliveries that are now due.
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
        Ok(store.recover_deliveries(endpoint_id, since, now).await?)
    }

    /// Returns the delivery, if its endpoint belongs to the account.
    pub(super) async fn delivery(&self, account: &Account, delivery_id: &str) -> Result<LoggedDelivery, ManageError> {
        check_id("the delivery's id", delivery_id)?;
        let unknown = || ManageError::DeliveryNotFound(delivery_id.to_owned());
        let delivery = self.store.find_delivery(delivery_id).await?.ok_or_else(unknown)?;
        match self.endpoint(account, &delivery.endpoint_id).await {
            Ok(_) => Ok(delivery),
            // Do not reveal whether another account has such a delivery.
            Err(ManageError::EndpointNotFound(_)) => Err(unknown()),
            Err(error) => Err(error),
        }
    }
}
