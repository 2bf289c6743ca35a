//! Locks endpoints, and updates their health after attempts, once per endpoint. `domain::endpoint_health` contains the rules.

use std::collections::BTreeMap;

use crate::domain::endpoint_health::{DisabledReason, EndpointRecord};
use crate::domain::hook::EndpointStatus;
use crate::domain::store::{AttemptRecord, Result};

use super::endpoints::{health, health_columns};
use super::sql::{BatchStatement, Session, values};

/// The endpoints of some attempts, by id.
pub(super) struct EndpointRecords<'a>(BTreeMap<&'a str, EndpointRecord>);

impl<'a> EndpointRecords<'a> {
    /// Locks these endpoints and reads their health. All transactions lock them in the order of their ids, so they do not
    /// deadlock.
    pub(super) fn lock(session: &mut dyn Session, endpoint_ids: impl Iterator<Item = &'a str>) -> Result<Self> {
        let mut records: BTreeMap<_, _> = endpoint_ids.map(|id| (id, EndpointRecord::default())).collect();
        let inputs: Vec<_> = records.keys().map(|id| values![*id].to_vec()).collect();
        let mut in_order: Vec<_> = records.values_mut().collect();
        // An endpoint that was removed in the meantime has no row and no deliveries.
        session.query_batch(&LOCK_HEALTH, &inputs, &mut |number, row| {
            // A status that only a newer version knows counts as inactive.
            in_order[number].is_active = EndpointStatus::parse(row.str()?) == Some(EndpointStatus::Active);
            in_order[number].health = health(row)?;
            Ok(())
        })?;
        Ok(Self(records))
    }

    /// Adds an attempt.
    pub(super) fn add(&mut self, AttemptRecord { delivery, decision, decided_at, .. }: &AttemptRecord) {
        if let Some(endpoint) = self.0.get_mut(delivery.endpoint_id.as_str()) {
            endpoint.add(*decision, delivery.kind, &delivery.event_id, *decided_at);
        }
    }

    /// Writes the changes. Discards waiting deliveries of an endpoint that is gone.
    pub(super) fn write(&self, session: &mut dyn Session) -> Result<()> {
        let changed = self.0.iter().filter(|(_, one)| one.has_changed());
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
                    one.disabled.map(|_| EndpointStatus::Disabled.as_str()),
                    one.disabled.map(DisabledReason::as_str),
                ]
                .to_vec()
            })
            .collect();
        session.execute_batch(&WRITE_HEALTH, &inputs)?;
        let gone = self.0.iter().filter(|(_, one)| one.disabled == Some(DisabledReason::Gone));
        let inputs: Vec<_> = gone.map(|(id, _)| values![*id].to_vec()).collect();
        let mut discarded = Vec::new();
        session.query_batch(&REMOVE_FROM_QUEUE, &inputs, &mut |_, row| {
            discarded.push((row.text()?, row.number::<u32>()?));
            Ok(())
        })?;
        let inputs: Vec<_> = discarded.iter().map(|(id, attempts)| values![id, *attempts].to_vec()).collect();
        session.execute_batch(&DISCARD, &inputs)
    }
}

const LOCK_HEALTH: BatchStatement = BatchStatement {
    sqlite_each: concat!("SELECT status, ", health_columns!(), " FROM hook_endpoints WHERE id = $1"),
    postgres_all: concat!(
        "SELECT input.number, status, ",
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
            status = coalesce($9, status), disabled_reason = coalesce($10, disabled_reason)
         WHERE id = $1",
    postgres_all: "UPDATE hook_endpoints
         SET last_success_at = coalesce(succeeded_at, last_success_at),
            last_failure_at = coalesce(failed_at, last_failure_at),
            failing_since = input.failing_since, failing_event_id = input.failing_event_id,
            is_spread = input.is_spread, failed_attempts = input.failed_attempts, exhausted = input.exhausted,
            status = coalesce(input.status, hook_endpoints.status),
            disabled_reason = coalesce(input.disabled_reason, hook_endpoints.disabled_reason)
         FROM unnest($1::text[], $2::int8[], $3::int8[], $4::int8[], $5::text[], $6::int8[], $7::int8[], $8::int8[],
                $9::text[], $10::text[])
            AS input (id, succeeded_at, failed_at, failing_since, failing_event_id, is_spread, failed_attempts,
                exhausted, status, disabled_reason)
         WHERE hook_endpoints.id = input.id",
};

const REMOVE_FROM_QUEUE: BatchStatement = BatchStatement {
    sqlite_each: "DELETE FROM delivery_queue WHERE endpoint_id = $1 RETURNING delivery_id, attempts",
    postgres_all: "DELETE FROM delivery_queue
         USING unnest($1::text[]) WITH ORDINALITY AS input (endpoint_id, number)
         WHERE delivery_queue.endpoint_id = input.endpoint_id
         RETURNING input.number, delivery_id, attempts",
};

/// Ends deliveries as [`DeliveryPlace`](crate::domain::delivery::DeliveryPlace) decides for each.
const DISCARD: BatchStatement = BatchStatement {
    sqlite_each: "UPDATE deliveries SET status = coalesce(nullif(status, 'pending'), 'failed'), attempts = $2 WHERE id = $1",
    postgres_all: "UPDATE deliveries
         SET status = coalesce(nullif(status, 'pending'), 'failed'), attempts = input.attempts
         FROM unnest($1::text[], $2::int8[]) AS input (id, attempts)
         WHERE deliveries.id = input.id",
};
