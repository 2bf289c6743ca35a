//! Makes deliveries due again: one delivery, all that an endpoint missed, or all failed ones that match a filter.

use crate::domain::clock::{Moment, Timestamp};
use crate::domain::delivery::{AttemptKind, DeliveryState, decide_redelivery};
use crate::domain::hook::EndpointStatus;
use crate::domain::id;
use crate::domain::store::{DeliveryFilter, PageRequest, RedeliveredBatch, Redelivery, Result, SearchPage};
use crate::wakeups::Announcement;

use super::endpoint_record::EndpointRecords;
use super::sql::{BatchStatement, ExclusiveSession, Session, Value, locking, read, values};
use super::store::Store;
use super::{delivery_search, events};

/// Maximum number of deliveries, and of events, in one recovery.
const MAX_RECOVERED: u32 = 10_000;

impl Store {
    /// Makes the failed deliveries of the page due at once, for one attempt each outside the schedule, if the endpoint is
    /// active. Skips deliveries that are being sent or are due again already.
    pub async fn redeliver_matching(
        &self,
        account_id: &str,
        filter: &DeliveryFilter,
        page: &PageRequest,
        due_at: Timestamp,
    ) -> Result<RedeliveredBatch> {
        let (account_id, filter, page) = (account_id.to_owned(), filter.clone(), page.clone());
        let batch = self
            .change_exclusive(move |session| redeliver_matching(session, &account_id, &filter, &page, due_at))
            .await?;
        if batch.count > 0 {
            self.announce(Announcement::DeliveryDue);
        }
        Ok(batch)
    }

    /// Makes a delivery due at once for one attempt outside the schedule.
    pub async fn redeliver(&self, delivery_id: &str, due_at: Timestamp) -> Result<Redelivery> {
        let delivery_id = delivery_id.to_owned();
        let outcome = self
            .change_exclusive(move |session| {
                let endpoint = "SELECT endpoint_id FROM deliveries WHERE id = $1";
                let endpoint_id = session.first(endpoint, values![&delivery_id], read::text)?;
                // Lock endpoints before their deliveries, so that transactions do not deadlock.
                EndpointRecords::lock(session, endpoint_id.as_deref().into_iter())?;
                let found = session.first(
                    locking!(
                        "SELECT lease_token, deliveries.kind, hook_endpoints.status FROM deliveries
                         JOIN hook_endpoints ON hook_endpoints.id = endpoint_id
                         WHERE deliveries.id = $1";
                        "FOR UPDATE OF deliveries"
                    ),
                    values![&delivery_id],
                    |row| {
                        Ok((
                            row.maybe_str()?.is_some(),
                            row.named(AttemptKind::parse)?,
                            row.named(EndpointStatus::parse)?,
                        ))
                    },
                )?;
                let Some((is_in_flight, kind, endpoint)) = found else { return Ok(Redelivery::NotFound) };
                let decision = decide_redelivery(is_in_flight, kind, endpoint);
                if decision == Redelivery::Queued {
                    session.execute_batch(&MAKE_DUE, &[due_now(&delivery_id, due_at)])?;
                }
                Ok(decision)
            })
            .await?;
        if outcome == Redelivery::Queued {
            self.announce(Announcement::DeliveryDue);
        }
        Ok(outcome)
    }

    /// Makes due what the endpoint missed since then: given-up deliveries, for one attempt each, and events from the time
    /// when it was inactive; at most 10,000 of each. Returns their number.
    pub async fn recover_deliveries(&self, endpoint_id: &str, since: Timestamp, now: Moment) -> Result<u64> {
        let endpoint_id = endpoint_id.to_owned();
        let recovered = self.change_exclusive(move |session| recover(session, &endpoint_id, since, now)).await?;
        if recovered > 0 {
            self.announce(Announcement::DeliveryDue);
        }
        Ok(recovered)
    }
}

/// Makes due what the endpoint missed since `since` and returns their number. Given-up deliveries receive one attempt each, and
/// events from the time when the endpoint was inactive receive deliveries.
fn recover(session: &mut dyn ExclusiveSession, endpoint_id: &str, since: Timestamp, now: Moment) -> Result<u64> {
    // Only one recovery of an endpoint runs at a time, so a second one sees which deliveries the first one made due.
    session.lock(&format!("recovery:{endpoint_id}"))?;
    // Lock endpoints before their deliveries, so that transactions do not deadlock.
    EndpointRecords::lock(session, std::iter::once(endpoint_id))?;
    let given_up = session.rows(
        locking!(
            "SELECT id FROM deliveries
             WHERE endpoint_id = $1 AND created_at >= $2 AND status IN ('failed', 'exhausted')
                AND EXISTS (SELECT 1 FROM events WHERE events.id = event_id AND type <> 'hook.test')
             ORDER BY created_at, id LIMIT $3";
            "FOR UPDATE"
        ),
        values![endpoint_id, since, MAX_RECOVERED],
        read::text,
    )?;
    let inputs: Vec<_> = given_up.iter().map(|id| due_now(id, now.steady)).collect();
    session.execute_batch(&MAKE_DUE, &inputs)?;
    let missed = events::missed(session, endpoint_id, since, MAX_RECOVERED)?;
    let ids: Vec<_> = missed.iter().map(|_| id::new(id::Kind::Delivery, now.wall, session.randomness())).collect();
    let inputs: Vec<_> = ids
        .iter()
        .zip(&missed)
        .map(|(id, event_id)| values![id, event_id, endpoint_id, now.wall, now.steady].to_vec())
        .collect();
    session.execute_batch(&events::INSERT_DELIVERIES, &inputs)?;
    Ok((given_up.len() + missed.len()) as u64)
}

/// Makes the failed deliveries of the page due, if their endpoints are active.
fn redeliver_matching(
    session: &mut dyn Session,
    account_id: &str,
    filter: &DeliveryFilter,
    page: &PageRequest,
    due_at: Timestamp,
) -> Result<RedeliveredBatch> {
    if !filter.state.is_some_and(DeliveryState::has_failed) {
        return Ok(RedeliveredBatch { count: 0, next: None });
    }
    // Lock endpoints before their deliveries, and in the order of their ids, so that transactions do not deadlock.
    let endpoints = session.rows(
        locking!(
            "SELECT id FROM hook_endpoints
             WHERE account_id = $1 AND status = 'active' AND (CAST($2 AS TEXT) IS NULL OR id = $2) ORDER BY id";
            "FOR NO KEY UPDATE"
        ),
        values![account_id, &filter.endpoint_id],
        read::text,
    )?;
    let SearchPage { rows: keys, next } = delivery_search::find_keys(session, account_id, &endpoints, filter, page)?;
    let inputs: Vec<_> = keys.iter().map(|key| due_now(&key.id, due_at)).collect();
    let are_due = session.update_batch(&REDELIVER_FAILED, &inputs)?;
    Ok(RedeliveredBatch { count: are_due.into_iter().filter(|is_due| *is_due).count() as u64, next })
}

/// Returns the values for a manual attempt.
fn due_now(delivery_id: &str, due_at: Timestamp) -> Vec<Value<'_>> {
    values![delivery_id, due_at, AttemptKind::Manual.as_str()].to_vec()
}

macro_rules! make_due {
    ($condition:literal) => {
        BatchStatement {
            sqlite_each: concat!(
                "UPDATE deliveries SET resume_status = status, resume_at = run_at, status = 'pending', run_at = $2, kind = $3
                 WHERE id = $1",
                $condition
            ),
            postgres_all: concat!(
                "UPDATE deliveries
                 SET resume_status = status, resume_at = deliveries.run_at, status = 'pending', run_at = input.run_at,
                    kind = input.kind
                 FROM unnest($1::text[], $2::int8[], $3::text[]) WITH ORDINALITY AS input (id, run_at, kind, number)
                 WHERE deliveries.id = input.id",
                $condition,
                " RETURNING input.number"
            ),
        }
    };
}

const MAKE_DUE: BatchStatement = make_due!("");
/// Changes only deliveries that failed and were not changed in the meantime.
const REDELIVER_FAILED: BatchStatement =
    make_due!(" AND lease_token IS NULL AND deliveries.kind = 'scheduled' AND status <> 'succeeded'");
