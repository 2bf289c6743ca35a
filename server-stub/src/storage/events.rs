//! Announces changes: stores the event, and one delivery per subscribed endpoint, in the transaction of the change.

use crate::domain::clock::Timestamp;
use crate::domain::delivery::AttemptKind;
use crate::domain::event::{Event, EventType};
use crate::domain::hook::EndpointStatus;
use crate::domain::id;
use crate::domain::store::Result;
use crate::wakeups::Announcement;

use super::sql::{BatchStatement, Columns, Session, locking, read, values};
use super::store::Store;

impl Store {
    /// Stores a test event with one delivery to that endpoint, and returns its id; `None` if the endpoint does not exist.
    pub async fn send_test(&self, endpoint_id: &str, event: &Event, due_at: Timestamp) -> Result<Option<String>> {
        let (endpoint_id, event) = (endpoint_id.to_owned(), event.clone());
        let sent = self
            .change(move |session| {
                let endpoint = locking!("SELECT 1 FROM hook_endpoints WHERE id = $1"; "FOR KEY SHARE");
                if !session.exists(endpoint, values![&endpoint_id])? {
                    return Ok(None);
                }
                insert_event(session, &event)?;
                let id = id::new(id::Kind::Delivery, event.created_at, session.randomness());
                // If its only attempt fails, it has failed.
                session.execute(
                    "INSERT INTO deliveries (id, event_id, endpoint_id, status, attempts, created_at)
                     VALUES ($1, $2, $3, 'failed', 0, $4)",
                    values![&id, &event.id, &endpoint_id, event.created_at],
                )?;
                session.execute(
                    "INSERT INTO delivery_queue (delivery_id, endpoint_id, run_at, attempts, kind)
                     VALUES ($1, $2, $3, 0, $4)",
                    values![&id, &endpoint_id, due_at, AttemptKind::Test.as_str()],
                )?;
                Ok(Some(id))
            })
            .await?;
        if sent.is_some() {
            self.announce(Announcement::DeliveryDue);
        }
        Ok(sent)
    }
}

/// The endpoints of an account that are subscribed to a type of event.
struct Subscribers {
    /// Ids of the endpoints that receive it now.
    active: Vec<String>,
    /// True if there are inactive ones, which can recover the event after they are active again.
    has_inactive: bool,
}

fn subscribers(
    session: &mut dyn Session,
    event_type: EventType,
    account_id: &str,
    website_id: &str,
) -> Result<Subscribers> {
    // The lock keeps an endpoint from being removed before its delivery is written.
    let endpoints = session.rows(
        locking!(
            "SELECT id, status, events FROM hook_endpoints
             WHERE account_id = $1 AND (website_id IS NULL OR website_id = $2)
             ORDER BY id";
            "FOR KEY SHARE"
        ),
        values![account_id, website_id],
        // A newer version may store unknown states and event types. The announcement must not fail because of them.
        |row| Ok((row.text()?, EndpointStatus::parse(row.str()?), known_types(row)?)),
    )?;
    let (active, others): (Vec<_>, Vec<_>) = endpoints
        .into_iter()
        .filter(|(_, _, subscribed)| subscribed.contains(&event_type))
        .partition(|(_, status, _)| *status == Some(EndpointStatus::Active));
    Ok(Subscribers { active: active.into_iter().map(|(id, ..)| id).collect(), has_inactive: !others.is_empty() })
}

/// Reads the event types in a column, except unknown ones.
pub(super) fn known_types(row: &mut Columns<'_>) -> Result<Vec<EventType>> {
    Ok(row.json::<Vec<String>>()?.iter().filter_map(|name| EventType::parse(name)).collect())
}

/// Stores an event with its deliveries, which are due at once.
pub(super) fn insert(session: &mut dyn Session, event: &Event, due_at: Timestamp) -> Result<()> {
    let subscribers = subscribers(session, event.event_type, &event.account_id, &event.website_id)?;
    insert_for(session, event, &subscribers.active, due_at)
}

/// Stores an event with its deliveries, if any endpoint is subscribed to it, even an inactive one.
pub(super) fn insert_if_subscribed(
    session: &mut dyn Session,
    event_type: EventType,
    account_id: &str,
    website_id: &str,
    due_at: Timestamp,
    event: impl FnOnce() -> Event,
) -> Result<()> {
    let Subscribers { active, has_inactive } = subscribers(session, event_type, account_id, website_id)?;
    if active.is_empty() && !has_inactive { Ok(()) } else { insert_for(session, &event(), &active, due_at) }
}

fn insert_for(session: &mut dyn Session, event: &Event, endpoints: &[String], due_at: Timestamp) -> Result<()> {
    insert_event(session, event)?;
    let ids: Vec<_> =
        endpoints.iter().map(|_| id::new(id::Kind::Delivery, event.created_at, session.randomness())).collect();
    let of_endpoints: Vec<_> = ids
        .iter()
        .zip(endpoints)
        .map(|(id, endpoint_id)| (id.as_str(), event.id.as_str(), endpoint_id.as_str()))
        .collect();
    insert_deliveries(session, &of_endpoints, event.created_at, due_at)
}

/// Stores deliveries, given as their id, event and endpoint, that are due at that time.
pub(super) fn insert_deliveries(
    session: &mut dyn Session,
    deliveries: &[(&str, &str, &str)],
    created_at: Timestamp,
    due_at: Timestamp,
) -> Result<()> {
    let inputs: Vec<_> = deliveries
        .iter()
        .map(|(id, event_id, endpoint_id)| values![*id, *event_id, *endpoint_id, created_at].to_vec())
        .collect();
    session.execute_batch(&INSERT_DELIVERIES, &inputs)?;
    let inputs: Vec<_> =
        deliveries.iter().map(|(id, _, endpoint_id)| values![*id, *endpoint_id, due_at].to_vec()).collect();
    session.execute_batch(&QUEUE_DELIVERIES, &inputs)
}

const INSERT_DELIVERIES: BatchStatement = BatchStatement {
    sqlite_each: "INSERT INTO deliveries (id, event_id, endpoint_id, status, attempts, created_at)
         VALUES ($1, $2, $3, 'pending', 0, $4)",
    postgres_all: "INSERT INTO deliveries (id, event_id, endpoint_id, status, attempts, created_at)
         SELECT id, event_id, endpoint_id, 'pending', 0, created_at
         FROM unnest($1::text[], $2::text[], $3::text[], $4::int8[]) AS input (id, event_id, endpoint_id, created_at)",
};

const QUEUE_DELIVERIES: BatchStatement = BatchStatement {
    sqlite_each: "INSERT INTO delivery_queue (delivery_id, endpoint_id, run_at, attempts) VALUES ($1, $2, $3, 0)",
    postgres_all: "INSERT INTO delivery_queue (delivery_id, endpoint_id, run_at, attempts)
         SELECT id, endpoint_id, run_at, 0
         FROM unnest($1::text[], $2::text[], $3::int8[]) AS input (id, endpoint_id, run_at)",
};

fn insert_event(session: &mut dyn Session, event: &Event) -> Result<()> {
    session.execute(
        "INSERT INTO events (id, account_id, website_id, type, object_id, created_at, body, body_with_content)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        values![
            &event.id,
            &event.account_id,
            &event.website_id,
            event.event_type.as_str(),
            &event.object_id,
            event.created_at,
            &event.body,
            event.body_with_content.as_ref(),
        ],
    )?;
    Ok(())
}

/// Returns the events since `since` that the endpoint is subscribed to but has no delivery of, because it was inactive.
/// Excludes events before its registration, and tests.
pub(super) fn missed(
    session: &mut dyn Session,
    endpoint_id: &str,
    since: Timestamp,
    limit: u32,
) -> Result<Vec<String>> {
    let endpoint = session.first(
        "SELECT account_id, website_id, created_at, events FROM hook_endpoints WHERE id = $1",
        values![endpoint_id],
        |row| Ok((row.text()?, row.maybe_text()?, row.time()?, known_types(row)?)),
    )?;
    let Some((account_id, website_id, registered_at, wanted)) = endpoint else { return Ok(Vec::new()) };
    let mut missed = Vec::new();
    let since = since.max(registered_at);
    for event_type in wanted.into_iter().filter(|wanted| *wanted != EventType::HookTest) {
        missed.append(&mut session.rows(
            "SELECT id FROM events
             WHERE account_id = $1 AND (CAST($2 AS TEXT) IS NULL OR website_id = $2) AND type = $3 AND created_at >= $4
                AND NOT EXISTS (SELECT 1 FROM deliveries WHERE event_id = events.id AND endpoint_id = $5)
             ORDER BY created_at, id LIMIT $6",
            values![&account_id, &website_id, event_type.as_str(), since, endpoint_id, limit],
            read::text,
        )?);
    }
    missed.truncate(limit as usize);
    Ok(missed)
}
