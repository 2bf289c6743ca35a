//! Leads. `Lead::identity` decides whether two captures are one lead. `erasure` erases leads.

use crate::domain::clock::Timestamp;
use crate::domain::event::Event;
use crate::domain::lead::{ConfirmationStatus, Lead};
use crate::domain::store::{Captured, NewLink, Result};
use crate::wakeups::Announcement;

use super::deletion::website_exists;
use super::events;
use super::sql::{Columns, ExclusiveSession, locking, to_json, values};
use super::store::{Engine, Store};

impl Store {
    /// Stores a lead with its event, unless it is the same as one captured since `same_since`.
    pub async fn capture_lead(
        &self,
        lead: &Lead,
        event: &Event,
        same_since: Timestamp,
        due_at: Timestamp,
    ) -> Result<Captured> {
        self.capture_lead_with_link(lead, event, None, same_since, due_at).await
    }

    /// Stores a lead as `capture_lead` does. With `link`, stores its event instead of `event`, unless the recipient got a link
    /// since `link.none_since`.
    pub async fn capture_lead_with_link(
        &self,
        lead: &Lead,
        event: &Event,
        link: Option<NewLink>,
        same_since: Timestamp,
        due_at: Timestamp,
    ) -> Result<Captured> {
        let (lead, event) = (lead.clone(), event.clone());
        let work = move |session: &mut dyn ExclusiveSession| {
            capture(session, &lead, (&event, link.as_ref()), (same_since, due_at))
        };
        // A visitor sends a form, so the audit trail of users has no entry for it.
        let captured = match &self.engine {
            Engine::Sqlite(sqlite) => sqlite.writer.write(work).await?,
            Engine::Postgres(postgres) => postgres.captures.write(work).await?,
        };
        if captured == Captured::New {
            self.announce(Announcement::DeliveryDue);
        }
        Ok(captured)
    }

    /// Stores a confirmed lead with its event, if the lead was waiting for confirmation. Returns true if it was.
    pub async fn confirm_lead(&self, confirmed: &Lead, event: &Event, due_at: Timestamp) -> Result<bool> {
        let (confirmed, event) = (confirmed.clone(), event.clone());
        let is_done = self
            .change(move |session| {
                // A concurrent confirmation or erasure waits for this lock.
                let statement = locking!("SELECT account_id, body FROM leads WHERE id = $1"; "FOR UPDATE");
                let stored = session.first(statement, values![&confirmed.id], lead)?;
                if stored.is_none_or(|stored| stored.confirmation.status != ConfirmationStatus::Pending) {
                    return Ok(false);
                }
                session.execute(
                    "UPDATE leads SET body = $2, updated_at = $3, is_pending = 0 WHERE id = $1",
                    values![&confirmed.id, &to_json(&confirmed), confirmed.updated_at],
                )?;
                events::insert(session, &event, due_at)?;
                Ok(true)
            })
            .await?;
        if is_done {
            self.announce(Announcement::DeliveryDue);
        }
        Ok(is_done)
    }

    /// Returns the lead of any account.
    pub async fn find_lead(&self, lead_id: &str) -> Result<Option<Lead>> {
        let lead_id = lead_id.to_owned();
        self.read_few(move |session| {
            session.first(
                concat!("SELECT account_id, body FROM leads WHERE id = $1 AND ", website_exists!()),
                values![&lead_id],
                lead,
            )
        })
        .await
    }
}

fn capture(
    session: &mut dyn ExclusiveSession,
    lead: &Lead,
    (event, link): (&Event, Option<&NewLink>),
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
    let link = match link {
        Some(link) if may_send(session, link)? => Some(link),
        _ => None,
    };
    session.execute(
        "INSERT INTO leads (id, account_id, website_id, article_id, identity, link_recipient, is_pending, captured_at, updated_at,
            search_text, body)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        values![
            &lead.id,
            &lead.account_id,
            &lead.website_id,
            &lead.article_id,
            identity.as_ref(),
            link.map(|link| &link.recipient),
            lead.confirmation.status == ConfirmationStatus::Pending,
            lead.captured_at,
            lead.updated_at,
            &lead.search_text(),
            &to_json(lead),
        ],
    )?;
    events::insert(session, link.map_or(event, |link| &link.event), due_at)?;
    Ok(Captured::New)
}

/// Returns true if the recipient got no link in the time that `link` names. Forms that arrive at the same moment wait for each other.
fn may_send(session: &mut dyn ExclusiveSession, link: &NewLink) -> Result<bool> {
    session.lock(&format!("link:{}", *link.recipient))?;
    let has_one = session.exists(
        "SELECT 1 FROM leads WHERE link_recipient = $1 AND captured_at >= $2 LIMIT 1",
        values![&link.recipient, link.none_since],
    )?;
    Ok(!has_one)
}

/// Reads `account_id` and `body`.
pub(super) fn lead(row: &mut Columns<'_>) -> Result<Lead> {
    let account_id = row.text()?;
    let lead: Lead = row.json()?;
    Ok(Lead { account_id, ..lead })
}
