//! Statements about hook endpoints and the deliveries to them. What follows an attempt was decided in `domain::hook`.

use bytes::Bytes;
use rusqlite::{Connection, named_params};

use crate::domain::clock::Timestamp;
use crate::domain::hook::{
    Attempt, AttemptDecision, DISABLED_AFTER, DeliveryStatus, HookEndpoint, HookSecret, MAX_ENDPOINTS,
};
use crate::domain::store::{ClaimedDelivery, Error, Fenced, Places, Result};

use super::claims::lease_token;
use super::error::unreadable;
use super::row::to_json;

pub(super) fn insert_endpoint(connection: &Connection, endpoint: &HookEndpoint) -> Result<()> {
    let existing: u32 = connection
        .prepare_cached("SELECT count(*) FROM hook_endpoints WHERE account_id = ?1")?
        .query_row([&endpoint.account_id], |row| row.get(0))?;
    if existing as usize >= MAX_ENDPOINTS {
        return Err(Error::LimitReached { limit: MAX_ENDPOINTS, what: "hook endpoints" });
    }
    connection
        .prepare_cached(
            "INSERT INTO hook_endpoints (id, account_id, url, events, website_id, description, secret, status,
                include_content, created_at)
             VALUES (:id, :account_id, :url, :events, :website_id, :description, :secret, :status, :include_content,
                :created_at)",
        )?
        .execute(named_params! {
            ":id": endpoint.id,
            ":account_id": endpoint.account_id,
            ":url": endpoint.url,
            ":events": to_json(&endpoint.events),
            ":website_id": endpoint.website_id,
            ":description": endpoint.description,
            ":secret": endpoint.secret.reveal(),
            ":status": endpoint.status.as_str(),
            ":include_content": endpoint.include_content,
            ":created_at": endpoint.created_at.millis(),
        })?;
    Ok(())
}

pub(super) fn remove_endpoint(connection: &Connection, endpoint_id: &str) -> Result<bool> {
    let removed = connection.prepare_cached("DELETE FROM hook_endpoints WHERE id = ?1")?.execute([endpoint_id])?;
    Ok(removed > 0)
}

pub(super) fn claim(
    connection: &Connection,
    limit: u32,
    places: &Places,
    now: Timestamp,
    lease_until: Timestamp,
) -> Result<Vec<ClaimedDelivery>> {
    let mut due = Vec::new();
    for endpoint_id in waiting_endpoints(connection)? {
        due.append(&mut due_for(connection, &endpoint_id, places, now)?);
    }
    // The oldest first, whosever they are.
    due.sort_unstable();
    due.truncate(limit as usize);
    due.iter().map(|(_, delivery_id)| take(connection, delivery_id, lease_until)).collect()
}

/// The active endpoints with something to send. Each step jumps over all deliveries of one endpoint, so that the backlog
/// of a receiver that is down costs nothing.
fn waiting_endpoints(connection: &Connection) -> Result<Vec<String>> {
    let mut statement = connection.prepare_cached(
        "WITH RECURSIVE waiting (endpoint_id) AS (
            SELECT min(endpoint_id) FROM deliveries WHERE run_at IS NOT NULL
            UNION ALL
            SELECT (SELECT min(endpoint_id) FROM deliveries
                    WHERE run_at IS NOT NULL AND endpoint_id > waiting.endpoint_id)
            FROM waiting WHERE waiting.endpoint_id IS NOT NULL)
         SELECT endpoint_id FROM waiting JOIN hook_endpoints ON hook_endpoints.id = waiting.endpoint_id
         WHERE status = 'active'",
    )?;
    let endpoints = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    Ok(endpoints)
}

/// What is due for one endpoint, as many as it may have in flight besides those that are.
fn due_for(connection: &Connection, endpoint_id: &str, places: &Places, now: Timestamp) -> Result<Vec<(i64, String)>> {
    // Without the named index SQLite would walk over every retry that waits for its time.
    let in_flight: u32 = connection
        .prepare_cached(
            "SELECT count(*) FROM deliveries INDEXED BY deliveries_leased
             WHERE endpoint_id = ?1 AND lease_token IS NOT NULL AND run_at > ?2",
        )?
        .query_row((endpoint_id, now.millis()), |row| row.get(0))?;
    let mut statement = connection.prepare_cached(
        "SELECT run_at, id FROM deliveries WHERE endpoint_id = ?1 AND run_at <= ?2 ORDER BY run_at, id LIMIT ?3",
    )?;
    let free = places.free(endpoint_id, in_flight);
    let due = statement.query_map((endpoint_id, now.millis(), free), |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(due.collect::<rusqlite::Result<_>>()?)
}

fn take(connection: &Connection, delivery_id: &str, lease_until: Timestamp) -> Result<ClaimedDelivery> {
    let lease_token = lease_token();
    connection
        .prepare_cached("UPDATE deliveries SET attempts = attempts + 1, run_at = ?2, lease_token = ?3 WHERE id = ?1")?
        .execute((delivery_id, lease_until.millis(), &lease_token))?;
    let mut statement = connection.prepare_cached(
        "SELECT attempts, event_id, endpoint_id, url, secret,
            CASE WHEN include_content THEN coalesce(body_with_content, body) ELSE body END AS body
         FROM deliveries
         JOIN events ON events.id = deliveries.event_id
         JOIN hook_endpoints ON hook_endpoints.id = deliveries.endpoint_id
         WHERE deliveries.id = ?1",
    )?;
    let mut rows = statement.query([delivery_id])?;
    let row = rows.next()?.ok_or(Error::MissingReference)?;
    let secret = row.get_ref("secret")?.as_str().map_err(rusqlite::Error::from)?;
    Ok(ClaimedDelivery {
        id: delivery_id.to_owned(),
        number: row.get("attempts")?,
        event_id: row.get("event_id")?,
        endpoint_id: row.get("endpoint_id")?,
        url: row.get("url")?,
        secrets: vec![HookSecret::parse(secret).ok_or_else(|| unreadable("secret"))?],
        body: Bytes::from(row.get::<_, Vec<u8>>("body")?),
        lease_token,
    })
}

pub(super) fn record(
    connection: &Connection,
    delivery: &ClaimedDelivery,
    attempt: &Attempt,
    decision: AttemptDecision,
    now: Timestamp,
) -> Result<Fenced> {
    let (status, run_at) = match decision {
        AttemptDecision::Succeeded => (DeliveryStatus::Succeeded, None),
        AttemptDecision::RetryAt(retry_at) => (DeliveryStatus::Pending, Some(retry_at.millis())),
        AttemptDecision::Exhausted => (DeliveryStatus::Exhausted, None),
        AttemptDecision::Gone | AttemptDecision::Aborted => (DeliveryStatus::Failed, None),
    };
    let changed = connection
        .prepare_cached(
            "UPDATE deliveries SET status = ?3, run_at = ?4, lease_token = NULL WHERE id = ?1 AND lease_token = ?2",
        )?
        .execute((&delivery.id, &delivery.lease_token, status.as_str(), run_at))?;
    if changed == 0 {
        return Ok(Fenced::Lost);
    }
    insert_attempt(connection, delivery, attempt)?;
    record_at_endpoint(connection, &delivery.endpoint_id, decision, now)?;
    Ok(Fenced::Recorded)
}

fn insert_attempt(connection: &Connection, delivery: &ClaimedDelivery, attempt: &Attempt) -> Result<()> {
    let retry_after = attempt.retry_after.map(|pause| i64::try_from(pause.as_millis()).unwrap_or(i64::MAX));
    connection
        .prepare_cached(
            "INSERT INTO attempts (delivery_id, number, started_at, duration_ms, response_status, error, retry_after_ms,
                response_head)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?
        .execute((
            &delivery.id,
            delivery.number,
            attempt.started_at.millis(),
            i64::try_from(attempt.duration_ms).unwrap_or(i64::MAX),
            attempt.response_status,
            &attempt.error,
            retry_after,
            &attempt.response_head,
        ))?;
    Ok(())
}

/// Notes how the endpoint fares, and disables one that is gone or has failed for days.
fn record_at_endpoint(
    connection: &Connection,
    endpoint_id: &str,
    decision: AttemptDecision,
    now: Timestamp,
) -> Result<()> {
    let now_millis = now.millis();
    if decision == AttemptDecision::Succeeded {
        connection
            .prepare_cached("UPDATE hook_endpoints SET last_success_at = ?2, failing_since = NULL WHERE id = ?1")?
            .execute((endpoint_id, now_millis))?;
        return Ok(());
    }
    let given_up = now.plus_millis(-i64::try_from(DISABLED_AFTER.as_millis()).unwrap_or(i64::MAX));
    connection
        .prepare_cached(
            "UPDATE hook_endpoints SET last_failure_at = ?2, failing_since = coalesce(failing_since, ?2),
                status = CASE WHEN ?3 OR failing_since <= ?4 THEN 'disabled' ELSE status END
             WHERE id = ?1",
        )?
        .execute((endpoint_id, now_millis, decision == AttemptDecision::Gone, given_up.millis()))?;
    if decision == AttemptDecision::Gone {
        connection
            .prepare_cached(
                "UPDATE deliveries SET status = 'failed', run_at = NULL, lease_token = NULL
                 WHERE endpoint_id = ?1 AND run_at IS NOT NULL",
            )?
            .execute([endpoint_id])?;
    }
    Ok(())
}
