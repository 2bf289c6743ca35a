//! Statements about leads. When two captures are one lead is decided by `Lead::identity`; erasing one is in `erasure`.

use crate::domain::clock::Timestamp;
use crate::domain::event::Event;
use crate::domain::lead::{ConfirmationStatus, Lead};
use crate::domain::store::{Captured, Result};
use crate::storage::sql::{Columns, Session, locking, to_json, values};

use super::events;

pub(in crate::storage) fn capture(
    session: &mut dyn Session,
    lead: &Lead,
    event: &Event,
    (same_since, due_at): (Timestamp, Timestamp),
) -> Result<Captured> {
    let identity = lead.identity();
    if let Some(identity) = &identity {
        session.lock(&format!("lead:{}", **identity))?;
        let is_known = session.exists(
            "SELECT 1 FROM leads WHERE identity = $1 AND captured_at >= $2 LIMIT 1",
            values![identity, same_since],
        )?;
        if is_known {
            return Ok(Captured::Duplicate);
        }
    }
    session.execute(
        "INSERT INTO leads (id, account_id, website_id, article_id, identity, captured_at, body, search_text)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        values![
            &lead.id,
            &lead.account_id,
            &lead.website_id,
            &lead.article_id,
            identity.as_ref(),
            lead.captured_at,
            &to_json(lead),
            &lead.search_text(),
        ],
    )?;
    events::insert(session, event, due_at)?;
    Ok(Captured::New)
}

/// Stores a lead that was confirmed with its event, if it waited for that. Says whether it did.
pub(in crate::storage) fn confirm(
    session: &mut dyn Session,
    confirmed: &Lead,
    event: &Event,
    due_at: Timestamp,
) -> Result<bool> {
    // Whoever confirms or erases it at the same moment waits.
    let statement = locking!("SELECT account_id, body FROM leads WHERE id = $1"; "FOR UPDATE");
    let stored = session.first(statement, values![&confirmed.id], lead)?;
    if stored.is_none_or(|stored| stored.confirmation.status != ConfirmationStatus::Pending) {
        return Ok(false);
    }
    session.execute(
        "UPDATE leads SET body = $2, updated_at = $3 WHERE id = $1",
        values![&confirmed.id, &to_json(confirmed), confirmed.updated_at],
    )?;
    events::insert(session, event, due_at)?;
    Ok(true)
}

pub(in crate::storage) fn find(session: &mut dyn Session, lead_id: &str) -> Result<Option<Lead>> {
    session.first("SELECT account_id, body FROM leads WHERE id = $1", values![lead_id], lead)
}

/// Reads `account_id` and `body`.
pub(super) fn lead(row: &mut Columns<'_>) -> Result<Lead> {
    let account_id = row.text()?;
    let lead: Lead = row.json()?;
    Ok(Lead { account_id, ..lead }.with_last_change())
}
