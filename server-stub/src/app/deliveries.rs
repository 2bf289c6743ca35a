//! Lists and searches deliveries, and sends them again: one, all that an endpoint missed, or all failed ones that match a
//! filter.

use std::time::Duration;

use super::admin_error::check_id;
use super::endpoints::EndpointView;
use super::page::Listing;
use super::{AdminError, App, Page};
use crate::domain::account::Account;
use crate::domain::audit::Action;
use crate::domain::clock::Timestamp;
use crate::domain::delivery::{DeliveryState, DeliverySummary, LoggedAttempt, LoggedDelivery};
use crate::domain::page::MAX_LIMIT;
use crate::domain::personal::Personal;
use crate::domain::retention::MIN_EVENT_RETENTION;
use crate::domain::store::{DeliveryFilter, PageKey, PageRequest, Redelivery, SentDelivery};

/// Maximum age of missed events that an endpoint can recover.
pub const MAX_RECOVERY: Duration = Duration::from_hours(14 * 24);
// Deleted deliveries cannot be recovered, and an event without its deleted delivery would look like a missed one.
const _: () = assert!(MIN_EVENT_RETENTION.as_secs() > MAX_RECOVERY.as_secs());
/// Maximum number of deliveries that one call sends again.
pub const MAX_REDELIVERED: u64 = 10_000;
/// Number of deliveries made due in one transaction. A transaction blocks other writers.
const REDELIVERED_AT_ONCE: u32 = 500;
/// Maximum number of transactions for one call. A transaction finds few deliveries if few match.
const MAX_BATCHES: usize = 100;

impl App {
    /// Returns a page of an endpoint's deliveries, newest first. `limit` is 1 to 100. The page is the one that `page_token` points
    /// to, or the first one.
    pub async fn list_deliveries(
        &self,
        account: &Account,
        endpoint_id: &str,
        limit: u32,
        page_token: Option<&str>,
    ) -> Result<Page<LoggedDelivery>, AdminError> {
        if !(1..=MAX_LIMIT).contains(&limit) {
            return Err(AdminError::PageSize);
        }
        self.endpoint(account, endpoint_id).await?;
        let listing = Listing::new("list_deliveries", &account.id);
        let listing = listing.with("endpoint_id", Some(endpoint_id)).in_pages_of(limit);
        let listing = self.at_token(listing, page_token).ok_or(AdminError::PageToken)?;
        let items = self.store.list_deliveries(endpoint_id, &listing.request()).await?;
        Ok(self.page(listing, items, |last| PageKey { time: last.created_at, id: last.id.clone() }))
    }

    /// Returns the attempts of a delivery, oldest first.
    pub async fn list_attempts(&self, account: &Account, delivery_id: &str) -> Result<Vec<LoggedAttempt>, AdminError> {
        self.delivery(account, delivery_id).await?;
        Ok(self.store.list_attempts(delivery_id).await?)
    }

    /// Sends a delivery again, once, with the same id. If the attempt fails, the delivery keeps its former state.
    pub async fn redeliver(&self, account: &Account, delivery_id: &str) -> Result<(), AdminError> {
        let delivery = self.delivery(account, delivery_id).await?;
        let store = self.audited(&account.id, (Action::Redelivered, Some(delivery_id)), None);
        match store.redeliver(delivery_id, self.clock.steady()).await? {
            Redelivery::Queued => Ok(()),
            Redelivery::InFlight => Err(AdminError::InFlight),
            Redelivery::EndpointNotActive => {
                let endpoint = self.endpoint(account, &delivery.endpoint_id).await?;
                Err(AdminError::NotActive(endpoint.status))
            }
            Redelivery::NotFound => Err(AdminError::DeliveryNotFound(delivery_id.to_owned())),
        }
    }

    /// Sends an endpoint's delivery of an event again, once. Receivers recognise the event by its `webhook-id`. Returns the id of
    /// the delivery.
    pub async fn redeliver_event(
        &self,
        account: &Account,
        endpoint_id: &str,
        event_id: &str,
    ) -> Result<String, AdminError> {
        check_id("the event's id", event_id)?;
        self.endpoint(account, endpoint_id).await?;
        let found = self.store.find_delivery_of(endpoint_id, event_id).await?;
        let delivery = found.ok_or_else(|| AdminError::EventNotDelivered(event_id.to_owned()))?;
        self.redeliver(account, &delivery.id).await?;
        Ok(delivery.id)
    }

    /// Sends the events that an endpoint missed since `since`: failed deliveries, once each, and events from while it was paused or
    /// disabled. Returns the number of deliveries that are now due.
    pub async fn recover(&self, account: &Account, endpoint_id: &str, since: Timestamp) -> Result<u64, AdminError> {
        let now = self.clock.moment();
        let earliest = now.wall.minus(MAX_RECOVERY);
        if since < earliest {
            return Err(AdminError::RecoveryTooFarBack(earliest));
        }
        if since > now.wall {
            return Err(AdminError::RecoveryInFuture(now.wall));
        }
        self.active_endpoint(account, endpoint_id).await?;
        let detail = format!("all that was missed since {since}");
        let store = self.audited(&account.id, (Action::Redelivered, Some(endpoint_id)), Some(&detail));
        Ok(store.recover_deliveries(endpoint_id, since, now).await?)
    }

    /// Returns the delivery, if its endpoint belongs to the account.
    async fn delivery(&self, account: &Account, delivery_id: &str) -> Result<LoggedDelivery, AdminError> {
        check_id("the delivery's id", delivery_id)?;
        let unknown = || AdminError::DeliveryNotFound(delivery_id.to_owned());
        let delivery = self.store.find_delivery(delivery_id).await?.ok_or_else(unknown)?;
        match self.endpoint(account, &delivery.endpoint_id).await {
            Ok(_) => Ok(delivery),
            // Do not reveal whether another account has such a delivery.
            Err(AdminError::EndpointNotFound(_)) => Err(unknown()),
            Err(error) => Err(error),
        }
    }
}

/// A delivery with its attempts and its endpoint.
#[derive(Debug, Clone)]
pub struct DeliveryView {
    /// The delivery.
    pub summary: DeliverySummary,
    /// The body that is sent.
    pub body: Personal<bytes::Bytes>,
    /// Attempts, oldest first.
    pub attempts: Vec<LoggedAttempt>,
    /// Endpoint that receives the delivery.
    pub endpoint: EndpointView,
}

/// Number of matching deliveries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Matching {
    /// The number, at most [`MAX_REDELIVERED`].
    pub count: u64,
    /// True if there may be more.
    pub has_more: bool,
}

impl App {
    /// Returns a page of the account's deliveries, newest first. Each page searches about a thousand deliveries, so a page may
    /// have few rows or none although another page follows.
    pub async fn find_deliveries(
        &self,
        account: &Account,
        filter: &DeliveryFilter,
        page_token: Option<&str>,
    ) -> Result<Page<DeliverySummary>, AdminError> {
        let [since, until] = [filter.since, filter.until].map(|time| time.map(|time| time.to_string()));
        let listing = Listing::new("find_deliveries", &account.id)
            .with("endpoint_id", filter.endpoint_id.as_deref())
            .with("event_type", filter.event_type.map(crate::domain::event::EventType::as_str))
            .with("state", filter.state.map(DeliveryState::as_str))
            .with("since", since.as_deref())
            .with("until", until.as_deref());
        let listing = self.at_token(listing, page_token).ok_or(AdminError::PageToken)?;
        let found = self.store.find_deliveries(&account.id, filter, &listing.search_request()).await?;
        Ok(self.found_page(listing, found))
    }

    /// Returns one of the account's deliveries.
    pub async fn find_delivery(&self, account: &Account, delivery_id: &str) -> Result<DeliveryView, AdminError> {
        let unknown = || AdminError::DeliveryNotFound(delivery_id.to_owned());
        let delivery = self.delivery(account, delivery_id).await?;
        let endpoint = self.find_endpoint(account, &delivery.endpoint_id).await?;
        let SentDelivery { summary, body } = self.store.find_sent(delivery_id).await?.ok_or_else(unknown)?;
        let attempts = self.store.list_attempts(delivery_id).await?;
        Ok(DeliveryView { summary, body, attempts, endpoint })
    }

    /// Returns how many deliveries to the account's endpoints, or to one of them, are due or in flight, up to 10,001.
    pub async fn count_due(&self, account: &Account, endpoint_id: Option<&str>) -> Result<u64, AdminError> {
        Ok(self.store.count_due(&account.id, endpoint_id, self.clock.steady()).await?)
    }

    /// Returns how many deliveries [`App::redeliver_matching`] would send again.
    pub async fn count_redeliverable(
        &self,
        account: &Account,
        filter: &DeliveryFilter,
    ) -> Result<Matching, AdminError> {
        self.check_redelivery(account, filter).await?;
        let (count, has_more) = self.store.count_redeliverable(&account.id, filter).await?;
        Ok(Matching { count: count.min(MAX_REDELIVERED), has_more: has_more || count > MAX_REDELIVERED })
    }

    /// Sends the newest matching failed deliveries again, once each, at most [`MAX_REDELIVERED`], if their endpoints are
    /// active. Returns the number of deliveries that are now due.
    pub async fn redeliver_matching(&self, account: &Account, filter: &DeliveryFilter) -> Result<u64, AdminError> {
        self.check_redelivery(account, filter).await?;
        let change = (Action::Redelivered, filter.endpoint_id.as_deref());
        let audited = self.audited(&account.id, change, Some(&described(filter)));
        let (mut count, mut after) = (0, None);
        for _ in 0..MAX_BATCHES {
            // One audit entry covers all batches.
            let store = if count == 0 { &audited } else { &self.store };
            let now = self.clock.steady();
            let page = PageRequest { limit: batch_limit(count), ..batch(after) };
            let redelivered = store.redeliver_matching(&account.id, filter, &page, now).await?;
            count += redelivered.count;
            after = redelivered.next;
            if after.is_none() || count >= MAX_REDELIVERED {
                break;
            }
        }
        Ok(count)
    }

    /// Refuses a filter that selects no failed deliveries, or an endpoint that is not active.
    async fn check_redelivery(&self, account: &Account, filter: &DeliveryFilter) -> Result<(), AdminError> {
        if !filter.state.is_some_and(DeliveryState::has_failed) {
            return Err(AdminError::NotFailed);
        }
        if let Some(endpoint_id) = &filter.endpoint_id {
            self.active_endpoint(account, endpoint_id).await?;
        }
        Ok(())
    }
}

/// Returns the size of the next batch after `count` deliveries.
fn batch_limit(count: u64) -> u32 {
    let left = MAX_REDELIVERED.saturating_sub(count);
    u32::try_from(left).unwrap_or(u32::MAX).min(REDELIVERED_AT_ONCE)
}

fn batch(after: Option<PageKey>) -> PageRequest {
    PageRequest { after, limit: REDELIVERED_AT_ONCE }
}

/// Returns the filter as text for the audit trail.
fn described(filter: &DeliveryFilter) -> String {
    let [since, until] = [filter.since, filter.until].map(|time| time.as_ref().map(Timestamp::to_string));
    let parts = [
        Some(filter.state.map_or("all", DeliveryState::as_str).to_owned()),
        filter.event_type.map(|event_type| event_type.as_str().to_owned()),
        since.map(|time| format!("since {time}")),
        until.map(|time| format!("until {time}")),
    ];
    format!("all that match: {}", parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_batch_stops_at_the_redelivery_limit() {
        let limits = [0, MAX_REDELIVERED - 501, MAX_REDELIVERED - 499, MAX_REDELIVERED - 1, MAX_REDELIVERED];
        assert_eq!(limits.map(batch_limit), [500, 500, 499, 1, 0]);
    }
}
