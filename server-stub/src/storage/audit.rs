//! The audit trail. `lists` lists it.

use crate::domain::audit::AuditEntry;
use crate::domain::store::Result;

use super::sql::{Columns, Session, values};

pub(super) fn insert(session: &mut dyn Session, entry: &AuditEntry) -> Result<()> {
    session.execute(
        "INSERT INTO audit_entries (id, account_id, at, actor, action, subject, detail)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        values![
            &entry.id,
            &entry.account_id,
            entry.at,
            &entry.actor,
            &entry.action,
            &entry.subject,
            entry.detail.as_ref(),
        ],
    )?;
    Ok(())
}

pub(super) fn entry(row: &mut Columns<'_>) -> Result<AuditEntry> {
    Ok(AuditEntry {
        id: row.text()?,
        account_id: row.text()?,
        at: row.time()?,
        actor: row.text()?.into(),
        action: row.text()?,
        subject: row.maybe_text()?,
        detail: row.maybe_text()?.map(Into::into),
    })
}
