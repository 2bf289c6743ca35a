//! Erases leads, articles and jobs with their events, events with their deliveries, and deliveries with their attempts. The
//! account's owner, `retention` or `deletion` decides which.

use crate::domain::store::{Purged, Result};

use super::sql::{BatchStatement, Session, Value, locking, read, values};
use super::store::Store;

/// Maximum number of attempts, and of deliveries, that one call erases. The caller repeats the call for more.
const MAX_AT_ONCE: usize = 500;

impl Store {
    /// Erases a lead and its events, deliveries and attempts. Returns true if it existed.
    pub async fn erase_lead(&self, lead_id: &str) -> Result<bool> {
        let lead_id = lead_id.to_owned();
        self.change_exclusive(move |session| {
            // The locks keep a concurrent confirmation from adding an event, and a recovery from adding a delivery.
            if !session.exists(locking!("SELECT 1 FROM leads WHERE id = $1"; "FOR UPDATE"), values![&lead_id])? {
                return Ok(false);
            }
            let events = session.rows(
                locking!(
                    "SELECT id FROM events WHERE type IN ('lead.captured', 'lead.confirmed')
                        AND object_id = $1";
                    "FOR UPDATE"
                ),
                values![&lead_id],
                read::text,
            )?;
            for event_id in &events {
                // Attempts are deleted with their deliveries. The order is that in which attempts are recorded.
                session.execute(
                    "DELETE FROM delivery_queue WHERE delivery_id IN (SELECT id FROM deliveries WHERE event_id = $1)",
                    values![event_id],
                )?;
                session.execute("DELETE FROM deliveries WHERE event_id = $1", values![event_id])?;
                session.execute("DELETE FROM events WHERE id = $1", values![event_id])?;
            }
            Ok(session.execute("DELETE FROM leads WHERE id = $1", values![&lead_id])? > 0)
        })
        .await
    }
}

/// Erases leads like [`Store::erase_lead`]. Returns true if they are gone: if too many records belong to them, only some are erased.
pub(super) fn delete_leads(session: &mut dyn Session, leads: &[String], purged: &mut Purged) -> Result<bool> {
    let events = texts(session, &EVENTS_OF_OBJECTS, leads)?;
    let is_done = delete_events(session, &events, purged)?;
    if is_done {
        session.execute_batch(&DELETE_LEADS, &inputs(leads))?;
        purged.leads += leads.len() as u64;
    }
    Ok(is_done)
}

/// Deletes articles with their events and the notes of their files. Returns true if they are gone.
pub(super) fn delete_articles(session: &mut dyn Session, articles: &[String], purged: &mut Purged) -> Result<bool> {
    let events = texts(session, &EVENTS_OF_OBJECTS, articles)?;
    let is_done = delete_events(session, &events, purged)?;
    if is_done {
        session.execute_batch(&DELETE_FILES, &inputs(articles))?;
        session.execute_batch(&DELETE_UPDATES, &inputs(articles))?;
        session.execute_batch(&DELETE_ARTICLES, &inputs(articles))?;
    }
    Ok(is_done)
}

/// Deletes jobs with their events and their usage of a language model. Returns true if they are gone.
pub(super) fn delete_jobs(session: &mut dyn Session, jobs: &[String], purged: &mut Purged) -> Result<bool> {
    let events = texts(session, &EVENTS_OF_OBJECTS, jobs)?;
    let is_done = delete_events(session, &events, purged)?;
    if is_done {
        session.execute_batch(&DELETE_MODEL_USAGE, &inputs(jobs))?;
        session.execute_batch(&DELETE_JOBS, &inputs(jobs))?;
        purged.jobs += jobs.len() as u64;
    }
    Ok(is_done)
}

/// Deletes events with their deliveries. Returns true if they are gone.
pub(super) fn delete_events(session: &mut dyn Session, events: &[String], purged: &mut Purged) -> Result<bool> {
    let deliveries = texts(session, &DELIVERIES_OF_EVENTS, events)?;
    let is_done = delete_deliveries(session, deliveries, purged)?;
    if is_done {
        session.execute_batch(&DELETE_EVENTS, &inputs(events))?;
        purged.events += events.len() as u64;
    }
    Ok(is_done)
}

/// Deletes those of the deliveries that have ended. Returns true if all of these are gone.
pub(super) fn delete_ended_deliveries(
    session: &mut dyn Session,
    deliveries: &[String],
    purged: &mut Purged,
) -> Result<bool> {
    // A delivery that was made due again in the meantime has not ended.
    let ended = texts(session, &LOCK_ENDED, deliveries)?;
    delete_deliveries(session, ended, purged)
}

/// Deletes deliveries with their attempts. Returns true if all are gone.
pub(super) fn delete_deliveries(
    session: &mut dyn Session,
    mut deliveries: Vec<String>,
    purged: &mut Purged,
) -> Result<bool> {
    let are_all = deliveries.len() <= MAX_AT_ONCE;
    deliveries.truncate(MAX_AT_ONCE);
    let mut attempts: Vec<i64> = Vec::new();
    session.query_batch(&ATTEMPTS_OF_DELIVERIES, &inputs(&deliveries), &mut |_, row| {
        attempts.push(row.number()?);
        Ok(())
    })?;
    let has_few_attempts = attempts.len() <= MAX_AT_ONCE;
    attempts.truncate(MAX_AT_ONCE);
    let rows: Vec<_> = attempts.iter().map(|id| values![*id].to_vec()).collect();
    session.execute_batch(&DELETE_ATTEMPTS, &rows)?;
    purged.attempts += attempts.len() as u64;
    if !has_few_attempts {
        return Ok(false);
    }
    // The order in which attempts are recorded.
    session.execute_batch(&DELETE_FROM_QUEUE, &inputs(&deliveries))?;
    session.execute_batch(&DELETE_DELIVERIES, &inputs(&deliveries))?;
    purged.deliveries += deliveries.len() as u64;
    Ok(are_all)
}

fn inputs(ids: &[String]) -> Vec<Vec<Value<'_>>> {
    ids.iter().map(|id| values![id].to_vec()).collect()
}

/// Returns the ids that a statement finds for each of these ids.
fn texts(session: &mut dyn Session, find: &BatchStatement, ids: &[String]) -> Result<Vec<String>> {
    let mut found = Vec::new();
    session.query_batch(find, &inputs(ids), &mut |_, row| {
        found.push(row.text()?);
        Ok(())
    })?;
    Ok(found)
}

/// The types of events about a lead, an article or a job. With them a search uses the index of types and objects.
macro_rules! types_of_objects {
    () => {
        "('lead.captured', 'lead.confirmed', 'article.published', 'job.failed')"
    };
}

const EVENTS_OF_OBJECTS: BatchStatement = BatchStatement {
    sqlite_each: concat!("SELECT id FROM events WHERE type IN ", types_of_objects!(), " AND object_id = $1"),
    postgres_all: concat!(
        "SELECT input.number, events.id
         FROM unnest($1::text[]) WITH ORDINALITY AS input (object_id, number)
         JOIN events ON events.type IN ",
        types_of_objects!(),
        " AND events.object_id = input.object_id
         FOR UPDATE OF events"
    ),
};

const DELIVERIES_OF_EVENTS: BatchStatement = BatchStatement {
    sqlite_each: "SELECT id FROM deliveries WHERE event_id = $1",
    postgres_all: "SELECT input.number, deliveries.id
         FROM unnest($1::text[]) WITH ORDINALITY AS input (event_id, number)
         JOIN deliveries ON deliveries.event_id = input.event_id",
};

const LOCK_ENDED: BatchStatement = BatchStatement {
    sqlite_each: "SELECT id FROM deliveries
         WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM delivery_queue WHERE delivery_id = deliveries.id)",
    postgres_all: "SELECT input.number, deliveries.id
         FROM unnest($1::text[]) WITH ORDINALITY AS input (id, number)
         JOIN deliveries ON deliveries.id = input.id
         WHERE NOT EXISTS (SELECT 1 FROM delivery_queue WHERE delivery_id = deliveries.id)
         FOR UPDATE OF deliveries SKIP LOCKED",
};

const ATTEMPTS_OF_DELIVERIES: BatchStatement = BatchStatement {
    sqlite_each: "SELECT id FROM attempts WHERE delivery_id = $1",
    postgres_all: "SELECT input.number, attempts.id
         FROM unnest($1::text[]) WITH ORDINALITY AS input (delivery_id, number)
         JOIN attempts ON attempts.delivery_id = input.delivery_id",
};

/// A statement that deletes the rows with these ids in a column.
macro_rules! delete_from {
    ($table:literal, $column:literal) => {
        BatchStatement {
            sqlite_each: concat!("DELETE FROM ", $table, " WHERE ", $column, " = $1"),
            postgres_all: concat!("DELETE FROM ", $table, " WHERE ", $column, " = ANY($1::text[])"),
        }
    };
}

const DELETE_LEADS: BatchStatement = delete_from!("leads", "id");
const DELETE_EVENTS: BatchStatement = delete_from!("events", "id");
const DELETE_DELIVERIES: BatchStatement = delete_from!("deliveries", "id");
const DELETE_UPDATES: BatchStatement = delete_from!("article_updates", "article_id");
const DELETE_FROM_QUEUE: BatchStatement = delete_from!("delivery_queue", "delivery_id");
const DELETE_FILES: BatchStatement = delete_from!("published_files", "article_id");
const DELETE_ARTICLES: BatchStatement = delete_from!("articles", "id");
const DELETE_MODEL_USAGE: BatchStatement = delete_from!("model_usage", "job_id");
const DELETE_JOBS: BatchStatement = delete_from!("jobs", "id");

const DELETE_ATTEMPTS: BatchStatement = BatchStatement {
    sqlite_each: "DELETE FROM attempts WHERE id = $1",
    postgres_all: "DELETE FROM attempts WHERE id = ANY($1::int8[])",
};

#[cfg(test)]
mod tests {
    use super::EVENTS_OF_OBJECTS;
    use crate::domain::event::EventType;

    #[test]
    fn events_of_all_types_are_deleted_with_their_objects() {
        // Their object ids are no ids of records. `deletion` finds them by their website.
        let others = [EventType::HookTest, EventType::ArticleUpdated, EventType::ScheduledPostFailed];
        for event_type in EventType::ALL.into_iter().filter(|event_type| !others.contains(event_type)) {
            assert!(EVENTS_OF_OBJECTS.sqlite_each.contains(&format!("'{}'", event_type.as_str())), "{event_type:?}");
        }
    }
}
