//! [`DeliveryLog`] on a database.

use async_trait::async_trait;

use crate::domain::clock::{Moment, Timestamp};
use crate::domain::delivery::{DeliverySummary, LoggedAttempt, LoggedDelivery};
use crate::domain::store::{
    DeliveryFilter, DeliveryLog, PageRequest, RedeliveredBatch, Redelivery, Result, SearchPage, SentDelivery,
};
use crate::storage::backend::{Backend, Hint};
use crate::storage::sql::Session;
use crate::storage::statements::{delivery_search, log, redelivery};

use super::SqlStore;

#[async_trait]
impl<B: Backend> DeliveryLog for SqlStore<B> {
    async fn find_delivery(&self, delivery_id: &str) -> Result<Option<LoggedDelivery>> {
        let delivery_id = delivery_id.to_owned();
        self.backend.read_few(move |session| log::delivery(session, &delivery_id)).await
    }

    async fn find_delivery_of(&self, endpoint_id: &str, event_id: &str) -> Result<Option<LoggedDelivery>> {
        let (endpoint_id, event_id) = (endpoint_id.to_owned(), event_id.to_owned());
        self.backend.read_few(move |session| log::delivery_of(session, &endpoint_id, &event_id)).await
    }

    async fn list_deliveries(&self, endpoint_id: &str, page: &PageRequest) -> Result<Vec<LoggedDelivery>> {
        let (endpoint_id, page) = (endpoint_id.to_owned(), page.clone());
        self.backend.read_many(move |session| log::deliveries(session, &endpoint_id, &page)).await
    }

    async fn list_attempts(&self, delivery_id: &str) -> Result<Vec<LoggedAttempt>> {
        let delivery_id = delivery_id.to_owned();
        self.backend.read_many(move |session| log::attempts(session, &delivery_id)).await
    }

    async fn find_deliveries(
        &self,
        account_id: &str,
        filter: &DeliveryFilter,
        page: &PageRequest,
    ) -> Result<SearchPage<DeliverySummary>> {
        let (account_id, filter, page) = (account_id.to_owned(), filter.clone(), page.clone());
        self.backend.read_many(move |session| delivery_search::find(session, &account_id, &filter, &page)).await
    }

    async fn find_sent(&self, delivery_id: &str) -> Result<Option<SentDelivery>> {
        let delivery_id = delivery_id.to_owned();
        self.backend.read_many(move |session| log::sent(session, &delivery_id)).await
    }

    async fn count_due(&self, account_id: &str, endpoint_id: Option<&str>, now: Timestamp) -> Result<u64> {
        let (account_id, endpoint_id) = (account_id.to_owned(), endpoint_id.map(str::to_owned));
        let count = move |session: &mut dyn Session| log::due(session, &account_id, endpoint_id.as_deref(), now);
        self.backend.read_many(count).await
    }

    async fn redeliver_matching(
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
        let batch = self.write_alone(work).await?;
        self.backend.hint(Hint::Deliveries);
        Ok(batch)
    }

    async fn redeliver(&self, delivery_id: &str, due_at: Timestamp) -> Result<Redelivery> {
        let delivery_id = delivery_id.to_owned();
        let outcome = self.write_alone(move |session| redelivery::redeliver(session, &delivery_id, due_at)).await?;
        self.backend.hint(Hint::Deliveries);
        Ok(outcome)
    }

    async fn recover_deliveries(&self, endpoint_id: &str, since: Timestamp, now: Moment) -> Result<u64> {
        let endpoint_id = endpoint_id.to_owned();
        let recovered = self.write_alone(move |session| redelivery::recover(session, &endpoint_id, since, now)).await?;
        self.backend.hint(Hint::Deliveries);
        Ok(recovered)
    }
}
