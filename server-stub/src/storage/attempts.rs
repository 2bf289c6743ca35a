//! Records attempts, many in few round trips. `domain` has decided what follows an attempt. `endpoint_record` updates the
//! health of endpoints.

use std::sync::Arc;

use crate::domain::delivery::DeliveryPlace;
use crate::domain::store::{AttemptRecord, LeaseOutcome, Result};

use super::endpoint_record::EndpointRecords;
use super::sql::{BatchStatement, Session, to_json, values};
use super::store::Store;

impl Store {
    /// Records attempts and what follows from each, all or none. Returns [`LeaseOutcome::Lost`] for those whose lease is
    /// lost.
    pub async fn record_attempts(&self, records: Arc<[AttemptRecord]>) -> Result<Vec<LeaseOutcome>> {
        self.write_exclusive(move |session| record(session, &records)).await
    }
}

/// Records the attempts of deliveries that are still leased under their tokens. Returns a lost lease for the others.
fn record(session: &mut dyn Session, records: &[AttemptRecord]) -> Result<Vec<LeaseOutcome>> {
    // All transactions lock endpoints before deliveries, so they do not deadlock.
    let mut endpoints = EndpointRecords::lock(session, records.iter().map(|one| one.delivery.endpoint_id.as_str()))?;
    let mut outcomes = vec![LeaseOutcome::Lost; records.len()];
    retry_or_end(session, records, &mut outcomes)?;
    let recorded = records.iter().zip(&outcomes).filter(|(_, outcome)| **outcome == LeaseOutcome::Recorded);
    let recorded: Vec<_> = recorded.map(|(record, _)| record).collect();
    insert(session, &recorded)?;
    for record in recorded {
        endpoints.add(record);
    }
    endpoints.write(session)?;
    Ok(outcomes)
}

/// Keeps deliveries with another attempt in the queue, and removes the others. Changes only those that are still leased under
/// their tokens, and sets their outcomes.
fn retry_or_end(session: &mut dyn Session, records: &[AttemptRecord], outcomes: &mut [LeaseOutcome]) -> Result<()> {
    let (mut retries, mut retried, mut ends, mut ended) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (number, AttemptRecord { delivery, decision, .. }) in records.iter().enumerate() {
        let place = DeliveryPlace::after_attempt(*decision, delivery.resume);
        if let Some(run_at) = place.run_at {
            retries.push(values![&delivery.id, &delivery.lease_token, run_at].to_vec());
            retried.push(number);
        } else {
            ends.push(values![&delivery.id, &delivery.lease_token].to_vec());
            ended.push((number, place.status));
        }
    }
    for (number, is_leased) in retried.into_iter().zip(session.update_batch(&RETRY, &retries)?) {
        if is_leased {
            outcomes[number] = LeaseOutcome::Recorded;
        }
    }
    let mut statuses = Vec::new();
    session.query_batch(&REMOVE_FROM_QUEUE, &ends, &mut |of_end, row| {
        let (number, status) = ended[of_end];
        outcomes[number] = LeaseOutcome::Recorded;
        statuses.push(values![&records[number].delivery.id, status.as_str(), row.number::<u32>()?].to_vec());
        Ok(())
    })?;
    session.execute_batch(&END, &statuses)
}

const RETRY: BatchStatement = BatchStatement {
    sqlite_each: "UPDATE delivery_queue SET kind = 'scheduled', lease_token = NULL, resume_at = NULL, run_at = $3
         WHERE delivery_id = $1 AND lease_token = $2",
    postgres_all: "UPDATE delivery_queue
         SET kind = 'scheduled', lease_token = NULL, resume_at = NULL, run_at = input.run_at
         FROM unnest($1::text[], $2::text[], $3::int8[]) WITH ORDINALITY AS input (id, lease_token, run_at, number)
         WHERE delivery_id = input.id AND delivery_queue.lease_token = input.lease_token
         RETURNING input.number",
};

const REMOVE_FROM_QUEUE: BatchStatement = BatchStatement {
    sqlite_each: "DELETE FROM delivery_queue WHERE delivery_id = $1 AND lease_token = $2 RETURNING attempts",
    postgres_all: "DELETE FROM delivery_queue
         USING unnest($1::text[], $2::text[]) WITH ORDINALITY AS input (id, lease_token, number)
         WHERE delivery_id = input.id AND delivery_queue.lease_token = input.lease_token
         RETURNING input.number, attempts",
};

const END: BatchStatement = BatchStatement {
    sqlite_each: "UPDATE deliveries SET status = $2, attempts = $3 WHERE id = $1",
    postgres_all: "UPDATE deliveries SET status = input.status, attempts = input.attempts
         FROM unnest($1::text[], $2::text[], $3::int8[]) AS input (id, status, attempts)
         WHERE deliveries.id = input.id",
};

fn insert(session: &mut dyn Session, records: &[&AttemptRecord]) -> Result<()> {
    let headers: Vec<_> = records
        .iter()
        .map(|one| (to_json(&one.attempt.response_headers), to_json(&one.attempt.request_headers)))
        .collect();
    let inputs: Vec<_> = records
        .iter()
        .zip(&headers)
        .map(|(AttemptRecord { delivery, attempt, .. }, (response_headers, request_headers))| {
            values![
                &delivery.id,
                delivery.number,
                delivery.kind.as_str(),
                attempt.started_at,
                i64::try_from(attempt.duration_ms).unwrap_or(i64::MAX),
                attempt.response_status,
                &attempt.error,
                attempt.retry_after.map(|pause| i64::try_from(pause.as_millis()).unwrap_or(i64::MAX)),
                response_headers,
                attempt.response_head.as_ref(),
                request_headers,
            ]
            .to_vec()
        })
        .collect();
    session.execute_batch(&INSERT, &inputs)
}

const INSERT: BatchStatement = BatchStatement {
    sqlite_each: "INSERT INTO attempts (delivery_id, number, kind, started_at, duration_ms, response_status, error,
            retry_after_ms, response_headers, response_head, request_headers)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    postgres_all: "INSERT INTO attempts (delivery_id, number, kind, started_at, duration_ms, response_status, error,
            retry_after_ms, response_headers, response_head, request_headers)
         SELECT * FROM unnest($1::text[], $2::int8[], $3::text[], $4::int8[], $5::int8[], $6::int8[], $7::text[],
            $8::int8[], $9::text[], $10::text[], $11::text[])",
};
