//! Statements about deliveries: claiming them and recording attempts. What follows an attempt was decided in `domain`.

use crate::domain::clock::Timestamp;
use crate::domain::delivery::AttemptKind;
use crate::domain::endpoint_health::EndpointHealth;
use crate::domain::hook::{Attempt, AttemptDecision, DeliveryStatus};
use crate::domain::store::{ClaimedDelivery, Fenced, Places, Result};
use crate::storage::sql::{Session, Value, to_json, values};

use super::claims::lease_token;
use super::endpoints::{FormerSecret, HEALTH, health};
use super::jobs::fenced;

/// A claimed delivery whose secrets are still sealed, newest first.
pub(in crate::storage) struct SealedDelivery {
    pub(in crate::storage) delivery: ClaimedDelivery,
    pub(in crate::storage) secrets: Vec<String>,
}

pub(in crate::storage) fn claim(
    session: &mut dyn Session,
    limit: u32,
    places: &Places,
    now: Timestamp,
    lease_until: Timestamp,
) -> Result<Vec<SealedDelivery>> {
    // Processes claim one after the other, or two could each fill an endpoint's places.
    session.lock("deliveries")?;
    let mut due = Vec::new();
    for (endpoint_id, health) in waiting_endpoints(session, now)? {
        if places.free(&endpoint_id, 0) > 0 {
            let at_most = if health.is_failing(now) { 1 } else { u32::MAX };
            due.append(&mut due_for(session, &endpoint_id, places, at_most, now)?);
        }
    }
    // Whoever has the least on its way comes first, then the oldest: receivers that hang take no place that another needs.
    due.sort_unstable();
    due.truncate(limit as usize);
    let ids: Vec<_> = due.into_iter().map(|(_, _, id)| (id, lease_token())).collect();
    take(session, &ids, now, lease_until)
}

/// The active endpoints with something that is due. Each step jumps over all deliveries of one endpoint, so that the backlog
/// of a receiver that is down costs nothing.
fn waiting_endpoints(session: &mut dyn Session, now: Timestamp) -> Result<Vec<(String, EndpointHealth)>> {
    session.rows(
        &format!(
            "WITH RECURSIVE waiting (endpoint_id) AS (
                SELECT min(endpoint_id) FROM deliveries WHERE run_at IS NOT NULL
                UNION ALL
                SELECT (SELECT min(endpoint_id) FROM deliveries
                        WHERE run_at IS NOT NULL AND endpoint_id > waiting.endpoint_id)
                FROM waiting WHERE waiting.endpoint_id IS NOT NULL)
             SELECT id, {HEALTH} FROM waiting JOIN hook_endpoints ON hook_endpoints.id = waiting.endpoint_id
             WHERE status = 'active' AND ?1 >= (SELECT min(run_at) FROM deliveries
                WHERE deliveries.endpoint_id = hook_endpoints.id AND run_at IS NOT NULL)"
        ),
        values![now],
        |row| Ok((row.text()?, health(row)?)),
    )
}

/// What is due for one endpoint, each with how many are then on their way; as many as it has places for, and with those in flight no more than `at_most`.
fn due_for(
    session: &mut dyn Session,
    endpoint_id: &str,
    places: &Places,
    at_most: u32,
    now: Timestamp,
) -> Result<Vec<(u32, i64, String)>> {
    // The plus sign keeps SQLite from walking over every retry that waits for its time.
    let in_flight = session.number(
        "SELECT count(*) FROM deliveries WHERE endpoint_id = ?1 AND lease_token IS NOT NULL AND +run_at > ?2",
        values![endpoint_id, now],
    )?;
    let mut in_flight = u32::try_from(in_flight).unwrap_or(u32::MAX);
    let free = places.free(endpoint_id, in_flight).min(at_most.saturating_sub(in_flight));
    session.rows(
        "SELECT run_at, id FROM deliveries WHERE endpoint_id = ?1 AND run_at <= ?2 ORDER BY run_at, id LIMIT ?3
         /*pg FOR UPDATE SKIP LOCKED */",
        values![endpoint_id, now, free],
        |row| {
            in_flight = in_flight.saturating_add(1);
            Ok((in_flight, row.number()?, row.text()?))
        },
    )
}

fn take(
    session: &mut dyn Session,
    ids: &[(String, String)],
    now: Timestamp,
    lease_until: Timestamp,
) -> Result<Vec<SealedDelivery>> {
    // An attempt whose outcome nobody recorded, or that somebody asked for, is none of the schedule's.
    let rows: Vec<_> = ids.iter().map(|(id, token)| values![id, token, lease_until].to_vec()).collect();
    session.execute_many(
        "UPDATE deliveries SET run_at = ?3, lease_token = ?2,
            attempts = attempts + CASE WHEN lease_token IS NULL AND kind = 'scheduled' THEN 1 ELSE 0 END
         WHERE id = ?1",
        &rows,
    )?;
    let rows: Vec<_> = ids.iter().map(|(id, _)| values![id].to_vec()).collect();
    let mut taken = Vec::with_capacity(ids.len());
    session.query_many(
        "SELECT attempts, kind, event_id, endpoint_id, url,
            CASE WHEN include_content = 1 THEN coalesce(body_with_content, body) ELSE body END,
            secret, former_secrets
         FROM deliveries
         JOIN events ON events.id = deliveries.event_id
         JOIN hook_endpoints ON hook_endpoints.id = deliveries.endpoint_id
         WHERE deliveries.id = ?1",
        &rows,
        &mut |number, row| {
            let (id, lease_token) = ids[number].clone();
            let delivery = ClaimedDelivery {
                id,
                lease_token,
                number: row.number::<u32>()?.max(1),
                kind: row.named(AttemptKind::parse)?,
                event_id: row.text()?,
                endpoint_id: row.text()?,
                url: row.text()?,
                body: row.bytes()?,
                secrets: Vec::new(),
            };
            let mut secrets = vec![row.text()?];
            let former = row.json::<Vec<FormerSecret>>()?;
            secrets.extend(former.into_iter().filter(|one| one.until > now.millis()).map(|one| one.secret));
            taken.push(SealedDelivery { delivery, secrets });
            Ok(())
        },
    )?;
    Ok(taken)
}

/// An attempt and what follows from it.
#[derive(Clone)]
pub(in crate::storage) struct Recorded {
    pub(in crate::storage) delivery: ClaimedDelivery,
    pub(in crate::storage) attempt: Attempt,
    pub(in crate::storage) decision: AttemptDecision,
    pub(in crate::storage) now: Timestamp,
}

/// Records attempts whose deliveries are still leased under their tokens; the rest is lost to whoever took them.
pub(in crate::storage) fn record_all(session: &mut dyn Session, attempts: &[Recorded]) -> Result<Vec<Fenced>> {
    let rows: Vec<_> = attempts.iter().map(outcome_row).collect();
    // A failed attempt that somebody asked for leaves the delivery as it was before, unless nothing more may be sent.
    let changed = session.execute_many(
        "UPDATE deliveries SET kind = 'scheduled', lease_token = NULL, resume_status = NULL, resume_at = NULL,
            status = CASE WHEN resume_status IS NULL OR ?5 = 1 OR (?6 = 1 AND resume_status = 'pending')
                THEN ?3 ELSE resume_status END,
            run_at = CASE WHEN resume_status IS NULL OR ?5 = 1 OR (?6 = 1 AND resume_status = 'pending')
                THEN ?4 ELSE resume_at END
         WHERE id = ?1 AND lease_token = ?2",
        &rows,
    )?;
    let recorded: Vec<_> = changed.into_iter().map(fenced).collect();
    let mut ours: Vec<_> =
        attempts.iter().zip(&recorded).filter(|(_, fenced)| **fenced == Fenced::Recorded).map(|(one, _)| one).collect();
    insert_attempts(session, &ours)?;
    // Everybody comes to the endpoints in the same order, or two could wait for each other for ever.
    ours.sort_by(|one, other| one.delivery.endpoint_id.cmp(&other.delivery.endpoint_id));
    for of_endpoint in ours.chunk_by(|one, other| one.delivery.endpoint_id == other.delivery.endpoint_id) {
        record_at_endpoint(session, of_endpoint)?;
    }
    Ok(recorded)
}

/// The parameters of a delivery's new state.
fn outcome_row(recorded: &Recorded) -> Vec<Value<'_>> {
    let Recorded { delivery, decision, .. } = recorded;
    let (status, run_at) = match *decision {
        AttemptDecision::Succeeded => (DeliveryStatus::Succeeded, None),
        AttemptDecision::RetryAt(retry_at) => (DeliveryStatus::Pending, Some(retry_at)),
        AttemptDecision::Exhausted => (DeliveryStatus::Exhausted, None),
        AttemptDecision::Aborted | AttemptDecision::Gone => (DeliveryStatus::Failed, None),
    };
    let is_success = *decision == AttemptDecision::Succeeded;
    let is_end = matches!(decision, AttemptDecision::Aborted | AttemptDecision::Gone);
    values![&delivery.id, &delivery.lease_token, status.as_str(), run_at, is_success, is_end].to_vec()
}

/// Notes how one endpoint fares. A success forgets the failures before it, so those are not looked at.
fn record_at_endpoint(session: &mut dyn Session, attempts: &[&Recorded]) -> Result<()> {
    let is_success = |one: &&Recorded| one.decision == AttemptDecision::Succeeded;
    let last_success = attempts.iter().rposition(is_success);
    for (number, Recorded { delivery, decision, now, .. }) in attempts.iter().enumerate() {
        let is_forgotten = last_success.is_some_and(|last| number < last);
        match decision {
            AttemptDecision::Gone => record_gone(session, &delivery.endpoint_id, *now)?,
            _ if is_forgotten => {}
            AttemptDecision::Succeeded => record_success(session, &delivery.endpoint_id, *now)?,
            // The receiver works: it only does not want this message.
            AttemptDecision::Aborted => {}
            AttemptDecision::RetryAt(_) => record_failure(session, delivery, false, *now)?,
            AttemptDecision::Exhausted => {
                // A message is used up once, however often somebody asks for one more attempt.
                record_failure(session, delivery, delivery.kind == AttemptKind::Scheduled, *now)?;
            }
        }
    }
    Ok(())
}

fn insert_attempts(session: &mut dyn Session, attempts: &[&Recorded]) -> Result<()> {
    let headers: Vec<_> = attempts.iter().map(|one| to_json(&one.attempt.response_headers)).collect();
    let rows: Vec<_> = attempts
        .iter()
        .zip(&headers)
        .map(|(Recorded { delivery, attempt, .. }, headers)| {
            values![
                &delivery.id,
                delivery.number,
                delivery.kind.as_str(),
                attempt.started_at,
                i64::try_from(attempt.duration_ms).unwrap_or(i64::MAX),
                attempt.response_status,
                &attempt.error,
                attempt.retry_after.map(|pause| i64::try_from(pause.as_millis()).unwrap_or(i64::MAX)),
                headers,
                &attempt.response_head,
            ]
            .to_vec()
        })
        .collect();
    session.execute_many(
        "INSERT INTO attempts (delivery_id, number, kind, started_at, duration_ms, response_status, error, retry_after_ms,
            response_headers, response_head)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        &rows,
    )?;
    Ok(())
}

fn record_success(session: &mut dyn Session, endpoint_id: &str, now: Timestamp) -> Result<()> {
    session.execute(
        "UPDATE hook_endpoints SET last_success_at = ?2, failing_since = NULL, failing_event_id = NULL, is_spread = 0,
            failed_attempts = 0, exhausted = 0
         WHERE id = ?1",
        values![endpoint_id, now],
    )?;
    Ok(())
}

/// The receiver said that it is gone for good: nothing more is sent there.
fn record_gone(session: &mut dyn Session, endpoint_id: &str, now: Timestamp) -> Result<()> {
    session.execute(
        "UPDATE hook_endpoints SET last_failure_at = ?2, status = 'disabled', disabled_reason = 'gone' WHERE id = ?1",
        values![endpoint_id, now],
    )?;
    session.execute(
        "UPDATE deliveries SET run_at = NULL, lease_token = NULL, kind = 'scheduled', resume_status = NULL,
            resume_at = NULL,
            status = CASE WHEN coalesce(resume_status, 'pending') = 'pending' THEN 'failed' ELSE resume_status END
         WHERE endpoint_id = ?1 AND run_at IS NOT NULL",
        values![endpoint_id],
    )?;
    Ok(())
}

/// Notes how the endpoint fares, and disables one that has failed for days. What waits for it is kept.
fn record_failure(
    session: &mut dyn Session,
    delivery: &ClaimedDelivery,
    is_exhausted: bool,
    now: Timestamp,
) -> Result<()> {
    let known = session.first(
        &format!("SELECT {HEALTH} FROM hook_endpoints WHERE id = ?1 /*pg FOR NO KEY UPDATE */"),
        values![&delivery.endpoint_id],
        health,
    )?;
    let health = known.unwrap_or_default().after_failure(&delivery.event_id, is_exhausted, now);
    session.execute(
        "UPDATE hook_endpoints SET last_failure_at = ?2, failing_since = ?3, failing_event_id = ?4, is_spread = ?5,
            failed_attempts = ?6, exhausted = ?7,
            disabled_reason = CASE WHEN ?8 = 1 AND status = 'active' THEN 'failing' ELSE disabled_reason END,
            status = CASE WHEN ?8 = 1 AND status = 'active' THEN 'disabled' ELSE status END
         WHERE id = ?1",
        values![
            &delivery.endpoint_id,
            now,
            health.failing_since,
            &health.failing_event_id,
            health.is_spread,
            health.failed_attempts,
            health.exhausted,
            health.is_given_up(now),
        ],
    )?;
    Ok(())
}
