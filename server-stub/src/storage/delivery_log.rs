//! Reads the log of deliveries and attempts.

use crate::domain::clock::Timestamp;
use crate::domain::delivery::{AttemptKind, DeliverySummary, LastAttempt, LoggedAttempt, LoggedDelivery};
use crate::domain::event::EventType;
use crate::domain::hook::DeliveryStatus;
use crate::domain::personal::Personal;
use crate::domain::store::{LeadEvent, PageKey, PageRequest, Result, SentDelivery};

use super::sql::{BatchStatement, Columns, Session, read, values};
use super::store::Store;

/// Maximum count of due deliveries; counting stops there.
const MAX_COUNTED: i64 = 10_001;

/// Deliveries with the columns in the order in which [`read_row`] reads them.
macro_rules! select_delivery {
    () => {
        "SELECT deliveries.id, event_id, type, endpoint_id, status, attempts, run_at, deliveries.created_at
         FROM delivery_states AS deliveries JOIN events ON events.id = deliveries.event_id"
    };
}

/// The columns in the order in which [`summary`] reads them, of deliveries joined with their events.
macro_rules! summary_columns {
    () => {
        "deliveries.id, deliveries.event_id, type, deliveries.endpoint_id, deliveries.status, deliveries.attempts,
            deliveries.run_at, deliveries.created_at, object_id,
            CASE WHEN deliveries.lease_token IS NULL THEN 0 ELSE 1 END, deliveries.kind"
    };
}

impl Store {
    /// Returns the delivery of any account.
    pub async fn find_delivery(&self, delivery_id: &str) -> Result<Option<LoggedDelivery>> {
        let delivery_id = delivery_id.to_owned();
        self.read_few(move |session| {
            session.first(concat!(select_delivery!(), " WHERE deliveries.id = $1"), values![&delivery_id], read_row)
        })
        .await
    }

    /// Returns the endpoint's delivery of that event.
    pub async fn find_delivery_of(&self, endpoint_id: &str, event_id: &str) -> Result<Option<LoggedDelivery>> {
        let (endpoint_id, event_id) = (endpoint_id.to_owned(), event_id.to_owned());
        self.read_few(move |session| {
            session.first(
                concat!(select_delivery!(), " WHERE endpoint_id = $1 AND event_id = $2"),
                values![&endpoint_id, &event_id],
                read_row,
            )
        })
        .await
    }

    /// Returns a page of an endpoint's deliveries, newest first.
    pub async fn list_deliveries(&self, endpoint_id: &str, page: &PageRequest) -> Result<Vec<LoggedDelivery>> {
        let (endpoint_id, page) = (endpoint_id.to_owned(), page.clone());
        self.read_many(move |session| {
            let (time, id) =
                page.after.as_ref().map_or((i64::MAX, ""), |after| (after.time.millis(), after.id.as_str()));
            session.rows(
                concat!(
                    select_delivery!(),
                    " WHERE endpoint_id = $1 AND (deliveries.created_at, deliveries.id) < ($2, $3)
                     ORDER BY deliveries.created_at DESC, deliveries.id DESC LIMIT $4"
                ),
                values![&endpoint_id, time, id, page.limit],
                read_row,
            )
        })
        .await
    }

    /// Returns the attempts of a delivery, oldest first.
    pub async fn list_attempts(&self, delivery_id: &str) -> Result<Vec<LoggedAttempt>> {
        let delivery_id = delivery_id.to_owned();
        self.read_many(move |session| {
            session.rows(
                "SELECT number, kind, started_at, duration_ms, response_status, error, response_headers, response_head,
                    request_headers
                 FROM attempts WHERE delivery_id = $1 ORDER BY number, id",
                values![&delivery_id],
                |row| {
                    Ok(LoggedAttempt {
                        number: row.number()?,
                        kind: row.named(AttemptKind::parse)?,
                        started_at: row.time()?,
                        duration_ms: row.number()?,
                        response_status: row.maybe_number()?,
                        error: row.maybe_text()?,
                        response_headers: row.json()?,
                        response_head: row.maybe_text()?.map(Personal::from),
                        request_headers: row.json()?,
                    })
                },
            )
        })
        .await
    }

    /// Returns the delivery as in lists, with the bytes that are sent under its endpoint's present settings.
    pub async fn find_sent(&self, delivery_id: &str) -> Result<Option<SentDelivery>> {
        let delivery_id = delivery_id.to_owned();
        self.read_many(move |session| {
            let found = session.first(
                concat!(
                    "SELECT ",
                    summary_columns!(),
                    ", CASE WHEN include_content = 1 THEN coalesce(body_with_content, body) ELSE body END
                     FROM delivery_states AS deliveries
                     JOIN events ON events.id = deliveries.event_id
                     JOIN hook_endpoints ON hook_endpoints.id = deliveries.endpoint_id
                     WHERE deliveries.id = $1"
                ),
                values![&delivery_id],
                |row| Ok(SentDelivery { summary: summary(row)?, body: row.bytes()?.into() }),
            )?;
            let Some(mut sent) = found else { return Ok(None) };
            add_last_attempts(session, std::slice::from_mut(&mut sent.summary))?;
            Ok(Some(sent))
        })
        .await
    }

    /// Counts the due and in-flight deliveries to the account's active endpoints, or to one endpoint in any state. The
    /// maximum is 10,001.
    pub async fn count_due(&self, account_id: &str, endpoint_id: Option<&str>, now: Timestamp) -> Result<u64> {
        let (account_id, endpoint_id) = (account_id.to_owned(), endpoint_id.map(str::to_owned));
        let count = move |session: &mut dyn Session| due(session, &account_id, endpoint_id.as_deref(), now);
        self.read_many(count).await
    }

    /// Returns the kept events about the lead, oldest first.
    pub async fn find_lead_events(&self, lead_id: &str) -> Result<Vec<LeadEvent>> {
        let lead_id = lead_id.to_owned();
        self.read_many(move |session| {
            let events = session.rows(
                "SELECT id, type, created_at FROM events
                 WHERE type IN ('lead.captured', 'lead.confirmed') AND object_id = $1 ORDER BY created_at, id",
                values![&lead_id],
                |row| Ok((row.text()?, row.named(EventType::parse)?, row.time()?)),
            )?;
            events.into_iter().map(|event| lead_event(session, event)).collect()
        })
        .await
    }
}

fn lead_event(
    session: &mut dyn Session,
    (id, event_type, created_at): (String, EventType, Timestamp),
) -> Result<LeadEvent> {
    let deliveries = session.rows(
        concat!(select_delivery!(), " WHERE event_id = $1 ORDER BY deliveries.created_at, deliveries.id"),
        values![&id],
        read_row,
    )?;
    let attempts = session.number(
        "SELECT count(*) FROM deliveries JOIN attempts ON attempts.delivery_id = deliveries.id WHERE event_id = $1",
        values![&id],
    )?;
    Ok(LeadEvent { id, event_type, created_at, deliveries, attempts: u64::try_from(attempts).unwrap_or_default() })
}

/// Reads the columns of `select_delivery`.
fn read_row(row: &mut Columns<'_>) -> Result<LoggedDelivery> {
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

/// Returns the deliveries as in lists, in this order.
pub(super) fn summaries(session: &mut dyn Session, keys: &[PageKey]) -> Result<Vec<DeliverySummary>> {
    let inputs: Vec<_> = keys.iter().map(|key| values![&key.id].to_vec()).collect();
    let mut rows = Vec::with_capacity(inputs.len());
    session.query_batch(&SUMMARIES, &inputs, &mut |_, row| {
        rows.push(summary(row)?);
        Ok(())
    })?;
    add_last_attempts(session, &mut rows)?;
    Ok(rows)
}

const SUMMARIES: BatchStatement = BatchStatement {
    sqlite_each: concat!(
        "SELECT ",
        summary_columns!(),
        " FROM delivery_states AS deliveries JOIN events ON events.id = deliveries.event_id WHERE deliveries.id = $1"
    ),
    postgres_all: concat!(
        "SELECT input.number, ",
        summary_columns!(),
        " FROM unnest($1::text[]) WITH ORDINALITY AS input (delivery_id, number)
         JOIN delivery_states AS deliveries ON deliveries.id = input.delivery_id
         JOIN events ON events.id = deliveries.event_id
         ORDER BY input.number"
    ),
};

/// Reads the columns of `summary_columns`. The caller adds the last attempts, for few rows at once.
fn summary(row: &mut Columns<'_>) -> Result<DeliverySummary> {
    Ok(DeliverySummary {
        delivery: read_row(row)?,
        object_id: row.text()?,
        is_in_flight: row.flag()?,
        next_kind: row.named(AttemptKind::parse)?,
        last_attempt: None,
    })
}

/// Adds the result of the last attempt of each delivery.
fn add_last_attempts(session: &mut dyn Session, rows: &mut [DeliverySummary]) -> Result<()> {
    let inputs: Vec<_> = rows.iter().map(|row| values![&row.delivery.id].to_vec()).collect();
    let mut found = Vec::with_capacity(inputs.len());
    session.query_batch(&LAST_ATTEMPTS, &inputs, &mut |number, row| {
        let last =
            LastAttempt { started_at: row.time()?, response_status: row.maybe_number()?, error: row.maybe_text()? };
        found.push((number, last));
        Ok(())
    })?;
    for (number, last) in found {
        rows[number].last_attempt = Some(last);
    }
    Ok(())
}

const LAST_ATTEMPTS: BatchStatement = BatchStatement {
    sqlite_each: "SELECT started_at, response_status, error FROM attempts
         WHERE delivery_id = $1 ORDER BY number DESC, id DESC LIMIT 1",
    postgres_all: "SELECT input.number, last.started_at, last.response_status, last.error
         FROM unnest($1::text[]) WITH ORDINALITY AS input (delivery_id, number)
         CROSS JOIN LATERAL (
            SELECT started_at, response_status, error FROM attempts
            WHERE delivery_id = input.delivery_id ORDER BY attempts.number DESC, id DESC LIMIT 1) AS last
         ORDER BY input.number",
};

/// Counts the due and in-flight deliveries to the account's active endpoints, or to one endpoint in any state.
fn due(session: &mut dyn Session, account_id: &str, endpoint_id: Option<&str>, now: Timestamp) -> Result<u64> {
    let endpoints = session.rows(
        "SELECT id FROM hook_endpoints
         WHERE account_id = $1 AND (id = $2 OR CAST($2 AS TEXT) IS NULL AND status = 'active')",
        values![account_id, endpoint_id],
        read::text,
    )?;
    let inputs: Vec<_> = endpoints.iter().map(|endpoint_id| values![endpoint_id, now, MAX_COUNTED].to_vec()).collect();
    let mut due: u64 = 0;
    session.query_batch(&DUE, &inputs, &mut |_, row| {
        due += row.number::<u64>()? + row.number::<u64>()?;
        Ok(())
    })?;
    Ok(due.min(MAX_COUNTED.unsigned_abs()))
}

const DUE: BatchStatement = BatchStatement {
    sqlite_each: "SELECT
            (SELECT count(*) FROM (SELECT 1 FROM delivery_queue WHERE endpoint_id = $1 AND run_at <= $2 LIMIT $3)),
            (SELECT count(*) FROM delivery_queue WHERE endpoint_id = $1 AND lease_token IS NOT NULL AND run_at > $2)",
    postgres_all: "SELECT input.number,
            (SELECT count(*) FROM (
                SELECT 1 FROM delivery_queue AS queued WHERE queued.endpoint_id = input.endpoint_id AND run_at <= input.now
                LIMIT input.most) AS waiting),
            (SELECT count(*) FROM delivery_queue AS queued
             WHERE queued.endpoint_id = input.endpoint_id AND lease_token IS NOT NULL AND run_at > input.now)
         FROM unnest($1::text[], $2::int8[], $3::int8[]) WITH ORDINALITY AS input (endpoint_id, now, most, number)",
};
