//! Statements about leads. When two captures are one lead is decided by `Lead::identity`.

use rusqlite::{Connection, Row, named_params};

use crate::domain::clock::Timestamp;
use crate::domain::event::Event;
use crate::domain::lead::Lead;
use crate::domain::store::{Captured, Result};

use super::events;
use super::row::{json, to_json};

pub(super) fn capture(connection: &Connection, lead: &Lead, event: &Event, same_since: Timestamp) -> Result<Captured> {
    let identity = lead.identity();
    if let Some(identity) = &identity {
        let is_known = connection
            .prepare_cached("SELECT 1 FROM leads WHERE identity = ?1 AND captured_at >= ?2 LIMIT 1")?
            .exists((identity, same_since.millis()))?;
        if is_known {
            return Ok(Captured::Duplicate);
        }
    }
    connection
        .prepare_cached(
            "INSERT INTO leads (id, account_id, website_id, article_id, identity, captured_at, body)
             VALUES (:id, :account_id, :website_id, :article_id, :identity, :captured_at, :body)",
        )?
        .execute(named_params! {
            ":id": lead.id,
            ":account_id": lead.account_id,
            ":website_id": lead.website_id,
            ":article_id": lead.article_id,
            ":identity": identity,
            ":captured_at": lead.captured_at.millis(),
            ":body": to_json(lead),
        })?;
    events::insert(connection, event)?;
    Ok(Captured::New)
}

pub(super) fn find(connection: &Connection, lead_id: &str) -> Result<Option<Lead>> {
    let mut statement = connection.prepare_cached("SELECT account_id, body FROM leads WHERE id = ?1")?;
    let mut rows = statement.query([lead_id])?;
    rows.next()?.map(lead).transpose()
}

/// Reads a row with `account_id` and `body` of `leads`.
pub(super) fn lead(row: &Row<'_>) -> Result<Lead> {
    let mut lead: Lead = json(row, "body")?;
    lead.account_id = row.get("account_id")?;
    Ok(lead)
}
