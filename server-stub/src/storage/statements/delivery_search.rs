//! Statements that look for deliveries of an account. However many there are and whatever is asked for, a page looks at few
//! rows: it reads an index that holds few others, or walks over the newest ones and says how far it came.

use std::fmt::Write as _;

use crate::domain::clock::Timestamp;
use crate::domain::delivery::{DeliveryState, DeliverySummary};
use crate::domain::event::EventType;
use crate::domain::store::{DeliveryFilter, DeliveryPage, PageKey, PageRequest, Result};
use crate::storage::sql::{Session, Value, read, values};

use super::log::{self, summary_columns};

/// Pending after a failure. `attempts` counts those that were begun, and one that is being made has not failed yet.
macro_rules! failing {
    () => {
        "(status = 'pending' AND coalesce(resume_status, 'pending') <> 'succeeded'
            AND (resume_status IN ('failed', 'exhausted') AND kind <> 'test'
                OR attempts > CASE WHEN lease_token IS NOT NULL AND kind = 'scheduled' THEN 1 ELSE 0 END))"
    };
}

/// How many deliveries are looked at for each row of a page.
const LOOKED_AT_PER_ROW: u32 = 40;

/// Where deliveries are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// All deliveries of an endpoint, newest first.
    Log,
    /// Those that ended without a success, newest first.
    Ended,
    /// Those that are to be sent, when they are few.
    Waiting,
    /// Those of the events of one type, when these are few.
    Events(EventType),
}

/// What one source found.
struct Found {
    rows: Vec<DeliverySummary>,
    /// The oldest row that was looked at, if there may be more behind it.
    end: Option<PageKey>,
}

/// A page of the account's deliveries.
pub(in crate::storage) fn find(
    session: &mut dyn Session,
    account_id: &str,
    filter: &DeliveryFilter,
    page: &PageRequest,
) -> Result<DeliveryPage> {
    let endpoints = endpoints(session, account_id, filter)?;
    find_of(session, account_id, &endpoints, filter, page)
}

fn endpoints(session: &mut dyn Session, account_id: &str, filter: &DeliveryFilter) -> Result<Vec<String>> {
    session.rows(
        "SELECT id FROM hook_endpoints WHERE account_id = $1 AND (CAST($2 AS TEXT) IS NULL OR id = $2) ORDER BY id",
        values![account_id, &filter.endpoint_id],
        read::text,
    )
}

/// A page of the deliveries to these endpoints, which are the account's.
pub(super) fn find_of(
    session: &mut dyn Session,
    account_id: &str,
    endpoints: &[String],
    filter: &DeliveryFilter,
    page: &PageRequest,
) -> Result<DeliveryPage> {
    let share = u32::try_from(endpoints.len()).unwrap_or(u32::MAX).max(1);
    let budget = page.limit.saturating_mul(LOOKED_AT_PER_ROW).div_ceil(share);
    let few_events = match filter.event_type {
        Some(event_type) if has_few_events(session, account_id, event_type, budget)? => Some(event_type),
        _ => None,
    };
    let mut page_rows: Vec<DeliverySummary> = Vec::new();
    // Of rows that are older than where a source came to an end, others may be missing.
    let mut end: Option<PageKey> = None;
    for endpoint_id in endpoints {
        let search = Search { account_id, endpoint_id, filter, page, budget };
        for (source, state) in search.sources(session, few_events)? {
            let found = search.read(session, source, state)?;
            page_rows.extend(found.rows);
            end = [end, found.end].into_iter().flatten().max_by(|one, other| order(one).cmp(&order(other)));
        }
    }
    page_rows.sort_by(|one, other| order(&key(other)).cmp(&order(&key(one))));
    if let Some(end) = &end {
        page_rows.retain(|row| order(&key(row)) >= order(end));
    }
    let next = if page_rows.len() > page.limit as usize {
        page_rows.truncate(page.limit as usize);
        page_rows.last().map(key)
    } else {
        end
    };
    log::add_last_attempts(session, &mut page_rows)?;
    Ok(DeliveryPage { rows: page_rows, next })
}

fn key(row: &DeliverySummary) -> PageKey {
    PageKey { time: row.delivery.created_at, id: row.delivery.id.clone() }
}

fn order(key: &PageKey) -> (i64, &str) {
    (key.time.millis(), &key.id)
}

/// Whether the account has so few events of the type that all of them can be looked at.
fn has_few_events(session: &mut dyn Session, account_id: &str, event_type: EventType, few: u32) -> Result<bool> {
    let events = session.number(
        "SELECT count(*) FROM (
            SELECT 1 FROM events WHERE account_id = $1 AND type = $2 LIMIT $3) AS few",
        values![account_id, event_type.as_str(), few.saturating_add(1)],
    )?;
    Ok(events <= i64::from(few))
}

/// What is looked for at one endpoint.
struct Search<'a> {
    account_id: &'a str,
    endpoint_id: &'a str,
    filter: &'a DeliveryFilter,
    page: &'a PageRequest,
    /// Most rows to look at.
    budget: u32,
}

impl<'a> Search<'a> {
    /// Where to look, and for which state.
    fn sources(
        &self,
        session: &mut dyn Session,
        few_events: Option<EventType>,
    ) -> Result<Vec<(Source, Option<DeliveryState>)>> {
        let state = self.filter.state;
        if let Some(event_type) = few_events {
            return Ok(vec![(Source::Events(event_type), state)]);
        }
        Ok(match state {
            None | Some(DeliveryState::Succeeded) => vec![(Source::Log, state)],
            Some(DeliveryState::Failed | DeliveryState::Exhausted) => vec![(Source::Ended, state)],
            Some(DeliveryState::Pending | DeliveryState::Failing) => vec![(self.waiting(session)?, state)],
            Some(DeliveryState::NotDelivered) => {
                vec![(Source::Ended, None), (self.waiting(session)?, Some(DeliveryState::Failing))]
            }
        })
    }

    /// Where those are that are to be sent.
    fn waiting(&self, session: &mut dyn Session) -> Result<Source> {
        let waiting = session.number(
            "SELECT count(*) FROM (
                SELECT 1 FROM deliveries WHERE endpoint_id = $1 AND run_at IS NOT NULL LIMIT $2) AS few",
            values![self.endpoint_id, self.budget.saturating_add(1)],
        )?;
        Ok(if waiting <= i64::from(self.budget) { Source::Waiting } else { Source::Log })
    }

    /// The rows that match, one more than the page has, and how far was looked.
    fn read(&self, session: &mut dyn Session, source: Source, state: Option<DeliveryState>) -> Result<Found> {
        let mut query = Query { sql: "WITH ".to_owned(), values: Vec::new() };
        self.push_looked_at(&mut query, source);
        query.sql.push_str(
            ", chosen AS MATERIALIZED (
                SELECT * FROM looked_at WHERE ",
        );
        query.sql.push_str(condition(state));
        if let (Some(event_type), Source::Log | Source::Ended | Source::Waiting) = (self.filter.event_type, source) {
            query.sql.push_str(" AND EXISTS (SELECT 1 FROM events WHERE events.id = event_id AND type = ");
            query.push(event_type.as_str());
            query.sql.push(')');
        }
        query.sql.push_str(" ORDER BY created_at DESC, id DESC LIMIT ");
        query.push(self.page.limit.saturating_add(1));
        query.sql.push_str(concat!(
            ") SELECT ",
            summary_columns!("chosen"),
            " FROM chosen CROSS JOIN events WHERE events.id = chosen.event_id
             ORDER BY chosen.created_at DESC, chosen.id DESC"
        ));
        let rows = session.rows(query.sql.as_str(), &query.values, log::summary)?;
        let is_full = rows.len() > self.page.limit as usize;
        let has_end = matches!(source, Source::Log | Source::Ended) && !is_full;
        let end = if has_end { self.end(session, source)? } else { None };
        Ok(Found { rows, end })
    }

    /// The last row of those that are looked at, when they are as many as may be.
    fn end(&self, session: &mut dyn Session, source: Source) -> Result<Option<PageKey>> {
        let mut query = Query { sql: "SELECT created_at, id FROM deliveries WHERE ".to_owned(), values: Vec::new() };
        self.push_range(&mut query, source);
        query.sql.push_str(" ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET ");
        query.push(self.budget.saturating_sub(1));
        session.first(query.sql.as_str(), &query.values, |row| Ok(PageKey { time: row.time()?, id: row.text()? }))
    }

    /// The rows to look at, under the name `looked_at`.
    fn push_looked_at(&self, query: &mut Query<'a>, source: Source) {
        if let Source::Events(event_type) = source {
            query.sql.push_str("few AS MATERIALIZED (SELECT id FROM events WHERE account_id = ");
            query.push(self.account_id);
            query.sql.push_str(" AND type = ");
            query.push(event_type.as_str());
            query.sql.push_str(" LIMIT ");
            query.push(self.budget);
            query.sql.push_str("), ");
        }
        query.sql.push_str(
            "looked_at AS MATERIALIZED (
                SELECT deliveries.id, event_id, endpoint_id, status, attempts, run_at, created_at, lease_token, kind,
                    resume_status
                FROM ",
        );
        if matches!(source, Source::Events(_)) {
            query.sql.push_str("few CROSS JOIN deliveries WHERE deliveries.event_id = few.id AND ");
        } else {
            query.sql.push_str("deliveries WHERE ");
        }
        self.push_range(query, source);
        if matches!(source, Source::Log | Source::Ended) {
            query.sql.push_str(" ORDER BY created_at DESC, id DESC LIMIT ");
            query.push(self.budget);
        }
        query.sql.push(')');
    }

    /// The conditions on endpoint and time, and those of the source's index. The plus signs hide the time from the index of the
    /// log, over all of which the databases may walk otherwise to find few.
    fn push_range(&self, query: &mut Query<'a>, source: Source) {
        let (is_whole, plus) = match source {
            Source::Log => ("", ""),
            Source::Ended => (" AND (status = 'failed' OR status = 'exhausted')", ""),
            Source::Waiting => (" AND run_at IS NOT NULL", "0 + "),
            Source::Events(_) => ("", "0 + "),
        };
        query.sql.push_str("endpoint_id = ");
        query.push(self.endpoint_id);
        query.sql.push_str(is_whole);
        let (before, id) = self.before();
        if before < i64::MAX {
            write!(query.sql, " AND ({plus}created_at, deliveries.id) < (").expect("writing to a String does not fail");
            query.push(before);
            query.sql.push_str(", ");
            query.push(id);
            query.sql.push(')');
        }
        if let Some(since) = self.filter.since {
            write!(query.sql, " AND {plus}created_at >= ").expect("writing to a String does not fail");
            query.push(since);
        }
    }

    /// Before which key to begin: the page's or the end of the time that is asked for.
    fn before(&self) -> (i64, &'a str) {
        let after = self.page.after.as_ref().map_or((i64::MAX, ""), order);
        after.min((self.filter.until.map_or(i64::MAX, Timestamp::millis), ""))
    }
}

/// Those of `looked_at` in the state.
const fn condition(state: Option<DeliveryState>) -> &'static str {
    match state {
        None => "1 = 1",
        Some(DeliveryState::Pending) => "status = 'pending'",
        Some(DeliveryState::Failed) => "status = 'failed'",
        Some(DeliveryState::Exhausted) => "status = 'exhausted'",
        Some(DeliveryState::Succeeded) => "status = 'succeeded'",
        Some(DeliveryState::Failing) => failing!(),
        Some(DeliveryState::NotDelivered) => concat!("(status = 'failed' OR status = 'exhausted' OR ", failing!(), ")"),
    }
}

/// A query that grows, with its values.
struct Query<'a> {
    sql: String,
    values: Vec<Value<'a>>,
}

impl<'a> Query<'a> {
    /// Adds a value.
    fn push(&mut self, value: impl Into<Value<'a>>) {
        self.values.push(value.into());
        write!(self.sql, "${}", self.values.len()).expect("writing to a String does not fail");
    }
}
