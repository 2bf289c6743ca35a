//! Searches an account's deliveries. Each page reads only a few rows, whatever the filter: either from an index with few other
//! rows, or from the newest rows, with the position where it stopped.

use std::fmt::Write as _;

use crate::domain::clock::Timestamp;
use crate::domain::delivery::{DeliveryState, DeliverySummary};
use crate::domain::event::EventType;
use crate::domain::hook::EndpointStatus;
use crate::domain::store::{DeliveryFilter, PageKey, PageRequest, Result, SearchPage};

use super::deletion::website_exists;
use super::delivery_log;
use super::sql::{Columns, Session, Value, read, values};
use super::store::Store;

/// Pending after a failure. `attempts` also counts an attempt in progress, which has not failed yet.
macro_rules! failing {
    () => {
        "(status = 'pending' AND previous_status <> 'succeeded'
            AND (previous_status IN ('failed', 'exhausted') AND kind <> 'test'
                OR attempts > CASE WHEN lease_token IS NOT NULL AND kind = 'scheduled' THEN 1 ELSE 0 END))"
    };
}

/// Number of deliveries to read for each row of a page.
const LOOKED_AT_PER_ROW: u32 = 20;
/// Maximum number of deliveries to read for a count.
const MAX_READ_FOR_COUNT: u32 = 20_000;

impl Store {
    /// Returns a page of the account's deliveries.
    pub async fn find_deliveries(
        &self,
        account_id: &str,
        filter: &DeliveryFilter,
        page: &PageRequest,
    ) -> Result<SearchPage<DeliverySummary>> {
        let (account_id, filter, page) = (account_id.to_owned(), filter.clone(), page.clone());
        self.read_many(move |session| {
            let endpoints = endpoints(session, &account_id, &filter, None)?;
            let SearchPage { rows, next } = find_keys(session, &account_id, &endpoints, &filter, &page)?;
            Ok(SearchPage { rows: delivery_log::summaries(session, &rows)?, next })
        })
        .await
    }

    /// Counts the matching deliveries to active endpoints that can be sent again. Also returns true if there may be more, because
    /// not all deliveries were read.
    pub async fn count_redeliverable(&self, account_id: &str, filter: &DeliveryFilter) -> Result<(u64, bool)> {
        let (account_id, filter) = (account_id.to_owned(), filter.clone());
        self.read_many(move |session| count_redeliverable(session, &account_id, &filter)).await
    }
}

/// A set of deliveries to search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// All deliveries of an endpoint, newest first.
    Log,
    /// Deliveries that ended without success, newest first.
    Ended,
    /// Waiting deliveries, if there are few.
    Waiting,
    /// Deliveries of events of one type, if there are few such events.
    Events(EventType),
}

/// The result of one source.
struct Found {
    keys: Vec<PageKey>,
    /// The oldest row that was read, if there may be more behind it.
    end: Option<PageKey>,
}

/// Returns the endpoints of the account that match the filter, in this status or in any.
fn endpoints(
    session: &mut dyn Session,
    account_id: &str,
    filter: &DeliveryFilter,
    status: Option<EndpointStatus>,
) -> Result<Vec<String>> {
    session.rows(
        concat!(
            "SELECT id FROM hook_endpoints
             WHERE account_id = $1 AND (CAST($2 AS TEXT) IS NULL OR id = $2)
                AND (CAST($3 AS TEXT) IS NULL OR status = $3) AND ",
            website_exists!(),
            " ORDER BY id"
        ),
        values![account_id, &filter.endpoint_id, status.map(EndpointStatus::as_str)],
        read::text,
    )
}

fn count_redeliverable(session: &mut dyn Session, account_id: &str, filter: &DeliveryFilter) -> Result<(u64, bool)> {
    let page = PageRequest { after: None, limit: MAX_READ_FOR_COUNT };
    let few_events = match filter.event_type {
        Some(event_type) if has_few_events(session, account_id, event_type, page.limit)? => Some(event_type),
        _ => None,
    };
    let (mut count, mut budget) = (0, page.limit);
    for endpoint_id in &endpoints(session, account_id, filter, Some(EndpointStatus::Active))? {
        let search = Search { account_id, endpoint_id, filter, page: &page, budget };
        for (source, state) in search.sources(session, few_events)? {
            let (read, redeliverable) = Search { budget, ..search }.count_redeliverable(session, source, state)?;
            count += redeliverable;
            budget = budget.saturating_sub(read);
            if budget == 0 {
                return Ok((count, true));
            }
        }
    }
    Ok((count, false))
}

/// Finds the keys of a page of deliveries to these endpoints of the account.
pub(super) fn find_keys(
    session: &mut dyn Session,
    account_id: &str,
    endpoints: &[String],
    filter: &DeliveryFilter,
    page: &PageRequest,
) -> Result<SearchPage<PageKey>> {
    let share = u32::try_from(endpoints.len()).unwrap_or(u32::MAX).max(1);
    let budget = page.limit.saturating_mul(LOOKED_AT_PER_ROW).div_ceil(share);
    let few_events = match filter.event_type {
        Some(event_type) if has_few_events(session, account_id, event_type, budget)? => Some(event_type),
        _ => None,
    };
    let mut keys: Vec<PageKey> = Vec::new();
    // Rows older than the end of a source may be incomplete.
    let mut end: Option<PageKey> = None;
    for endpoint_id in endpoints {
        let search = Search { account_id, endpoint_id, filter, page, budget };
        for (source, state) in search.sources(session, few_events)? {
            let found = search.read(session, source, state)?;
            keys.extend(found.keys);
            end = [end, found.end].into_iter().flatten().max_by(|one, other| order(one).cmp(&order(other)));
        }
    }
    keys.sort_by(|one, other| order(other).cmp(&order(one)));
    if let Some(end) = &end {
        keys.retain(|key| order(key) >= order(end));
    }
    let next = if keys.len() > page.limit as usize {
        keys.truncate(page.limit as usize);
        keys.last().cloned()
    } else {
        end
    };
    Ok(SearchPage { rows: keys, next })
}

/// Reads a time and an id.
fn key(row: &mut Columns<'_>) -> Result<PageKey> {
    Ok(PageKey { time: row.time()?, id: row.text()? })
}

fn order(key: &PageKey) -> (i64, &str) {
    (key.time.millis(), &key.id)
}

/// Returns true if the account has so few events of the type that all can be read.
fn has_few_events(session: &mut dyn Session, account_id: &str, event_type: EventType, few: u32) -> Result<bool> {
    let events = session.number(
        "SELECT count(*) FROM (
            SELECT 1 FROM events WHERE account_id = $1 AND type = $2 LIMIT $3) AS few",
        values![account_id, event_type.as_str(), few.saturating_add(1)],
    )?;
    Ok(events <= i64::from(few))
}

/// A search in the deliveries of one endpoint.
#[derive(Clone, Copy)]
struct Search<'a> {
    account_id: &'a str,
    endpoint_id: &'a str,
    filter: &'a DeliveryFilter,
    page: &'a PageRequest,
    /// Maximum number of rows to read.
    budget: u32,
}

impl<'a> Search<'a> {
    /// Returns the sources to read, each with the state to find.
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

    /// Returns the source of the waiting deliveries.
    fn waiting(&self, session: &mut dyn Session) -> Result<Source> {
        let waiting = session.number(
            "SELECT count(*) FROM (
                SELECT 1 FROM delivery_queue WHERE endpoint_id = $1 LIMIT $2) AS few",
            values![self.endpoint_id, self.budget.saturating_add(1)],
        )?;
        Ok(if waiting <= i64::from(self.budget) { Source::Waiting } else { Source::Log })
    }

    /// Returns the matches, one more than the page has, and the last row that was read.
    fn read(&self, session: &mut dyn Session, source: Source, state: Option<DeliveryState>) -> Result<Found> {
        let is_of_type = self.filter.event_type.is_none() || matches!(source, Source::Events(_));
        // If every row matches, no row behind the page is useful.
        let matches_all = state.is_none() && is_of_type;
        let looked_at = if matches_all { self.page.limit.saturating_add(1) } else { self.budget };
        let mut query = Query { sql: "WITH ".to_owned(), values: Vec::new() };
        self.push_looked_at(&mut query, source, looked_at);
        query.sql.push_str(" SELECT created_at, id FROM looked_at WHERE ");
        self.push_matches(&mut query, source, state);
        query.sql.push_str(" ORDER BY created_at DESC, id DESC LIMIT ");
        query.push(self.page.limit.saturating_add(1));
        let keys = session.rows(query.sql.as_str(), &query.values, key)?;
        let is_full = keys.len() > self.page.limit as usize;
        let has_end = matches!(source, Source::Log | Source::Ended) && !is_full && !matches_all;
        let end = if has_end { self.end(session, source)? } else { None };
        Ok(Found { keys, end })
    }

    /// Returns the number of rows that were read, and of the matches among them that can be sent again.
    fn count_redeliverable(
        &self,
        session: &mut dyn Session,
        source: Source,
        state: Option<DeliveryState>,
    ) -> Result<(u32, u64)> {
        let mut query = Query { sql: "WITH ".to_owned(), values: Vec::new() };
        self.push_looked_at(&mut query, source, self.budget);
        query.sql.push_str(" SELECT count(*), count(CASE WHEN lease_token IS NULL AND kind = 'scheduled' AND ");
        self.push_matches(&mut query, source, state);
        query.sql.push_str(" THEN 1 END) FROM looked_at");
        let counts = session.first(query.sql.as_str(), &query.values, |row| Ok((row.number()?, row.number()?)))?;
        Ok(counts.unwrap_or_default())
    }

    /// Adds the condition for the rows of `looked_at` that match.
    fn push_matches(&self, query: &mut Query<'a>, source: Source, state: Option<DeliveryState>) {
        query.sql.push_str(condition(state));
        if let (Some(event_type), false) = (self.filter.event_type, matches!(source, Source::Events(_))) {
            query.sql.push_str(" AND EXISTS (SELECT 1 FROM events WHERE events.id = event_id AND type = ");
            query.push(event_type.as_str());
            query.sql.push(')');
        }
    }

    /// Returns the last row that was read, if the budget was used up.
    fn end(&self, session: &mut dyn Session, source: Source) -> Result<Option<PageKey>> {
        let mut query = Query {
            sql: "SELECT created_at, id FROM delivery_states AS deliveries WHERE ".to_owned(),
            values: Vec::new(),
        };
        self.push_range(&mut query, source);
        query.sql.push_str(" ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET ");
        query.push(self.budget.saturating_sub(1));
        session.first(query.sql.as_str(), &query.values, key)
    }

    /// Adds the rows to read, at most `most`, under the name `looked_at`.
    fn push_looked_at(&self, query: &mut Query<'a>, source: Source, most: u32) {
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
                SELECT deliveries.id, deliveries.event_id, deliveries.status, deliveries.attempts, deliveries.created_at,
                    deliveries.lease_token, deliveries.kind, deliveries.previous_status
                FROM ",
        );
        query.sql.push_str(match source {
            Source::Events(_) => "few CROSS JOIN delivery_states AS deliveries WHERE deliveries.event_id = few.id AND ",
            Source::Waiting => {
                "delivery_queue AS waiting CROSS JOIN delivery_states AS deliveries
                 WHERE deliveries.id = waiting.delivery_id AND waiting."
            }
            Source::Log | Source::Ended => "delivery_states AS deliveries WHERE deliveries.",
        });
        self.push_range(query, source);
        if matches!(source, Source::Log | Source::Ended) {
            query.sql.push_str(" ORDER BY created_at DESC, id DESC LIMIT ");
            query.push(most);
        }
        query.sql.push(')');
    }

    /// Adds the conditions on endpoint and time, and those of the source's index. The plus signs keep the databases from
    /// using the index of the log, which they might scan completely to find few rows.
    fn push_range(&self, query: &mut Query<'a>, source: Source) {
        let (is_whole, plus) = match source {
            Source::Log => ("", ""),
            Source::Ended => {
                (" AND run_at IS NULL AND (previous_status = 'failed' OR previous_status = 'exhausted')", "")
            }
            Source::Waiting => ("", "0 + "),
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

    /// Returns the key to start before: the page's key, or the end of the requested time.
    fn before(&self) -> (i64, &'a str) {
        let after = self.page.after.as_ref().map_or((i64::MAX, ""), order);
        after.min((self.filter.until.map_or(i64::MAX, Timestamp::millis), ""))
    }
}

/// Returns the condition for the rows of `looked_at` in the state.
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

/// A query under construction, with its values.
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
