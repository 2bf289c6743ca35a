//! Rows of the queues that cannot be read: a newer version wrote them, or they are damaged. They are set aside for a while, so
//! that they keep no others waiting, and otherwise left as they are for whoever can read them.

use std::time::Duration;

use crate::domain::clock::Timestamp;
use crate::domain::store::{Error, Queue, Result};
use crate::storage::sql::{BatchStatement, Columns, Session, Statement, Value, values};

/// How long a row is set aside. A process of the newer version takes it up afterwards.
const PAUSE: Duration = Duration::from_mins(1);

/// A row that cannot be read, or something that belongs to it.
#[derive(Debug)]
pub(in crate::storage) struct Unreadable {
    pub(in crate::storage) id: String,
    pub(in crate::storage) reason: String,
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
    ($table:literal) => {
        BatchStatement {
            sqlite_each: concat!("UPDATE ", $table, " SET run_at = $2 WHERE id = $1"),
            postgres_all: concat!(
                "UPDATE ",
                $table,
                " SET run_at = input.run_at FROM unnest($1::text[], $2::int8[]) AS input (id, run_at) WHERE ",
                $table,
                ".id = input.id"
            ),
        }
    };
}

const SET_JOBS_ASIDE: BatchStatement = set_aside_in!("jobs");
const SET_POSTS_ASIDE: BatchStatement = set_aside_in!("scheduled_posts");
const SET_DELIVERIES_ASIDE: BatchStatement = set_aside_in!("deliveries");
