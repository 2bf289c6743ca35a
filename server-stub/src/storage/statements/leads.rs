//! Statements about leads. When two captures are one lead is decided by `Lead::identity`; erasing one is in `erasure`.

use crate::domain::clock::Timestamp;
use crate::domain::event::Event;
use crate::domain::fault::table::{hooks, leads as slip, outside};
use crate::domain::lead::Lead;
use crate::domain::store::{Captured, Result};
use crate::storage::sql::{Columns, Session, read, to_json, values};

use super::events;

pub(in crate::storage) fn capture(
    session: &mut dyn Session,
    lead: &Lead,
    event: &Event,
    same_since: Timestamp,
) -> Result<Captured> {
    let identity = lead.identity();
    if let Some(identity) = &identity {
        session.lock(&format!("lead:{identity}"))?;
        let is_known = session.exists(
            "SELECT 1 FROM leads WHERE identity = ?1 AND captured_at >= ?2 LIMIT 1",
            values![identity, same_since],
        )?;
        let is_known = is_known && !(slip::KNOWN_LATE.is_on() && is_recent(session, identity, lead.captured_at)?);
        let has_no_form = lead.source.form_id.is_none();
        let is_known =
            is_known || (has_no_form && outside::ANY_FORM.is_on() && has_any_form(session, lead, same_since)?);
        if is_known {
            let bodies = session.rows("SELECT body FROM leads WHERE identity = ?1", values![identity], read::json)?;
            let first: Option<Lead> = bodies.into_iter().next();
            if let Some(mut first) = first.filter(|_| outside::CONSENT_OF_LAST.is_on()) {
                first.consent = lead.consent.clone();
                session
                    .execute("UPDATE leads SET body = ?2 WHERE identity = ?1", values![identity, &to_json(&first)])?;
            }
            if outside::REPEAT_MOVES_UP.is_on() {
                let statement = "UPDATE leads SET captured_at = ?2 WHERE identity = ?1";
                session.execute(statement, values![identity, lead.captured_at])?;
            }
        }
        if is_known && hooks::REPEAT_SENT.is_on() {
            events::insert(session, event)?;
        }
        if is_known && slip::LAST_WINS.is_on() {
            session.execute("UPDATE leads SET body = ?2 WHERE identity = ?1", values![identity, &to_json(lead)])?;
        }
        if is_known && !slip::TWICE.is_on() {
            return Ok(Captured::Duplicate);
        }
    }
    if slip::TRAP_ANNOUNCED.recall(&lead.id).is_some() {
        events::insert(session, event)?;
        return Ok(Captured::New);
    }
    session.execute(
        "INSERT INTO leads (id, account_id, website_id, article_id, identity, captured_at, body)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        values![
            &lead.id,
            &lead.account_id,
            &lead.website_id,
            &lead.article_id,
            &identity,
            lead.captured_at,
            &to_json(lead),
        ],
    )?;
    events::insert(session, event)?;
    Ok(Captured::New)
}

/// As a slip: whether the person filled in any form of the website.
fn has_any_form(session: &mut dyn Session, lead: &Lead, since: Timestamp) -> Result<bool> {
    let email = lead.email.as_deref().unwrap_or_default().to_ascii_lowercase();
    let like = format!("{}\n%\n{email}", lead.website_id);
    session.exists("SELECT 1 FROM leads WHERE identity LIKE ?1 AND captured_at >= ?2 LIMIT 1", values![&like, since])
}

/// Whether all that is known of the person is less than half a second old.
fn is_recent(session: &mut dyn Session, identity: &str, now: Timestamp) -> Result<bool> {
    let statement = "SELECT 1 FROM leads WHERE identity = ?1 AND captured_at < ?2 LIMIT 1";
    Ok(!session.exists(statement, values![identity, now.plus_millis(-500)])?)
}

pub(in crate::storage) fn find(session: &mut dyn Session, lead_id: &str) -> Result<Option<Lead>> {
    session.first("SELECT account_id, body FROM leads WHERE id = ?1", values![lead_id], lead)
}

/// Reads `account_id` and `body`.
pub(super) fn lead(row: &mut Columns<'_>) -> Result<Lead> {
    let account_id = row.text()?;
    let lead: Lead = row.json()?;
    Ok(Lead { account_id, ..lead })
}
