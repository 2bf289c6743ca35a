//! Writes rows into a file with exclusive access and without durability.

use std::io::Write;
use std::path::Path;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ToSql, params_from_iter};

use super::rows::{Table, Value};
use super::run::Progress;
use crate::population::Population;

/// Rows between two progress updates.
const STRETCH: u64 = 10_000;

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Integer(number) => ValueRef::Integer(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

/// Writes all rows.
pub(super) fn fill<W: Write>(
    path: &Path,
    tables: &[Table],
    population: &Population,
    progress: &mut Progress<'_, W>,
) -> anyhow::Result<()> {
    let connection = Connection::open(path)?;
    // The rows refer to each other correctly, and the cache holds every index.
    connection.execute_batch(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA cache_size = -1500000",
    )?;
    for table in tables {
        connection.execute_batch("BEGIN")?;
        let places = vec!["?"; table.columns.split(',').count()].join(", ");
        let sql = format!("INSERT INTO {} ({}) VALUES ({places})", table.name, table.columns);
        let mut insert = connection.prepare(&sql)?;
        for number in 0..table.rows(population) {
            insert.execute(params_from_iter((table.row)(population, number)))?;
            if (number + 1).is_multiple_of(STRETCH) {
                progress.add(table, STRETCH)?;
            }
        }
        connection.execute_batch("COMMIT")?;
    }
    // The server does the same when it starts.
    connection.execute_batch("PRAGMA optimize = 0x10002; PRAGMA journal_mode = WAL")?;
    Ok(())
}
