//! Updates the health of endpoints after attempts, once per endpoint. `domain` contains the rules.

use std::collections::BTreeMap;

use crate::domain::clock::Timestamp;
use crate::domain::delivery::AttemptKind;
use crate::domain::endpoint_health::EndpointHealth;
use crate::domain::hook::AttemptDecision;
use crate::domain::store::{AttemptRecord, Result};

use super::endpoints::{health, health_columns};
use super::sql::{BatchStatement, Session, values};

/// The endpoints of some attempts, by id.
pub(super) struct EndpointRecords<'a>(BTreeMap<&'a str, EndpointRecord>);

/// The health of an endpoint, and its changes.
#[derive(Default)]
struct EndpointRecord {
    health: EndpointHealth,
    last_success_at: Option<Timestamp>,
    last_failure_at: Option<Timestamp>,
    is_gone: bool,
    should_disable: bool,
}

impl<'a> EndpointRecords<'a> {
    /// Locks these endpoints and reads their health. All transactions lock them in the order of their ids, so they do not
    /// deadlock.
    pub(super) fn lock(session: &mut dyn Session, endpoint_ids: impl Iterator<Item = &'a str>) -> Result<Self> {
        let mut records: BTreeMap<_, _> = endpoint_ids.map(|id| (id, EndpointRecord::default())).collect();
        let inputs: Vec<_> = records.keys().map(|id| values![*id].to_vec()).collect();
        let mut known = Vec::with_capacity(inputs.len());
        session.query_batch(&LOCK_HEALTH, &inputs, &mut |number, row| {
            known.push((number, health(row)?));
            Ok(())
        })?;
        let mut known = known.into_iter().peekable();
        for (number, record) in records.values_mut().enumerate() {
            // An endpoint that was removed in the meantime has no row and no deliveries.
            if let Some((_, health)) = known.next_if(|(of, _)| *of == number) {
                record.health = health;
            }
        }
        Ok(Self(records))
    }

    /// Adds an attempt.
    pub(super) fn add(&mut self, AttemptRecord { delivery, decision, decided_at: now, .. }: &AttemptRecord) {
        let Some(endpoint) = self.0.get_mut(delivery.endpoint_id.as_str()) else { return };
        match decision {
            AttemptDecision::Succeeded => {
                endpoint.last_success_at = Some(now.wall);
                endpoint.health = EndpointHealth::default();
            }
            // 410: the receiver wants no further events.
            AttemptDecision::Gone => {
                endpoint.last_failure_at = Some(now.wall);
                endpoint.is_gone = true;
            }
            // The receiver works, but refuses this message.
            AttemptDecision::Aborted => {}
            AttemptDecision::RetryAt(_) | AttemptDecision::Exhausted => {
                // Count the event as exhausted once, however many manual attempts follow.
                let is_exhausted = *decision == AttemptDecision::Exhausted && delivery.kind == AttemptKind::Scheduled;
                let health = std::mem::take(&mut endpoint.health);
                endpoint.health = health.after_failure(&delivery.event_id, is_exhausted, now.steady);
                endpoint.last_failure_at = Some(now.wall);
                endpoint.should_disable |= endpoint.health.should_disable(now.steady);
            }
        }
    }

    /// Writes the new health. Disables an endpoint that is gone or has failed for days. Discards waiting deliveries of an
    /// endpoint that is gone; keeps those of a failing one.
    pub(super) fn write(&self, session: &mut dyn Session) -> Result<()> {
        let changed = self.0.iter().filter(|(_, one)| one.last_success_at.or(one.last_failure_at).is_some());
        let inputs: Vec<_> = changed
            .map(|(id, one)| {
                values![
                    *id,
                    one.last_success_at,
                    one.last_failure_at,
                    one.health.failing_since,
                    &one.health.failing_event_id,
                    one.health.failed_for_distant_events,
                    one.health.failed_attempts,
                    one.health.exhausted,
                    one.is_gone,
                    one.should_disable,
                ]
                .to_vec()
            })
            .collect();
        session.execute_batch(&WRITE_HEALTH, &inputs)?;
        let inputs: Vec<_> =
            self.0.iter().filter(|(_, one)| one.is_gone).map(|(id, _)| values![*id].to_vec()).collect();
        session.execute_batch(&DISCARD_DELIVERIES, &inputs)
    }
}

const LOCK_HEALTH: BatchStatement = BatchStatement {
    sqlite_each: concat!("SELECT ", health_columns!(), " FROM hook_endpoints WHERE id = $1"),
    postgres_all: concat!(
        "SELECT input.number, ",
        health_columns!(),
        " FROM unnest($1::text[]) WITH ORDINALITY AS input (endpoint_id, number)
         JOIN hook_endpoints ON hook_endpoints.id = input.endpoint_id
         ORDER BY input.number FOR NO KEY UPDATE OF hook_endpoints"
    ),
};

const WRITE_HEALTH: BatchStatement = BatchStatement {
    sqlite_each: "UPDATE hook_endpoints
         SET last_success_at = coalesce($2, last_success_at), last_failure_at = coalesce($3, last_failure_at),
            failing_since = $4, failing_event_id = $5, is_spread = $6, failed_attempts = $7, exhausted = $8,
            disabled_reason = CASE WHEN $9 = 1 THEN 'gone' WHEN $10 = 1 AND status = 'active' THEN 'failing'
                ELSE disabled_reason END,
            status = CASE WHEN $9 = 1 OR ($10 = 1 AND status = 'active') THEN 'disabled' ELSE status END
         WHERE id = $1",
    postgres_all: "UPDATE hook_endpoints
         SET last_success_at = coalesce(succeeded_at, last_success_at),
            last_failure_at = coalesce(failed_at, last_failure_at),
            failing_since = input.failing_since, failing_event_id = input.failing_event_id,
            is_spread = input.is_spread, failed_attempts = input.failed_attempts, exhausted = input.exhausted,
            disabled_reason = CASE WHEN is_gone = 1 THEN 'gone' WHEN should_disable = 1 AND status = 'active' THEN 'failing'
                ELSE disabled_reason END,
            status = CASE WHEN is_gone = 1 OR (should_disable = 1 AND status = 'active') THEN 'disabled' ELSE status END
         FROM unnest($1::text[], $2::int8[], $3::int8[], $4::int8[], $5::text[], $6::int8[], $7::int8[], $8::int8[],
                $9::int8[], $10::int8[])
            AS input (id, succeeded_at, failed_at, failing_since, failing_event_id, is_spread, failed_attempts,
                exhausted, is_gone, should_disable)
         WHERE hook_endpoints.id = input.id",
};

const DISCARD_DELIVERIES: BatchStatement = BatchStatement {
    sqlite_each: "UPDATE deliveries
         SET run_at = NULL, lease_token = NULL, kind = 'scheduled', resume_status = NULL, resume_at = NULL,
            status = CASE WHEN coalesce(resume_status, 'pending') = 'pending' THEN 'failed' ELSE resume_status END
         WHERE endpoint_id = $1 AND run_at IS NOT NULL",
    postgres_all: "UPDATE deliveries
         SET run_at = NULL, lease_token = NULL, kind = 'scheduled', resume_status = NULL, resume_at = NULL,
            status = CASE WHEN coalesce(resume_status, 'pending') = 'pending' THEN 'failed' ELSE resume_status END
         WHERE endpoint_id = ANY($1::text[]) AND run_at IS NOT NULL",
};
