//! Statements that record attempts, many in few round trips. What follows an attempt was decided in `domain`; how endpoints
//! fare is in `endpoint_record`.

use crate::domain::hook::{AttemptDecision, DeliveryStatus};
use crate::domain::store::{AttemptRecord, LeaseOutcome, Result};
use crate::storage::sql::{Session, to_json, values};

use super::endpoint_record::EndpointRecords;
use super::jobs::lease_outcome;

/// Records what is still leased under its token; the rest is lost to whoever took it.
pub(in crate::storage) fn record(session: &mut dyn Session, records: &[AttemptRecord]) -> Result<Vec<LeaseOutcome>> {
    // Before the deliveries: whoever ends all of an endpoint's deliveries has the endpoint first, too.
    let mut endpoints = EndpointRecords::lock(session, records.iter().map(|one| one.delivery.endpoint_id.as_str()))?;
    let rows: Vec<_> = records
        .iter()
        .map(|AttemptRecord { delivery, decision, .. }| {
            let (status, run_at) = match *decision {
                AttemptDecision::Succeeded => (DeliveryStatus::Succeeded, None),
                AttemptDecision::RetryAt(retry_at) => (DeliveryStatus::Pending, Some(retry_at)),
                AttemptDecision::Exhausted => (DeliveryStatus::Exhausted, None),
                AttemptDecision::Aborted | AttemptDecision::Gone => (DeliveryStatus::Failed, None),
            };
            let is_success = *decision == AttemptDecision::Succeeded;
            let is_end = matches!(decision, AttemptDecision::Aborted | AttemptDecision::Gone);
            values![&delivery.id, &delivery.lease_token, status.as_str(), run_at, is_success, is_end].to_vec()
        })
        .collect();
    // A failed attempt that somebody asked for leaves the delivery as it was before, unless nothing more may be sent.
    let changed = session.execute_many(
        "UPDATE deliveries SET kind = 'scheduled', lease_token = NULL, resume_status = NULL, resume_at = NULL,
            status = CASE WHEN resume_status IS NULL OR $5 = 1 OR ($6 = 1 AND resume_status = 'pending')
                THEN $3 ELSE resume_status END,
            run_at = CASE WHEN resume_status IS NULL OR $5 = 1 OR ($6 = 1 AND resume_status = 'pending')
                THEN $4 ELSE resume_at END
         WHERE id = $1 AND lease_token = $2"
            .into(),
        &rows,
    )?;
    let outcomes: Vec<_> = changed.into_iter().map(lease_outcome).collect();
    let recorded = records.iter().zip(&outcomes).filter(|(_, outcome)| **outcome == LeaseOutcome::Recorded);
    let recorded: Vec<_> = recorded.map(|(record, _)| record).collect();
    insert(session, &recorded)?;
    for record in recorded {
        endpoints.note(record);
    }
    endpoints.write(session)?;
    Ok(outcomes)
}

fn insert(session: &mut dyn Session, records: &[&AttemptRecord]) -> Result<()> {
    let headers: Vec<_> = records.iter().map(|one| to_json(&one.attempt.response_headers)).collect();
    let rows: Vec<_> = records
        .iter()
        .zip(&headers)
        .map(|(AttemptRecord { delivery, attempt, .. }, headers)| {
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
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)".into(),
        &rows,
    )?;
    Ok(())
}
