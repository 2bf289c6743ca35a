//! The statements that erase a person's data: the lead, what was announced of it, and what receivers answered to that.

use crate::domain::store::Result;
use crate::storage::sql::{Session, read, values};

/// Erases a lead with its events, their deliveries and attempts. Says whether there was one.
pub(in crate::storage) fn erase_lead(session: &mut dyn Session, lead_id: &str) -> Result<bool> {
    let events = session.rows(
        "SELECT id FROM events WHERE type = 'lead.captured' AND object_id = $1",
        values![lead_id],
        read::text,
    )?;
    for event_id in &events {
        // Attempts go with their deliveries.
        session.execute("DELETE FROM deliveries WHERE event_id = $1", values![event_id])?;
        session.execute("DELETE FROM events WHERE id = $1", values![event_id])?;
    }
    Ok(session.execute("DELETE FROM leads WHERE id = $1", values![lead_id])? > 0)
}
