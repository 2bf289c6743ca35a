//! Searches the deliveries of an account by filter, and sends all failed matches again. `deliveries` sends a single delivery again.

use super::super::manage_error::ManageError;
use super::super::page::{Page, Walk};
use super::super::service::App;
use super::endpoints::EndpointView;
use crate::domain::account::Account;
use crate::domain::audit::Action;
use crate::domain::clock::Timestamp;
use crate::domain::delivery::{AttemptKind, DeliveryState, DeliverySummary, LoggedAttempt};
use crate::domain::hook::EndpointStatus;
use crate::domain::personal::Personal;
use crate::domain::store::{DeliveryFilter, PageKey, PageRequest, SentDelivery};

/// Maximum number of deliveries that one call sends again.
pub const MAX_REDELIVERED: u64 = 10_000;
/// Number of deliveries made due in one transaction. A transaction blocks other writers.
const REDELIVERED_AT_ONCE: u32 = 500;
/// Maximum number of transactions for one call. A transaction finds few deliveries if few match.
const MAX_BATCHES: usize = 100;
/// Name of this list in page tokens.
const TOKEN_LIST: &str = "find_deliveries";

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
    /// Returns a page of the account's deliveries, newest first. Each page searches about a thousand deliveries, so a page may have
    /// few rows or none although another page follows.
    pub async fn find_deliveries(
        &self,
        account: &Account,
        filter: &DeliveryFilter,
        page_token: Option<&str>,
    ) -> Result<Page<DeliverySummary>, ManageError> {
        let [since, until] = [filter.since, filter.until].map(|time| time.map(|time| time.to_string()));
        let walk = Walk::new(TOKEN_LIST, &account.id)
            .with("endpoint_id", filter.endpoint_id.as_deref())
            .with("event_type", filter.event_type.map(crate::domain::event::EventType::as_str))
            .with("state", filter.state.map(DeliveryState::as_str))
            .with("since", since.as_deref())
            .with("until", until.as_deref());
        let request = self.begin(&walk, page_token).ok_or(ManageError::PageToken)?;
        let found = self.store.find_deliveries(&account.id, filter, &request.without_next()).await?;
        Ok(self.end_at(walk, found))
    }

    /// Returns one of the account's deliveries.
    pub async fn find_delivery(&self, account: &Account, delivery_id: &str) -> Result<DeliveryView, ManageError> {
        let unknown = || ManageError::DeliveryNotFound(delivery_id.to_owned());
        let delivery = self.delivery(account, delivery_id).await?;
        let endpoint = self.find_endpoint(account, &delivery.endpoint_id).await?;
        let SentDelivery { summary, body } = self.store.find_sent(delivery_id).await?.ok_or_else(unknown)?;
        let attempts = self.store.list_attempts(delivery_id).await?;
        Ok(DeliveryView { summary, body, attempts, endpoint })
    }

    /// Returns how many deliveries to the account's endpoints, or to one of them, are due or in flight, up to 10,001.
    pub async fn count_due(&self, account: &Account, endpoint_id: Option<&str>) -> Result<u64, ManageError> {
        Ok(self.store.count_due(&account.id, endpoint_id, self.clock.steady()).await?)
    }

    /// Returns how many deliveries [`App::redeliver_matching`] would send again.
    pub async fn count_redeliverable(
        &self,
        account: &Account,
        filter: &DeliveryFilter,
    ) -> Result<Matching, ManageError> {
        let active = self.active_endpoints(account, filter).await?;
        let is_counted = |row: &DeliverySummary| {
            !row.is_in_flight && row.next_kind == AttemptKind::Scheduled && active.contains(&row.delivery.endpoint_id)
        };
        let (mut count, mut after) = (0, None);
        for _ in 0..MAX_BATCHES {
            let page = self.store.find_deliveries(&account.id, filter, &batch(after)).await?;
            count += page.rows.iter().filter(|row| is_counted(row)).count() as u64;
            after = page.next;
            if after.is_none() || count >= MAX_REDELIVERED {
                break;
            }
        }
        Ok(Matching { count: count.min(MAX_REDELIVERED), has_more: after.is_some() || count > MAX_REDELIVERED })
    }

    /// Sends the newest matching failed deliveries again, once each, at most [`MAX_REDELIVERED`], if their endpoints are active.
    /// Returns the number of deliveries that are now due.
    pub async fn redeliver_matching(&self, account: &Account, filter: &DeliveryFilter) -> Result<u64, ManageError> {
        self.active_endpoints(account, filter).await?;
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

    /// Checks the filter and returns the ids of the matching active endpoints.
    async fn active_endpoints(&self, account: &Account, filter: &DeliveryFilter) -> Result<Vec<String>, ManageError> {
        if !filter.state.is_some_and(DeliveryState::has_failed) {
            return Err(ManageError::NotFailed);
        }
        if let Some(endpoint_id) = &filter.endpoint_id {
            self.active_endpoint(account, endpoint_id).await?;
        }
        let endpoints = self.list_endpoints(account).await?.into_iter().map(|view| view.state.endpoint);
        Ok(endpoints.filter(|one| one.status == EndpointStatus::Active).map(|one| one.id).collect())
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
