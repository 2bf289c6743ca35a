//! Statements that announce: the event and one delivery for each endpoint that wants it, inside the transaction of the
//! change that is announced. What is sent when is in `deliveries`.

use rusqlite::Connection;

use crate::domain::event::{Event, EventType};
use crate::domain::id;
use crate::domain::store::Result;

/// The active endpoints that want an event of type ?3 about website ?2 of account ?1.
const WANTING: &str = "FROM hook_endpoints
     WHERE account_id = ?1 AND status = 'active' AND (website_id IS NULL OR website_id = ?2)
       AND EXISTS (SELECT 1 FROM json_each(events) WHERE value = ?3)";

/// Whether any endpoint wants such an event.
pub(super) fn is_wanted(
    connection: &Connection,
    account_id: &str,
    website_id: &str,
    event_type: EventType,
) -> Result<bool> {
    let mut statement = connection.prepare_cached(&format!("SELECT 1 {WANTING} LIMIT 1"))?;
    Ok(statement.exists([account_id, website_id, event_type.as_str()])?)
}

/// Stores an event with its deliveries, which are due at once.
pub(super) fn insert(connection: &Connection, event: &Event) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO events (id, account_id, website_id, type, object_id, created_at, body, body_with_content)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?
        .execute((
            &event.id,
            &event.account_id,
            &event.website_id,
            event.event_type.as_str(),
            &event.object_id,
            event.created_at.millis(),
            event.body.as_ref(),
            event.body_with_content.as_deref(),
        ))?;
    let mut wanting = connection.prepare_cached(&format!("SELECT id {WANTING} ORDER BY id"))?;
    let mut endpoints = wanting.query([&event.account_id, &event.website_id, event.event_type.as_str()])?;
    while let Some(endpoint) = endpoints.next()? {
        let endpoint_id = endpoint.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?;
        connection
            .prepare_cached(
                "INSERT INTO deliveries (id, event_id, endpoint_id, status, attempts, created_at, run_at)
                 VALUES (?1, ?2, ?3, 'pending', 0, ?4, ?4)",
            )?
            .execute((
                id::new(id::Kind::Delivery, event.created_at),
                &event.id,
                endpoint_id,
                event.created_at.millis(),
            ))?;
    }
    Ok(())
}
