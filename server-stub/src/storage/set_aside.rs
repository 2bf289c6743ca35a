//! Sets aside rows of the queues that cannot be read, because a newer version wrote them or they are damaged. They do not delay
//! other rows, and stay unchanged for a process that can read them.

use std::time::Duration;

use crate::domain::clock::Timestamp;
use crate::domain::store::{Error, Queue, Result};

use super::sql::{BatchStatement, Columns, Session, Statement, Value, values};

/// Time for which a row is set aside. Afterwards, a process of the newer version can claim it.
const PAUSE: Duration = Duration::from_mins(1);

/// Maximum number of rows that a claim reads after an unreadable one.
const MAX_READ_ON: u32 = 1000;

/// A row that cannot be read, or something that belongs to it.
#[derive(Debug)]
pub(super) struct Unreadable {
    pub(super) id: String,
    pub(super) reason: String,
}

/// Separates an error in the row with this id from an error of the database.
pub(super) fn read_row<T>(id: &str, read: Result<T>) -> Result<Result<T, Unreadable>> {
    let reason = match read {
        Ok(row) => return Ok(Ok(row)),
        Err(Error::Broken(source)) => source.to_string(),
        Err(error @ Error::MissingReference) => error.to_string(),
        Err(error) => return Err(error),
    };
    Ok(Err(Unreadable { id: id.to_owned(), reason }))
}

/// Returns the readable and the unreadable rows of a query. The first column must be the id, which is not passed to `read`.
pub(super) fn readable_rows<T>(
    session: &mut dyn Session,
    statement: Statement<'_>,
    values: &[Value<'_>],
    read: impl Fn(&mut Columns<'_>) -> Result<T>,
) -> Result<(Vec<T>, Vec<Unreadable>)> {
    let (mut readable, mut unreadable) = (Vec::new(), Vec::new());
    session.query_statement(statement, values, &mut |row| {
        let id = row.text()?;
        match read_row(&id, read(row))? {
            Ok(value) => readable.push(value),
            Err(row) => unreadable.push(row),
        }
        Ok(())
    })?;
    Ok((readable, unreadable))
}

/// Returns the result of `read` for `limit` rows. If some cannot be read, reads more. So thousands of unreadable rows, for
/// example of a newer version, are set aside in one claim instead of many.
pub(super) fn past_unreadable<T>(
    limit: u32,
    mut read: impl FnMut(u32) -> Result<(Vec<T>, Vec<Unreadable>)>,
) -> Result<(Vec<T>, Vec<Unreadable>)> {
    let (mut readable, mut unreadable) = read(limit)?;
    if !unreadable.is_empty() && limit < MAX_READ_ON {
        (readable, unreadable) = read(MAX_READ_ON)?;
        readable.truncate(limit as usize);
    }
    Ok((readable, unreadable))
}

/// Sets aside rows of a queue.
pub(super) fn set_aside(
    session: &mut dyn Session,
    queue: Queue,
    unreadable: &[Unreadable],
    now: Timestamp,
) -> Result<()> {
    let inputs: Vec<_> = unreadable.iter().map(|row| values![&row.id, now.plus(PAUSE)].to_vec()).collect();
    let statement = match queue {
        Queue::Jobs => &SET_JOBS_ASIDE,
        Queue::Posts => &SET_POSTS_ASIDE,
        Queue::Deliveries => &SET_DELIVERIES_ASIDE,
    };
    session.execute_batch(statement, &inputs)
}

macro_rules! set_aside_in {
    ($table:literal, $also:literal) => {
        BatchStatement {
            sqlite_each: concat!("UPDATE ", $table, " SET run_at = $2", $also, " WHERE id = $1"),
            postgres_all: concat!(
                "UPDATE ",
                $table,
                " SET run_at = input.run_at",
                $also,
                " FROM unnest($1::text[], $2::int8[]) AS input (id, run_at) WHERE ",
                $table,
                ".id = input.id"
            ),
        }
    };
}

/// Ends a lapsed claim. The token of a lapsed lease stays, so `is_set_aside` shows that no worker holds the job.
const SET_JOBS_ASIDE: BatchStatement = set_aside_in!("jobs", ", claim_token = NULL, is_set_aside = 1");
/// The new `run_at` is steady time.
const SET_POSTS_ASIDE: BatchStatement = set_aside_in!("scheduled_posts", ", is_wall_time = 0");
/// Also ends a lapsed lease, as a release does. Otherwise the delivery would count as in flight to its endpoint.
const SET_DELIVERIES_ASIDE: BatchStatement = BatchStatement {
    sqlite_each: "UPDATE delivery_queue SET run_at = $2, lease_token = NULL,
            attempts = attempts - CASE WHEN lease_token IS NOT NULL AND kind = 'scheduled' THEN 1 ELSE 0 END
         WHERE delivery_id = $1",
    postgres_all: "UPDATE delivery_queue SET run_at = input.run_at, lease_token = NULL,
            attempts = attempts - CASE WHEN lease_token IS NOT NULL AND kind = 'scheduled' THEN 1 ELSE 0 END
         FROM unnest($1::text[], $2::int8[]) AS input (id, run_at)
         WHERE delivery_id = input.id",
};
