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
                let endpoint = session.first(
                    locking!(
                        "SELECT hook_endpoints.status FROM deliveries
                         JOIN hook_endpoints ON hook_endpoints.id = endpoint_id
                         WHERE deliveries.id = $1";
                        "FOR UPDATE OF deliveries"
                    ),
                    values![&delivery_id],
                    |row| row.named(EndpointStatus::parse),
                )?;
                let Some(endpoint) = endpoint else { return Ok(Redelivery::NotFound) };
                let queued = session.first(
                    locking!("SELECT lease_token, kind FROM delivery_queue WHERE delivery_id = $1"; "FOR UPDATE"),
                    values![&delivery_id],
                    |row| Ok((row.maybe_str()?.is_some(), row.named(AttemptKind::parse)?)),
                )?;
                let (is_in_flight, kind) = queued.unwrap_or((false, AttemptKind::Scheduled));
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
                AND NOT EXISTS (SELECT 1 FROM delivery_queue WHERE delivery_id = deliveries.id)
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
    let of_events: Vec<_> =
        ids.iter().zip(&missed).map(|(id, event_id)| (id.as_str(), event_id.as_str(), endpoint_id)).collect();
    events::insert_deliveries(session, &of_events, now.wall, now.steady)?;
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

/// Queues a delivery that has ended, and makes one due that waits for its next scheduled attempt. The lock keeps a delivery from being
/// purged before it is queued.
macro_rules! make_due {
    ($ended:literal, $waiting:literal) => {
        BatchStatement {
            sqlite_each: concat!(
                "INSERT INTO delivery_queue (delivery_id, endpoint_id, run_at, attempts, kind)
                 SELECT id, endpoint_id, $2, attempts, $3 FROM deliveries WHERE id = $1",
                $ended,
                make_waiting_due!(),
                $waiting
            ),
            postgres_all: concat!(
                "WITH input AS (
                    SELECT * FROM unnest($1::text[], $2::int8[], $3::text[]) WITH ORDINALITY AS input (id, run_at, kind, number)),
                 due AS (
                    INSERT INTO delivery_queue (delivery_id, endpoint_id, run_at, attempts, kind)
                    SELECT deliveries.id, endpoint_id, input.run_at, attempts, input.kind
                    FROM input JOIN deliveries ON deliveries.id = input.id",
                $ended,
                " FOR KEY SHARE OF deliveries",
                make_waiting_due!(),
                $waiting,
                " RETURNING delivery_id)
                 SELECT input.number FROM input JOIN due ON due.delivery_id = input.id"
            ),
        }
    };
}

macro_rules! make_waiting_due {
    () => {
        " ON CONFLICT (delivery_id) DO UPDATE
             SET resume_at = delivery_queue.run_at, run_at = excluded.run_at, kind = excluded.kind"
    };
}

const MAKE_DUE: BatchStatement = make_due!("", "");
/// Changes only deliveries that failed and were not changed in the meantime.
const REDELIVER_FAILED: BatchStatement = make_due!(
    " AND status <> 'succeeded'",
    " WHERE delivery_queue.lease_token IS NULL AND delivery_queue.kind = 'scheduled'"
);
