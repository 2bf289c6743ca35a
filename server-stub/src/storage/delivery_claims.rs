//! Claims deliveries and releases them. `attempts` records their results.

use std::collections::HashMap;
use std::sync::Arc;

use crate::domain::clock::{Moment, Timestamp};
use crate::domain::delivery::{AttemptKind, DeliveryPlace};
use crate::domain::endpoint_capacity::EndpointCapacity;
use crate::domain::former_secret::FormerSecret;
use crate::domain::hook::{DeliveryStatus, HookSecret, UnreadableSecret};
use crate::domain::store::{ClaimedDelivery, Queue, Result};
use crate::wakeups::Announcement;

use super::endpoint_record::EndpointRecords;
use super::endpoints::{health, health_columns};
use super::lease_token::lease_token;
use super::set_aside::{Unreadable, read_row, set_aside};
use super::sql::{BatchStatement, Columns, ExclusiveSession, Session, Statement, values};
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
            self.write_exclusive(move |session| claim(session, limit, &capacity, now, lease_until)).await?;
        self.unreadable_rows.add(Queue::Deliveries, &unreadable);
        Ok(self.opened(claimed))
    }

    /// Releases deliveries that were claimed but not sent, if their leases still hold. They are due at `due_at`, and the
    /// claim does not count as an attempt.
    pub async fn release_deliveries(&self, unsent: Arc<[ClaimedDelivery]>, due_at: Timestamp) -> Result<()> {
        if self.write_exclusive(move |session| release(session, &unsent, due_at)).await? {
            self.announce(Announcement::DeliveryDue);
        }
        Ok(())
    }

    /// Returns the deliveries with their opened secrets. Opens the secrets of each endpoint once.
    fn opened(&self, claimed: Vec<SealedDelivery>) -> Vec<ClaimedDelivery> {
        let mut known: HashMap<String, Result<Vec<HookSecret>, UnreadableSecret>> = HashMap::new();
        let open = |SealedDelivery { mut delivery, secrets, .. }| {
            let endpoint_id = &delivery.endpoint_id;
            if !known.contains_key(endpoint_id) {
                known.insert(endpoint_id.clone(), self.open_secrets(endpoint_id, &secrets));
            }
            delivery.secrets.clone_from(&known[endpoint_id]);
            delivery
        };
        claimed.into_iter().map(open).collect()
    }

    /// Returns the signing secrets, newest first. If the newest cannot be opened, returns an error: the receiver may have
    /// no other secret.
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

/// A claimed delivery. Its secrets are still sealed, newest first.
pub(super) struct SealedDelivery {
    pub(super) delivery: ClaimedDelivery,
    pub(super) secrets: Vec<String>,
    /// Number of scheduled attempts, including this one.
    pub(super) attempts: u32,
}

fn claim(
    session: &mut dyn ExclusiveSession,
    limit: u32,
    capacity: &EndpointCapacity,
    now: Moment,
    lease_until: Timestamp,
) -> Result<(Vec<SealedDelivery>, Vec<Unreadable>)> {
    // Only one process claims at a time: two concurrent claims could together exceed an endpoint's capacity.
    session.lock("deliveries")?;
    let (mut endpoints, mut unreadable) = endpoints_with_due_deliveries(session, capacity, now.steady)?;
    // Every delivery comes after the first one of its endpoint. So only the first `limit` endpoints matter.
    endpoints.sort_unstable_by(|one, other| one.first.cmp(&other.first));
    endpoints.truncate(limit as usize);
    let mut due = due_deliveries(session, &endpoints, limit, now.steady)?;
    due.sort_unstable();
    due.truncate(limit as usize);
    let ids: Vec<_> = due.into_iter().map(|Place { id, .. }| id).collect();
    let (claimed, unreadable_deliveries) = lock_and_read(session, &ids, now)?;
    unreadable.extend(unreadable_deliveries);
    lease(session, &claimed, lease_until)?;
    set_aside(session, Queue::Deliveries, &unreadable, now.steady)?;
    Ok((claimed, unreadable))
}

/// Order of a due delivery. Endpoints with the fewest deliveries in flight come first, then the oldest deliveries. So slow
/// receivers do not delay others.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    /// Number of deliveries in flight to its endpoint if this one is sent.
    in_flight: u32,
    run_at: i64,
    id: String,
}

/// An endpoint that may receive deliveries.
struct DueEndpoint {
    id: String,
    /// Number of further deliveries that may be in flight.
    free: u32,
    /// Order of its first delivery.
    first: Place,
}

/// Returns the active endpoints that have due deliveries and free capacity. Each step of the recursion skips all deliveries of
/// one endpoint, so the backlog of an unavailable receiver costs nothing. If an endpoint cannot be read, its first delivery is
/// returned as unreadable. `ORDER BY` names the columns of the index `deliveries_due`. Otherwise the database might choose an
/// index that also contains finished deliveries.
fn endpoints_with_due_deliveries(
    session: &mut dyn Session,
    capacity: &EndpointCapacity,
    now: Timestamp,
) -> Result<(Vec<DueEndpoint>, Vec<Unreadable>)> {
    let (mut endpoints, mut unreadable) = (Vec::new(), Vec::new());
    session.query_statement(ENDPOINTS_WITH_DUE_DELIVERIES, values![now], &mut |row| {
        let (id, first_id, run_at, in_flight) = (row.text()?, row.text()?, row.number()?, row.number::<u32>()?);
        let health = match read_row(&first_id, health(row))? {
            Ok(health) => health,
            Err(row) => {
                unreadable.push(row);
                return Ok(());
            }
        };
        let free = capacity.free(&id, in_flight, health.is_failing(now));
        if free > 0 {
            let first = Place { in_flight: in_flight.saturating_add(1), run_at, id: first_id };
            endpoints.push(DueEndpoint { id, free, first });
        }
        Ok(())
    })?;
    Ok((endpoints, unreadable))
}

/// The first waiting delivery of each endpoint: the part of the query that both databases share. The plus sign keeps SQLite
/// from scanning all retries that are not due yet.
macro_rules! first_waiting {
    () => {
        concat!(
            "WITH RECURSIVE waiting (delivery_id) AS (
                SELECT (SELECT delivery_id FROM delivery_queue ORDER BY endpoint_id, run_at, delivery_id LIMIT 1)
                UNION ALL
                SELECT (SELECT delivery_id FROM delivery_queue
                        WHERE endpoint_id > (SELECT endpoint_id FROM delivery_queue WHERE delivery_id = waiting.delivery_id)
                        ORDER BY endpoint_id, run_at, delivery_id LIMIT 1)
                FROM waiting WHERE waiting.delivery_id IS NOT NULL)
             SELECT hook_endpoints.id, first.delivery_id, first.run_at,
                (SELECT count(*) FROM delivery_queue
                 WHERE endpoint_id = hook_endpoints.id AND lease_token IS NOT NULL AND +run_at > $1), ",
            health_columns!(),
            " FROM waiting "
        )
    };
}

/// By default, both databases read all due deliveries of an endpoint and check for each whether it is the first. `CROSS JOIN`
/// fixes the order of the tables in SQLite, and `OFFSET 0` keeps PostgreSQL from inlining the subquery.
const ENDPOINTS_WITH_DUE_DELIVERIES: Statement<'_> = Statement {
    sqlite: concat!(
        first_waiting!(),
        "CROSS JOIN delivery_queue AS first
         CROSS JOIN hook_endpoints
         WHERE first.delivery_id = waiting.delivery_id AND first.run_at <= $1
            AND hook_endpoints.id = first.endpoint_id AND hook_endpoints.status = 'active'"
    ),
    postgres: concat!(
        first_waiting!(),
        "CROSS JOIN LATERAL (
            SELECT delivery_id, endpoint_id, run_at FROM delivery_queue
            WHERE delivery_id = waiting.delivery_id OFFSET 0) AS first
         JOIN hook_endpoints ON hook_endpoints.id = first.endpoint_id
         WHERE first.run_at <= $1 AND hook_endpoints.status = 'active'"
    ),
};

/// Returns the due deliveries of these endpoints: for each endpoint up to its free capacity, and up to `limit`.
fn due_deliveries(
    session: &mut dyn Session,
    endpoints: &[DueEndpoint],
    limit: u32,
    now: Timestamp,
) -> Result<Vec<Place>> {
    let inputs: Vec<_> = endpoints.iter().map(|one| values![&one.id, now, one.free.min(limit)].to_vec()).collect();
    let mut next: Vec<_> = endpoints.iter().map(|one| one.first.in_flight).collect();
    let mut due = Vec::new();
    session.query_batch(&DUE_DELIVERIES, &inputs, &mut |number, row| {
        due.push(Place { in_flight: next[number], run_at: row.number()?, id: row.text()? });
        next[number] = next[number].saturating_add(1);
        Ok(())
    })?;
    Ok(due)
}

const DUE_DELIVERIES: BatchStatement = BatchStatement {
    sqlite_each: "SELECT run_at, delivery_id FROM delivery_queue
         WHERE endpoint_id = $1 AND run_at <= $2 ORDER BY run_at, delivery_id LIMIT $3",
    postgres_all: "SELECT input.number, due.run_at, due.delivery_id
         FROM unnest($1::text[], $2::int8[], $3::int8[]) WITH ORDINALITY AS input (endpoint_id, now, free, number)
         CROSS JOIN LATERAL (
            SELECT run_at, delivery_id FROM delivery_queue
            WHERE endpoint_id = input.endpoint_id AND run_at <= input.now
            ORDER BY run_at, delivery_id LIMIT input.free) AS due
         ORDER BY input.number, due.run_at, due.delivery_id",
};

/// Locks the deliveries and reads them with the numbers of their next attempts. Also returns those that cannot be read. Skips a
/// delivery that another transaction is changing; the next claim finds it.
fn lock_and_read(
    session: &mut dyn Session,
    ids: &[String],
    now: Moment,
) -> Result<(Vec<SealedDelivery>, Vec<Unreadable>)> {
    let inputs: Vec<_> = ids.iter().map(|id| values![id, now.steady].to_vec()).collect();
    let tokens: Vec<_> = ids.iter().map(|_| lease_token(session.randomness())).collect();
    let (mut readable, mut unreadable) = (Vec::with_capacity(ids.len()), Vec::new());
    session.query_batch(&READ, &inputs, &mut |number, row| {
        let (id, token) = (ids[number].clone(), tokens[number].clone());
        match read_row(&ids[number], sealed_delivery(row, id, token, now.wall))? {
            Ok(delivery) => readable.push(delivery),
            Err(row) => unreadable.push(row),
        }
        Ok(())
    })?;
    Ok((readable, unreadable))
}

/// Reads the columns of `sealed_columns`.
fn sealed_delivery(row: &mut Columns<'_>, id: String, lease_token: String, now: Timestamp) -> Result<SealedDelivery> {
    let (attempts, has_lapsed, kind) = (row.number()?, row.flag()?, row.named(AttemptKind::parse)?);
    let attempts = kind.attempts_after_claim(attempts, has_lapsed);
    let former = DeliveryPlace { status: row.named(DeliveryStatus::parse)?, run_at: row.maybe_time()? };
    let delivery = ClaimedDelivery {
        id,
        lease_token,
        number: attempts.max(1),
        kind,
        resume: (kind != AttemptKind::Scheduled).then_some(former),
        event_id: row.text()?,
        endpoint_id: row.text()?,
        url: row.text()?,
        body: row.bytes()?.into(),
        secrets: Ok(Vec::new()),
    };
    let mut secrets = vec![row.text()?];
    let former = row.json::<Vec<FormerSecret>>()?;
    secrets.extend(former.into_iter().filter(|one| one.signs(now)).map(|one| one.secret));
    Ok(SealedDelivery { delivery, secrets, attempts })
}

fn lease(session: &mut dyn Session, claimed: &[SealedDelivery], lease_until: Timestamp) -> Result<()> {
    let inputs: Vec<_> = claimed
        .iter()
        .map(|SealedDelivery { delivery, attempts, .. }| {
            values![&delivery.id, &delivery.lease_token, lease_until, *attempts].to_vec()
        })
        .collect();
    session.execute_batch(&LEASE, &inputs)
}

const LEASE: BatchStatement = BatchStatement {
    sqlite_each: "UPDATE delivery_queue SET run_at = $3, lease_token = $2, attempts = $4 WHERE delivery_id = $1",
    postgres_all:
        "UPDATE delivery_queue SET run_at = input.run_at, lease_token = input.lease_token, attempts = input.attempts
         FROM unnest($1::text[], $2::text[], $3::int8[], $4::int8[]) AS input (id, lease_token, run_at, attempts)
         WHERE delivery_id = input.id",
};

/// Ends the claims that still hold, and returns true if there are any. The next claim uses the same attempt numbers.
fn release(session: &mut dyn Session, unsent: &[ClaimedDelivery], due_at: Timestamp) -> Result<bool> {
    // All transactions lock endpoints before deliveries, so they do not deadlock.
    EndpointRecords::lock(session, unsent.iter().map(|one| one.endpoint_id.as_str()))?;
    let inputs: Vec<_> = unsent
        .iter()
        .map(|one| values![&one.id, &one.lease_token, due_at, u32::from(one.kind.counts())].to_vec())
        .collect();
    Ok(session.update_batch(&RELEASE, &inputs)?.contains(&true))
}

const RELEASE: BatchStatement = BatchStatement {
    sqlite_each: "UPDATE delivery_queue SET run_at = $3, lease_token = NULL, attempts = attempts - $4
         WHERE delivery_id = $1 AND lease_token = $2",
    postgres_all: "UPDATE delivery_queue SET run_at = input.run_at, lease_token = NULL, attempts = attempts - uncounted
         FROM unnest($1::text[], $2::text[], $3::int8[], $4::int8[]) WITH ORDINALITY
            AS input (id, lease_token, run_at, uncounted, number)
         WHERE delivery_id = input.id AND delivery_queue.lease_token = input.lease_token
         RETURNING input.number",
};

macro_rules! sealed_columns {
    () => {
        "queued.attempts, CASE WHEN lease_token IS NULL THEN 0 ELSE 1 END, kind, deliveries.status, resume_at, event_id,
            queued.endpoint_id, url,
            CASE WHEN include_content = 1 THEN coalesce(body_with_content, body) ELSE body END,
            secret, former_secrets"
    };
}

const READ: BatchStatement = BatchStatement {
    sqlite_each: concat!(
        "SELECT ",
        sealed_columns!(),
        " FROM delivery_queue AS queued
         JOIN deliveries ON deliveries.id = queued.delivery_id
         JOIN events ON events.id = deliveries.event_id
         JOIN hook_endpoints ON hook_endpoints.id = queued.endpoint_id
         WHERE queued.delivery_id = $1 AND run_at <= $2"
    ),
    postgres_all: concat!(
        "SELECT input.number, ",
        sealed_columns!(),
        " FROM unnest($1::text[], $2::int8[]) WITH ORDINALITY AS input (delivery_id, now, number)
         JOIN delivery_queue AS queued ON queued.delivery_id = input.delivery_id AND run_at <= input.now
         JOIN deliveries ON deliveries.id = queued.delivery_id
         JOIN events ON events.id = deliveries.event_id
         JOIN hook_endpoints ON hook_endpoints.id = queued.endpoint_id
         ORDER BY input.number FOR UPDATE OF queued SKIP LOCKED"
    ),
};
