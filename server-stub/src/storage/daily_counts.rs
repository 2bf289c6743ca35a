//! Counts what happened on each day, and stores the counts of past days.

use std::collections::BTreeMap;

use crate::domain::day::Day;
use crate::domain::store::{CountedDays, DayCounts, Result};

use super::sql::{Columns, Session, values};
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
            self.write_exclusive(move |session| keep(session, &account, &found.to_keep)).await?;
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
             WHERE account_id = $1 AND day >= $2 AND day < $3",
            values![account_id, days.first.number(), open_from.number()],
            read,
        )?
        .into_iter()
        .map(|counts| (counts.day, counts))
        .collect();
    let each_day = || (days.first.number()..=days.last.number()).map(Day::from_number);
    let first_missing = each_day().find(|day| !kept.contains_key(day));
    let mut counted = match first_missing {
        Some(from) => count(session, account_id, from, days.last)?,
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
fn keep(session: &mut dyn Session, account_id: &str, days: &[DayCounts]) -> Result<()> {
    for counts in days {
        let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        // Another process may have stored the same counts in the meantime.
        session.execute(
            "INSERT INTO daily_statistics (account_id, day, articles, leads, deliveries, failures)
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (account_id, day) DO NOTHING",
            values![
                account_id,
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
fn count(session: &mut dyn Session, account_id: &str, from: Day, last: Day) -> Result<BTreeMap<Day, DayCounts>> {
    let mut days = BTreeMap::new();
    let rows = session.rows(COUNT, values![account_id, from.number(), last.number()], |row| {
        Ok((row.number::<i64>()?, Day::from_number(row.number()?), row.number::<u64>()?))
    })?;
    for (kind, day, count) in rows {
        let counts = days.entry(day).or_insert(none(day));
        match kind {
            1 => counts.articles += count,
            2 => counts.leads += count,
            3 => counts.deliveries += count,
            4 => counts.failures += count,
            _ => counts.deliveries = counts.deliveries.saturating_sub(count),
        }
    }
    Ok(days)
}

/// Each part reads only an index, day by day, so that nothing is sorted. The exception is the waiting deliveries: the plus sign
/// keeps the databases from scanning all deliveries for them. The rows of the last kind come last.
const COUNT: &str = "
    WITH RECURSIVE days (day) AS (
        SELECT CAST($2 AS BIGINT) UNION ALL SELECT day + 1 FROM days WHERE day < $3
    )
    SELECT CAST(1 AS BIGINT) AS kind, day,
        (SELECT count(*) FROM articles
            WHERE account_id = $1 AND created_at >= day * 86400000 AND created_at < (day + 1) * 86400000)
        FROM days
    UNION ALL
    SELECT 2, day,
        (SELECT count(*) FROM leads
            WHERE account_id = $1 AND captured_at >= day * 86400000 AND captured_at < (day + 1) * 86400000)
        FROM days
    UNION ALL
    SELECT 3, day,
        (SELECT count(*) FROM deliveries WHERE endpoint_id = hook_endpoints.id
            AND deliveries.created_at >= day * 86400000 AND deliveries.created_at < (day + 1) * 86400000)
        FROM days CROSS JOIN hook_endpoints WHERE account_id = $1
    UNION ALL
    SELECT 4, day,
        (SELECT count(*) FROM deliveries WHERE endpoint_id = hook_endpoints.id
            AND deliveries.created_at >= day * 86400000 AND deliveries.created_at < (day + 1) * 86400000
            AND (deliveries.status = 'failed' OR deliveries.status = 'exhausted')
            AND NOT EXISTS (SELECT 1 FROM delivery_queue WHERE delivery_id = deliveries.id))
        FROM days CROSS JOIN hook_endpoints WHERE account_id = $1
    UNION ALL
    SELECT 5, deliveries.created_at / 86400000, count(*)
        FROM hook_endpoints
        JOIN delivery_queue ON delivery_queue.endpoint_id = hook_endpoints.id
        JOIN deliveries ON deliveries.id = delivery_id
        WHERE account_id = $1
            AND +deliveries.created_at >= $2 * 86400000 AND +deliveries.created_at < ($3 + 1) * 86400000
        GROUP BY deliveries.created_at / 86400000
    ORDER BY 1";

fn read(row: &mut Columns<'_>) -> Result<DayCounts> {
    Ok(DayCounts {
        day: Day::from_number(row.number()?),
        articles: row.number()?,
        leads: row.number()?,
        deliveries: row.number()?,
        failures: row.number()?,
    })
}
