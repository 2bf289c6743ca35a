//! Statements that read the log of deliveries and attempts.

use crate::domain::delivery::{AttemptKind, LoggedAttempt, LoggedDelivery};
use crate::domain::event::EventType;
use crate::domain::hook::DeliveryStatus;
use crate::domain::personal::Personal;
use crate::domain::store::{LeadEvent, PageRequest, Result};
use crate::storage::sql::{Columns, Session, values};

/// Deliveries with the columns in the order in which [`read`] reads them.
macro_rules! select_delivery {
    () => {
        "SELECT deliveries.id, event_id, type, endpoint_id, status, attempts, run_at, deliveries.created_at
         FROM deliveries JOIN events ON events.id = deliveries.event_id"
    };
}

/// The delivery with that id.
pub(in crate::storage) fn delivery(session: &mut dyn Session, delivery_id: &str) -> Result<Option<LoggedDelivery>> {
    session.first(concat!(select_delivery!(), " WHERE deliveries.id = $1"), values![delivery_id], read)
}

/// The endpoint's delivery of that event.
pub(in crate::storage) fn delivery_of(
    session: &mut dyn Session,
    endpoint_id: &str,
    event_id: &str,
) -> Result<Option<LoggedDelivery>> {
    session.first(
        concat!(select_delivery!(), " WHERE endpoint_id = $1 AND event_id = $2"),
        values![endpoint_id, event_id],
        read,
    )
}

/// A page of an endpoint's deliveries, newest first.
pub(in crate::storage) fn deliveries(
    session: &mut dyn Session,
    endpoint_id: &str,
    page: &PageRequest,
) -> Result<Vec<LoggedDelivery>> {
    let (time, id) = page.after.as_ref().map_or((i64::MAX, ""), |after| (after.time.millis(), after.id.as_str()));
    session.rows(
        concat!(
            select_delivery!(),
            " WHERE endpoint_id = $1 AND (deliveries.created_at, deliveries.id) < ($2, $3)
             ORDER BY deliveries.created_at DESC, deliveries.id DESC LIMIT $4"
        ),
        values![endpoint_id, time, id, page.limit],
        read,
    )
}

/// The event that told of a lead, with its deliveries.
pub(in crate::storage) fn lead_event(session: &mut dyn Session, lead_id: &str) -> Result<Option<LeadEvent>> {
    let event = session.first(
        "SELECT id, created_at FROM events WHERE type = 'lead.captured' AND object_id = $1",
        values![lead_id],
        |row| Ok((row.text()?, row.time()?)),
    )?;
    let Some((id, created_at)) = event else { return Ok(None) };
    let deliveries = session.rows(
        concat!(select_delivery!(), " WHERE event_id = $1 ORDER BY deliveries.created_at, deliveries.id"),
        values![&id],
        read,
    )?;
    let attempts = session.number(
        "SELECT count(*) FROM deliveries JOIN attempts ON attempts.delivery_id = deliveries.id WHERE event_id = $1",
        values![&id],
    )?;
    Ok(Some(LeadEvent { id, created_at, deliveries, attempts: u64::try_from(attempts).unwrap_or_default() }))
}

/// Reads the columns of `select_delivery`.
fn read(row: &mut Columns<'_>) -> Result<LoggedDelivery> {
    Ok(LoggedDelivery {
        id: row.text()?,
        event_id: row.text()?,
        event_type: row.named(EventType::parse)?,
        endpoint_id: row.text()?,
        status: row.named(DeliveryStatus::parse)?,
        attempts: row.number()?,
        next_attempt_at: row.maybe_time()?,
        created_at: row.time()?,
    })
}

/// The attempts of a delivery, oldest first.
pub(in crate::storage) fn attempts(session: &mut dyn Session, delivery_id: &str) -> Result<Vec<LoggedAttempt>> {
    session.rows(
        "SELECT number, kind, started_at, duration_ms, response_status, error, response_headers, response_head
         FROM attempts WHERE delivery_id = $1 ORDER BY number, id",
        values![delivery_id],
        |row| {
            Ok(LoggedAttempt {
                number: row.number()?,
                kind: row.named(AttemptKind::parse)?,
                started_at: row.time()?,
                duration_ms: row.number()?,
                response_status: row.maybe_number()?,
                error: row.maybe_text()?,
                response_headers: row.maybe_json()?.unwrap_or_default(),
                response_head: row.maybe_text()?.map(Personal::from),
            })
        },
    )
}
