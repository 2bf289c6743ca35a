//! [`DeliveryQueue`] on a database.

use std::collections::HashMap;
use std::sync::Arc;

use crate::domain::clock::{Moment, Timestamp};
use crate::domain::hook::{HookSecret, UnreadableSecret};
use crate::domain::store::{AttemptRecord, ClaimedDelivery, EndpointCapacity, LeaseOutcome, Queue, Result};
use crate::storage::hint::Hint;
use crate::storage::statements::{attempts, deliveries};

use super::store::Store;

impl Store {
    /// Claims up to `limit` due deliveries, for each endpoint as many as its capacity allows.
    pub async fn claim_deliveries(
        &self,
        limit: u32,
        capacity: &EndpointCapacity,
        now: Moment,
        lease_until: Timestamp,
    ) -> Result<Vec<ClaimedDelivery>> {
        let capacity = capacity.clone();
        let (claimed, unreadable) =
            self.write_alone(move |session| deliveries::claim(session, limit, &capacity, now, lease_until)).await?;
        self.unreadable_rows.add(Queue::Deliveries, &unreadable);
        Ok(self.opened(claimed))
    }

    /// Releases deliveries that were claimed and not sent, where their leases still hold. They are due at once, and it was no
    /// attempt.
    pub async fn release_deliveries(&self, unsent: Arc<[ClaimedDelivery]>, due_at: Timestamp) -> Result<()> {
        self.write_alone(move |session| deliveries::release(session, &unsent, due_at)).await?;
        self.hint(Hint::Deliveries);
        Ok(())
    }

    /// Records attempts and what follows from each, all or none. [`LeaseOutcome::Lost`] for those whose lease is lost.
    pub async fn record_attempts(&self, records: Arc<[AttemptRecord]>) -> Result<Vec<LeaseOutcome>> {
        self.write_alone(move |session| attempts::record(session, &records)).await
    }
}

impl Store {
    /// Deliveries with their secrets, each endpoint's opened once.
    fn opened(&self, claimed: Vec<deliveries::SealedDelivery>) -> Vec<ClaimedDelivery> {
        let mut known: HashMap<String, Result<Vec<HookSecret>, UnreadableSecret>> = HashMap::new();
        let open = |deliveries::SealedDelivery { mut delivery, secrets }| {
            let endpoint_id = &delivery.endpoint_id;
            if !known.contains_key(endpoint_id) {
                known.insert(endpoint_id.clone(), self.open_secrets(endpoint_id, &secrets));
            }
            delivery.secrets.clone_from(&known[endpoint_id]);
            delivery
        };
        claimed.into_iter().map(open).collect()
    }

    /// The secrets that sign, the newest first. Without the newest none does: a receiver may know only that one.
    fn open_secrets(&self, endpoint_id: &str, sealed: &[String]) -> Result<Vec<HookSecret>, UnreadableSecret> {
        let mut opened = sealed.iter().map(|secret| self.cipher.open(endpoint_id, secret));
        let newest = opened.next().unwrap_or(Err(UnreadableSecret)).inspect_err(|error| {
            tracing::error!(%endpoint_id, %error, "cannot sign the deliveries to an endpoint");
        })?;
        let former = opened.filter_map(|secret| {
            let warn = |_: &_| tracing::warn!(%endpoint_id, "cannot decrypt a former signing secret; it does not sign");
            secret.inspect_err(warn).ok()
        });
        Ok([newest].into_iter().chain(former).collect())
    }
}
