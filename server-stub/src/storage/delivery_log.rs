//! [`DeliveryLog`] on a database.

use crate::domain::clock::{Moment, Timestamp};
use crate::domain::delivery::{DeliverySummary, LoggedAttempt, LoggedDelivery};
use crate::domain::store::{
    DeliveryFilter, PageRequest, RedeliveredBatch, Redelivery, Result, SearchPage, SentDelivery,
};
use crate::storage::hint::Hint;
use crate::storage::sql::Session;
use crate::storage::statements::{delivery_search, log, redelivery};

use super::store::Store;

impl Store {
    /// The delivery, whoever owns its endpoint.
    pub async fn find_delivery(&self, delivery_id: &str) -> Result<Option<LoggedDelivery>> {
        let delivery_id = delivery_id.to_owned();
        self.read_few(move |session| log::delivery(session, &delivery_id)).await
    }

    /// The endpoint's delivery of that event.
    pub async fn find_delivery_of(&self, endpoint_id: &str, event_id: &str) -> Result<Option<LoggedDelivery>> {
        let (endpoint_id, event_id) = (endpoint_id.to_owned(), event_id.to_owned());
        self.read_few(move |session| log::delivery_of(session, &endpoint_id, &event_id)).await
    }

    /// A page of an endpoint's deliveries, newest first.
    pub async fn list_deliveries(&self, endpoint_id: &str, page: &PageRequest) -> Result<Vec<LoggedDelivery>> {
        let (endpoint_id, page) = (endpoint_id.to_owned(), page.clone());
        self.read_many(move |session| log::deliveries(session, &endpoint_id, &page)).await
    }

    /// The attempts of a delivery, oldest first.
    pub async fn list_attempts(&self, delivery_id: &str) -> Result<Vec<LoggedAttempt>> {
        let delivery_id = delivery_id.to_owned();
        self.read_many(move |session| log::attempts(session, &delivery_id)).await
    }

    /// A page of the account's deliveries.
    pub async fn find_deliveries(
        &self,
        account_id: &str,
        filter: &DeliveryFilter,
        page: &PageRequest,
    ) -> Result<SearchPage<DeliverySummary>> {
        let (account_id, filter, page) = (account_id.to_owned(), filter.clone(), page.clone());
        self.read_many(move |session| delivery_search::find(session, &account_id, &filter, &page)).await
    }

    /// The delivery as lists show it, with what is sent: the bytes, as long as its endpoint's settings stay.
    pub async fn find_sent(&self, delivery_id: &str) -> Result<Option<SentDelivery>> {
        let delivery_id = delivery_id.to_owned();
        self.read_many(move |session| log::sent(session, &delivery_id)).await
    }

    /// How many deliveries to the account's active endpoints, or to one of its endpoints in any state, are due or in flight; counted up to
    /// 10,001.
    pub async fn count_due(&self, account_id: &str, endpoint_id: Option<&str>, now: Timestamp) -> Result<u64> {
        let (account_id, endpoint_id) = (account_id.to_owned(), endpoint_id.map(str::to_owned));
        let count = move |session: &mut dyn Session| log::due(session, &account_id, endpoint_id.as_deref(), now);
        self.read_many(count).await
    }

    /// Makes those of the page due at once that failed, for one attempt each beside the schedule, where the endpoint is
    /// active. What is being sent, or was asked for already, is left alone.
    pub async fn redeliver_matching(
        &self,
        account_id: &str,
        filter: &DeliveryFilter,
        page: &PageRequest,
        due_at: Timestamp,
    ) -> Result<RedeliveredBatch> {
        let (account_id, filter, page) = (account_id.to_owned(), filter.clone(), page.clone());
        let work = move |session: &mut dyn Session| {
            redelivery::redeliver_matching(session, &account_id, &filter, &page, due_at)
        };
        let batch = self.change_alone(work).await?;
        self.hint(Hint::Deliveries);
        Ok(batch)
    }

    /// Makes a delivery due at once for one attempt beside the schedule.
    pub async fn redeliver(&self, delivery_id: &str, due_at: Timestamp) -> Result<Redelivery> {
        let delivery_id = delivery_id.to_owned();
        let outcome = self.change_alone(move |session| redelivery::redeliver(session, &delivery_id, due_at)).await?;
        self.hint(Hint::Deliveries);
        Ok(outcome)
    }

    /// Makes due what the endpoint missed since then: what was given up, for one attempt each, and what happened
    /// while it was not active; at most 10,000 of each. Returns how many.
    pub async fn recover_deliveries(&self, endpoint_id: &str, since: Timestamp, now: Moment) -> Result<u64> {
        let endpoint_id = endpoint_id.to_owned();
        let recovered =
            self.change_alone(move |session| redelivery::recover(session, &endpoint_id, since, now)).await?;
        self.hint(Hint::Deliveries);
        Ok(recovered)
    }
}
