//! Rows of the queues that cannot be read: a newer version wrote them, or they are damaged. They are set aside for a while, so
//! that other rows do not wait for them, and left unchanged for a process that can read them.

use std::time::Duration;

use crate::domain::clock::Timestamp;
use crate::domain::store::{Error, Queue, Result};

use super::sql::{BatchStatement, Columns, Session, Statement, Value, values};

/// The time for which a row is set aside. A process of the newer version takes it up afterwards.
const PAUSE: Duration = Duration::from_mins(1);

/// Maximum number of rows that a claim reads after one that cannot be read.
const MAX_READ_ON: u32 = 1000;

/// A row that cannot be read, or something that belongs to it.
#[derive(Debug)]
pub(super) struct Unreadable {
    pub(super) id: String,
    pub(super) reason: String,
}

/// Keeps an error that concerns only the row with that id apart from one that concerns the database.
pub(super) fn read_row<T>(id: &str, read: Result<T>) -> Result<Result<T, Unreadable>> {
    let reason = match read {
        Ok(row) => return Ok(Ok(row)),
        Err(Error::Broken(source)) => source.to_string(),
        Err(error @ Error::MissingReference) => error.to_string(),
        Err(error) => return Err(error),
    };
    Ok(Err(Unreadable { id: id.to_owned(), reason }))
}

/// The rows of a query that can be read, and those that cannot. The query returns the id first, which `read` does not get.
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

/// Returns the result of `read` for `limit` rows. If some cannot be read, reads more. So thousands of unreadable rows, as a newer
/// version may leave, are set aside together and do not use up one claim after the other.
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

/// Sets rows of a queue aside.
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
    ($table:literal $(, $also:literal)?) => {
        BatchStatement {
            sqlite_each: concat!("UPDATE ", $table, " SET run_at = $2", $($also,)? " WHERE id = $1"),
            postgres_all: concat!(
                "UPDATE ",
                $table,
                " SET run_at = input.run_at",
                $($also,)?
                " FROM unnest($1::text[], $2::int8[]) AS input (id, run_at) WHERE ",
                $table,
                ".id = input.id"
            ),
        }
    };
}

/// An empty `claim_token` marks a job that was set aside.
const SET_JOBS_ASIDE: BatchStatement = set_aside_in!("jobs", ", claim_token = ''");
const SET_POSTS_ASIDE: BatchStatement = set_aside_in!("scheduled_posts");
/// A lapsed lease ends, as when its delivery is released: with it the delivery would count as one in flight to its endpoint.
const SET_DELIVERIES_ASIDE: BatchStatement = BatchStatement {
    sqlite_each: "UPDATE deliveries SET run_at = $2, lease_token = NULL,
            attempts = attempts - CASE WHEN lease_token IS NOT NULL AND kind = 'scheduled' THEN 1 ELSE 0 END
         WHERE id = $1",
    postgres_all: "UPDATE deliveries SET run_at = input.run_at, lease_token = NULL,
            attempts = attempts - CASE WHEN lease_token IS NOT NULL AND kind = 'scheduled' THEN 1 ELSE 0 END
         FROM unnest($1::text[], $2::int8[]) AS input (id, run_at)
         WHERE deliveries.id = input.id",
};
