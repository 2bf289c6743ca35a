//! Statements that claim deliveries and release them. What came of sending them is in `attempts`.

use crate::domain::clock::Timestamp;
use crate::domain::delivery::AttemptKind;
use crate::domain::endpoint_health::EndpointHealth;
use crate::domain::store::{ClaimedDelivery, EndpointCapacity, Queue, Result};
use crate::storage::sql::{BatchStatement, Columns, Session, locking, values};

use super::endpoint_record::EndpointRecords;
use super::endpoints::{FormerSecret, health, health_columns};
use super::lease_token::lease_token;
use super::set_aside::{Unreadable, read_row, set_aside};

/// A claimed delivery. Its secrets are still sealed, the newest comes first.
pub(in crate::storage) struct SealedDelivery {
    pub(in crate::storage) delivery: ClaimedDelivery,
    pub(in crate::storage) secrets: Vec<String>,
}

pub(in crate::storage) fn claim(
    session: &mut dyn Session,
    limit: u32,
    capacity: &EndpointCapacity,
    now: Timestamp,
    lease_until: Timestamp,
) -> Result<(Vec<SealedDelivery>, Vec<Unreadable>)> {
    // Processes claim one after the other: two at once could together exceed an endpoint's capacity.
    session.lock("deliveries")?;
    let mut due = Vec::new();
    for (endpoint_id, health) in endpoints_with_due_deliveries(session, now)? {
        if capacity.free(&endpoint_id, 0) > 0 {
            let at_most = if health.is_failing(now) { 1 } else { u32::MAX };
            due.append(&mut due_for(session, &endpoint_id, capacity, (limit, at_most), now)?);
        }
    }
    // Endpoints with the fewest deliveries in flight come first, then the oldest deliveries. So receivers that hang do not
    // delay others.
    due.sort_unstable();
    due.truncate(limit as usize);
    let ids: Vec<_> = due.into_iter().map(|(_, _, id)| id).collect();
    let (claimed, unreadable) = read(session, &ids, now)?;
    lease(session, &claimed, lease_until)?;
    set_aside(session, Queue::Deliveries, &unreadable, now)?;
    Ok((claimed, unreadable))
}

/// The active endpoints with deliveries that are due. Each step of the recursion jumps over all deliveries of one endpoint, so
/// the backlog of a receiver that is down costs nothing. `ORDER BY` names the columns of the index `deliveries_due`, so that
/// neither database chooses an index that also holds what was delivered long ago.
fn endpoints_with_due_deliveries(session: &mut dyn Session, now: Timestamp) -> Result<Vec<(String, EndpointHealth)>> {
    session.rows(
        concat!(
            "WITH RECURSIVE waiting (endpoint_id) AS (
                SELECT (SELECT endpoint_id FROM deliveries
                        WHERE run_at IS NOT NULL ORDER BY endpoint_id, run_at, id LIMIT 1)
                UNION ALL
                SELECT (SELECT endpoint_id FROM deliveries
                        WHERE run_at IS NOT NULL AND endpoint_id > waiting.endpoint_id
                        ORDER BY endpoint_id, run_at, id LIMIT 1)
                FROM waiting WHERE waiting.endpoint_id IS NOT NULL)
             SELECT id, ",
            health_columns!(),
            " FROM waiting JOIN hook_endpoints ON hook_endpoints.id = waiting.endpoint_id
             WHERE status = 'active' AND $1 >= (SELECT run_at FROM deliveries
                WHERE deliveries.endpoint_id = hook_endpoints.id AND run_at IS NOT NULL
                ORDER BY endpoint_id, deliveries.run_at, deliveries.id LIMIT 1)"
        ),
        values![now],
        |row| Ok((row.text()?, health(row)?)),
    )
}

/// The due deliveries of one endpoint: how many would then be in flight, when it was due, its id. There are up to `limit`, as
/// many as the capacity allows, and with those in flight no more than `at_most`.
fn due_for(
    session: &mut dyn Session,
    endpoint_id: &str,
    capacity: &EndpointCapacity,
    (limit, at_most): (u32, u32),
    now: Timestamp,
) -> Result<Vec<(u32, i64, String)>> {
    // The plus sign keeps SQLite from walking over every retry that waits for its time.
    let in_flight = session.number(
        "SELECT count(*) FROM deliveries WHERE endpoint_id = $1 AND lease_token IS NOT NULL AND +run_at > $2",
        values![endpoint_id, now],
    )?;
    let mut in_flight = u32::try_from(in_flight).unwrap_or(u32::MAX);
    let free = capacity.free(endpoint_id, in_flight).min(at_most.saturating_sub(in_flight)).min(limit);
    session.rows(
        locking!(
            "SELECT run_at, id FROM deliveries WHERE endpoint_id = $1 AND run_at <= $2 ORDER BY run_at, id LIMIT $3";
            "FOR UPDATE SKIP LOCKED"
        ),
        values![endpoint_id, now, free],
        |row| {
            in_flight = in_flight.saturating_add(1);
            Ok((in_flight, row.number()?, row.text()?))
        },
    )
}

/// The deliveries as they are once they are claimed, and those that cannot be read.
fn read(session: &mut dyn Session, ids: &[String], now: Timestamp) -> Result<(Vec<SealedDelivery>, Vec<Unreadable>)> {
    let inputs: Vec<_> = ids.iter().map(|id| values![id].to_vec()).collect();
    let tokens: Vec<_> = ids.iter().map(|_| lease_token(session.randomness())).collect();
    let (mut readable, mut unreadable) = (Vec::with_capacity(ids.len()), Vec::new());
    session.query_batch(&READ, &inputs, &mut |number, row| {
        let (id, token) = (ids[number].clone(), tokens[number].clone());
        match read_row(&ids[number], sealed_delivery(row, id, token, now))? {
            Ok(delivery) => readable.push(delivery),
            Err(row) => unreadable.push(row),
        }
        Ok(())
    })?;
    Ok((readable, unreadable))
}

/// Reads the columns of `sealed_columns`.
fn sealed_delivery(row: &mut Columns<'_>, id: String, lease_token: String, now: Timestamp) -> Result<SealedDelivery> {
    let delivery = ClaimedDelivery {
        id,
        lease_token,
        number: row.number::<u32>()?.max(1),
        kind: row.named(AttemptKind::parse)?,
        event_id: row.text()?,
        endpoint_id: row.text()?,
        url: row.text()?,
        body: row.bytes()?.into(),
        secrets: Ok(Vec::new()),
    };
    let mut secrets = vec![row.text()?];
    let former = row.json::<Vec<FormerSecret>>()?;
    secrets.extend(former.into_iter().filter(|one| one.until > now.millis()).map(|one| one.secret));
    Ok(SealedDelivery { delivery, secrets })
}

fn lease(session: &mut dyn Session, claimed: &[SealedDelivery], lease_until: Timestamp) -> Result<()> {
    let claimed = claimed.iter().map(|one| &one.delivery);
    let inputs: Vec<_> = claimed.map(|one| values![&one.id, &one.lease_token, lease_until].to_vec()).collect();
    session.execute_batch(&LEASE, &inputs)
}

/// The attempts of a delivery once it is claimed. Only those of the schedule are counted: not one that follows a lapsed lease,
/// and not one that somebody asked for.
macro_rules! claimed_attempts {
    () => {
        "attempts + CASE WHEN deliveries.lease_token IS NULL AND kind = 'scheduled' THEN 1 ELSE 0 END"
    };
}

const LEASE: BatchStatement = BatchStatement {
    sqlite_each: concat!(
        "UPDATE deliveries SET run_at = $3, lease_token = $2, attempts = ",
        claimed_attempts!(),
        " WHERE id = $1"
    ),
    postgres_all: concat!(
        "UPDATE deliveries SET run_at = input.run_at, lease_token = input.lease_token, attempts = ",
        claimed_attempts!(),
        " FROM unnest($1::text[], $2::text[], $3::int8[]) AS input (id, lease_token, run_at)
         WHERE deliveries.id = input.id"
    ),
};

/// Ends the claims of deliveries that were not sent, where they still hold. The next claim gives them the same numbers again.
pub(in crate::storage) fn release(session: &mut dyn Session, unsent: &[ClaimedDelivery], now: Timestamp) -> Result<()> {
    // Endpoints are locked before deliveries here and everywhere else, so transactions do not deadlock.
    EndpointRecords::lock(session, unsent.iter().map(|one| one.endpoint_id.as_str()))?;
    let inputs: Vec<_> = unsent.iter().map(|one| values![&one.id, &one.lease_token, now].to_vec()).collect();
    session.execute_batch(&RELEASE, &inputs)
}

const RELEASE: BatchStatement = BatchStatement {
    sqlite_each: "UPDATE deliveries SET run_at = $3, lease_token = NULL,
            attempts = attempts - CASE WHEN kind = 'scheduled' THEN 1 ELSE 0 END
         WHERE id = $1 AND lease_token = $2",
    postgres_all: "UPDATE deliveries SET run_at = input.run_at, lease_token = NULL,
            attempts = attempts - CASE WHEN kind = 'scheduled' THEN 1 ELSE 0 END
         FROM unnest($1::text[], $2::text[], $3::int8[]) AS input (id, lease_token, run_at)
         WHERE deliveries.id = input.id AND deliveries.lease_token = input.lease_token",
};

macro_rules! sealed_columns {
    () => {
        concat!(
            claimed_attempts!(),
            ", kind, event_id, endpoint_id, url,
            CASE WHEN include_content = 1 THEN coalesce(body_with_content, body) ELSE body END,
            secret, former_secrets"
        )
    };
}

const READ: BatchStatement = BatchStatement {
    sqlite_each: concat!(
        "SELECT ",
        sealed_columns!(),
        " FROM deliveries
         JOIN events ON events.id = deliveries.event_id
         JOIN hook_endpoints ON hook_endpoints.id = deliveries.endpoint_id
         WHERE deliveries.id = $1"
    ),
    postgres_all: concat!(
        "SELECT input.number, ",
        sealed_columns!(),
        " FROM unnest($1::text[]) WITH ORDINALITY AS input (delivery_id, number)
         JOIN deliveries ON deliveries.id = input.delivery_id
         JOIN events ON events.id = deliveries.event_id
         JOIN hook_endpoints ON hook_endpoints.id = deliveries.endpoint_id
         ORDER BY input.number"
    ),
};
