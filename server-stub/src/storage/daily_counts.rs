//! Counts what happened on each day, and stores the counts of past days.

use std::collections::BTreeMap;

use crate::domain::day::Day;
use crate::domain::store::{CountedDays, DayCounts, Result};
use crate::domain::time_zone::TimeZone;

use super::sql::{Columns, Session, Statement, to_json, values};
use super::store::Store;

impl Store {
    /// Returns the counts of each of these days. Past days are counted once and stored, so later erasures do not change
    /// them.
    pub async fn daily_counts(&self, account_id: &str, days: CountedDays) -> Result<Vec<DayCounts>> {
        let account = account_id.to_owned();
        // Counting takes long, so it is outside the writing transaction.
        let found = self.read_many(move |session| find(session, &account, days)).await?;
        if !found.to_keep.is_empty() {
            let account = account_id.to_owned();
            self.write_exclusive(move |session| keep(session, &account, days.zone, &found.to_keep)).await?;
        }
        Ok(found.days)
    }
}

/// The counts of some days.
pub(super) struct Found {
    /// All days.
    pub(super) days: Vec<DayCounts>,
    /// Past days that were not stored before.
    pub(super) to_keep: Vec<DayCounts>,
}

/// Returns the counts of the days: stored ones unchanged, all others counted.
fn find(session: &mut dyn Session, account_id: &str, days: CountedDays) -> Result<Found> {
    let open_from = days.open_from.max(days.first);
    let mut kept: BTreeMap<Day, DayCounts> = session
        .rows(
            "SELECT day, articles, leads, deliveries, failures FROM daily_statistics
             WHERE account_id = $1 AND time_zone = $2 AND day >= $3 AND day < $4",
            values![account_id, days.zone.name(), days.first.number(), open_from.number()],
            read,
        )?
        .into_iter()
        .map(|counts| (counts.day, counts))
        .collect();
    let each_day = || (days.first.number()..=days.last.number()).map(Day::from_number);
    let first_missing = each_day().find(|day| !kept.contains_key(day));
    let mut counted = match first_missing {
        Some(from) => count(session, account_id, CountedDays { first: from, ..days })?,
        None => BTreeMap::new(),
    };
    let mut found = Found { days: Vec::new(), to_keep: Vec::new() };
    for day in each_day() {
        let counts = kept.remove(&day).unwrap_or_else(|| {
            let counts = counted.remove(&day).unwrap_or_else(|| none(day));
            found.to_keep.extend((day < open_from).then_some(counts));
            counts
        });
        found.days.push(counts);
    }
    Ok(found)
}

/// Stores the counts of past days.
fn keep(session: &mut dyn Session, account_id: &str, zone: TimeZone, days: &[DayCounts]) -> Result<()> {
    for counts in days {
        let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        // Another process may have stored the same counts in the meantime.
        session.execute(
            "INSERT INTO daily_statistics (account_id, time_zone, day, articles, leads, deliveries, failures)
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (account_id, time_zone, day) DO NOTHING",
            values![
                account_id,
                zone.name(),
                counts.day.number(),
                number(counts.articles),
                number(counts.leads),
                number(counts.deliveries),
                number(counts.failures),
            ],
        )?;
    }
    Ok(())
}

const fn none(day: Day) -> DayCounts {
    DayCounts { day, articles: 0, leads: 0, deliveries: 0, failures: 0 }
}

/// Counts in one statement, so that all numbers are from the same moment.
fn count(session: &mut dyn Session, account_id: &str, range: CountedDays) -> Result<BTreeMap<Day, DayCounts>> {
    let start = |number| range.zone.start_of(Day::from_number(number)).millis();
    let bounds: Vec<_> = (range.first.number()..=range.last.number())
        .map(|number| (number, start(number), start(number.saturating_add(1))))
        .collect();
    let mut days = BTreeMap::new();
    session.query_statement(COUNT, values![account_id, &to_json(&bounds)], &mut |row| {
        let (kind, day, count) = (row.number::<i64>()?, Day::from_number(row.number()?), row.number::<u64>()?);
        let counts = days.entry(day).or_insert(none(day));
        match kind {
            1 => counts.articles += count,
            2 => counts.leads += count,
            3 => counts.deliveries += count,
            4 => counts.failures += count,
            _ => counts.deliveries = counts.deliveries.saturating_sub(count),
        }
        Ok(())
    })?;
    Ok(days)
}

/// Counts in each of `days`: the part of the statement that both databases share. Each part reads only an index, day by day, so
/// that nothing is sorted. The exception is the waiting deliveries: the plus sign keeps the databases from scanning all deliveries
/// for them, and `CROSS JOIN` keeps SQLite from scanning them for each day. The rows of the last kind come last.
macro_rules! counts {
    () => {
        "
    SELECT CAST(1 AS BIGINT) AS kind, day,
        (SELECT count(*) FROM articles
            WHERE account_id = $1 AND created_at >= since AND created_at < until)
        FROM days
    UNION ALL
    SELECT 2, day,
        (SELECT count(*) FROM leads
            WHERE account_id = $1 AND captured_at >= since AND captured_at < until)
        FROM days
    UNION ALL
    SELECT 3, day,
        (SELECT count(*) FROM deliveries WHERE endpoint_id = hook_endpoints.id
            AND deliveries.created_at >= since AND deliveries.created_at < until)
        FROM days CROSS JOIN hook_endpoints WHERE account_id = $1
    UNION ALL
    SELECT 4, day,
        (SELECT count(*) FROM deliveries WHERE endpoint_id = hook_endpoints.id
            AND deliveries.created_at >= since AND deliveries.created_at < until
            AND (deliveries.status = 'failed' OR deliveries.status = 'exhausted')
            AND NOT EXISTS (SELECT 1 FROM delivery_queue WHERE delivery_id = deliveries.id))
        FROM days CROSS JOIN hook_endpoints WHERE account_id = $1
    UNION ALL
    SELECT 5, day, count(*)
        FROM hook_endpoints CROSS JOIN delivery_queue CROSS JOIN deliveries CROSS JOIN days
        WHERE account_id = $1 AND delivery_queue.endpoint_id = hook_endpoints.id AND deliveries.id = delivery_id
            AND +deliveries.created_at >= since AND +deliveries.created_at < until
        GROUP BY day
    ORDER BY 1"
    };
}

const COUNT: Statement<'_> = Statement {
    sqlite: concat!(
        "WITH days AS MATERIALIZED (
            SELECT value ->> 0 AS day, value ->> 1 AS since, value ->> 2 AS until FROM json_each($2))",
        counts!()
    ),
    postgres: concat!(
        "WITH days AS MATERIALIZED (
            SELECT CAST(value ->> 0 AS BIGINT) AS day, CAST(value ->> 1 AS BIGINT) AS since,
                CAST(value ->> 2 AS BIGINT) AS until
            FROM jsonb_array_elements(CAST(CAST($2 AS TEXT) AS jsonb)))",
        counts!()
    ),
};

fn read(row: &mut Columns<'_>) -> Result<DayCounts> {
    Ok(DayCounts {
        day: Day::from_number(row.number()?),
        articles: row.number()?,
        leads: row.number()?,
        deliveries: row.number()?,
        failures: row.number()?,
    })
}
