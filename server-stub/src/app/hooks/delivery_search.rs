//! Looking for deliveries of an account by what they have in common, and sending again all that failed among them. One delivery
//! is sent again in `deliveries`.

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

/// Most deliveries that are sent again at once.
pub const MAX_REDELIVERED: u64 = 10_000;
/// How many of them are made due in one transaction, which keeps others waiting.
const REDELIVERED_AT_ONCE: u32 = 500;
/// Most transactions for them: where few deliveries match, a transaction finds fewer.
const MAX_BATCHES: usize = 100;
/// The list that page tokens of the search belong to.
const TOKEN_LIST: &str = "find_deliveries";

/// One delivery and all that is known of it.
#[derive(Debug, Clone)]
pub struct DeliveryView {
    /// The delivery.
    pub summary: DeliverySummary,
    /// The body that is sent.
    pub body: Personal<bytes::Bytes>,
    /// Oldest first.
    pub attempts: Vec<LoggedAttempt>,
    /// Where it goes.
    pub endpoint: EndpointView,
}

/// How many deliveries match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Matching {
    /// So many, at most [`MAX_REDELIVERED`].
    pub count: u64,
    /// Whether there may be more.
    pub has_more: bool,
}

impl App {
    /// A page of the account's deliveries, newest first. It may have few of them or none although another page follows:
    /// about a thousand deliveries are looked at for each page.
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

    /// One of the account's deliveries.
    pub async fn find_delivery(&self, account: &Account, delivery_id: &str) -> Result<DeliveryView, ManageError> {
        let unknown = || ManageError::DeliveryNotFound(delivery_id.to_owned());
        let delivery = self.delivery(account, delivery_id).await?;
        let endpoint = self.find_endpoint(account, &delivery.endpoint_id).await?;
        let SentDelivery { summary, body } = self.store.find_sent(delivery_id).await?.ok_or_else(unknown)?;
        let attempts = self.store.list_attempts(delivery_id).await?;
        Ok(DeliveryView { summary, body, attempts, endpoint })
    }

    /// How many deliveries to the account's endpoints, or to one of them, are due or in flight, up to 10,001.
    pub async fn count_due(&self, account: &Account, endpoint_id: Option<&str>) -> Result<u64, ManageError> {
        Ok(self.store.count_due(&account.id, endpoint_id, self.clock.steady()).await?)
    }

    /// How many deliveries [`App::redeliver_matching`] would send again.
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

    /// Sends again, once each, the newest deliveries that match and that failed, at most [`MAX_REDELIVERED`] of them, where
    /// their endpoints are active. Returns how many are due for it.
    pub async fn redeliver_matching(&self, account: &Account, filter: &DeliveryFilter) -> Result<u64, ManageError> {
        self.active_endpoints(account, filter).await?;
        let change = (Action::Redelivered, filter.endpoint_id.as_deref());
        let audited = self.audited(&account.id, change, Some(&described(filter)));
        let (mut count, mut after) = (0, None);
        for _ in 0..MAX_BATCHES {
            // One entry of the audit trail tells of all of them.
            let store = if count == 0 { &audited } else { &self.store };
            let now = self.clock.steady();
            let page = PageRequest { limit: batch_limit(count), ..batch(after) };
            let redelivered = store.redeliver_matching(&account.id, filter, &page, now).await?;
            // Sending begins while the next ones are found.
            self.wakeups.deliveries.notify_one();
            count += redelivered.count;
            after = redelivered.next;
            if after.is_none() || count >= MAX_REDELIVERED {
                break;
            }
        }
        Ok(count)
    }

    /// The ids of the endpoints that match and are active, after the filter was checked.
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

/// How many of a batch are wanted after so many.
fn batch_limit(count: u64) -> u32 {
    let left = MAX_REDELIVERED.saturating_sub(count);
    u32::try_from(left).unwrap_or(u32::MAX).min(REDELIVERED_AT_ONCE)
}

fn batch(after: Option<PageKey>) -> PageRequest {
    PageRequest { after, limit: REDELIVERED_AT_ONCE }
}

/// The filter as the audit trail tells of it.
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
    fn the_last_batch_makes_due_no_more_than_may_be_sent_again() {
        let limits = [0, MAX_REDELIVERED - 501, MAX_REDELIVERED - 499, MAX_REDELIVERED - 1, MAX_REDELIVERED];
        assert_eq!(limits.map(batch_limit), [500, 500, 499, 1, 0]);
    }
}
