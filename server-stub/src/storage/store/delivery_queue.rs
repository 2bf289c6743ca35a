//! [`DeliveryQueue`] on a database.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;

use crate::domain::clock::Timestamp;
use crate::domain::error_chain::ErrorChain;
use crate::domain::hook::HookSecret;
use crate::domain::store::{AttemptRecord, ClaimedDelivery, DeliveryQueue, EndpointCapacity, LeaseOutcome, Result};
use crate::storage::backend::{Backend, Hint};
use crate::storage::statements::{attempts, deliveries};

use super::SqlStore;

#[async_trait]
impl<B: Backend> DeliveryQueue for SqlStore<B> {
    async fn claim_deliveries(
        &self,
        limit: u32,
        capacity: &EndpointCapacity,
        now: Timestamp,
        lease_until: Timestamp,
    ) -> Result<Vec<ClaimedDelivery>> {
        let capacity = capacity.clone();
        let claimed = self
            .backend
            .write_alone(move |session| deliveries::claim(session, limit, &capacity, now, lease_until))
            .await?;
        Ok(self.opened(claimed))
    }

    async fn release_deliveries(&self, unsent: Arc<[ClaimedDelivery]>, now: Timestamp) -> Result<()> {
        self.backend.write_alone(move |session| deliveries::release(session, &unsent, now)).await?;
        self.backend.hint(Hint::Deliveries);
        Ok(())
    }

    async fn record_attempts(&self, records: Arc<[AttemptRecord]>) -> Result<Vec<LeaseOutcome>> {
        self.backend.write_alone(move |session| attempts::record(session, &records)).await
    }
}

impl<B: Backend> SqlStore<B> {
    /// Deliveries with their secrets, each endpoint's opened once.
    fn opened(&self, claimed: Vec<deliveries::SealedDelivery>) -> Vec<ClaimedDelivery> {
        let mut known: HashMap<String, Option<Vec<HookSecret>>> = HashMap::new();
        let open = |deliveries::SealedDelivery { mut delivery, secrets }| {
            let endpoint_id = &delivery.endpoint_id;
            if !known.contains_key(endpoint_id) {
                let opened = secrets.iter().map(|secret| self.cipher.open(endpoint_id, secret)).collect::<Result<_>>();
                // It cannot be signed, so it cannot be sent; the others can.
                let opened = opened.inspect_err(|error| {
                    let error = ErrorChain(error);
                    tracing::error!(%endpoint_id, %error, "hooks cannot be signed; rotate the secret of their endpoint");
                });
                known.insert(endpoint_id.clone(), opened.ok());
            }
            delivery.secrets = known.get(endpoint_id).cloned()??;
            Some(delivery)
        };
        claimed.into_iter().filter_map(open).collect()
    }
}
