//! The ledger on an SQLite file. It only reads, so the server may run at the same time.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};
use rusqlite::Connection;
use rusqlite::types::ValueRef;

use super::ledger::{Cell, Ledger};

/// An open file.
#[derive(Debug)]
pub(super) struct SqliteLedger(Connection);

impl SqliteLedger {
    /// Opens the file at `path`, which must exist.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE;
        let connection =
            Connection::open_with_flags(path, flags).with_context(|| format!("{} cannot be opened", path.display()))?;
        connection.busy_timeout(Duration::from_secs(10))?;
        Ok(Self(connection))
    }
}

impl Ledger for SqliteLedger {
    fn rows(&mut self, query: &str) -> Result<Vec<Vec<Cell>>> {
        let mut statement = self.0.prepare(query)?;
        let columns = statement.column_count();
        let mut rows = statement.query([])?;
        let mut all = Vec::new();
        while let Some(row) = rows.next()? {
            all.push((0..columns).map(|index| cell(row.get_ref(index)?)).collect::<Result<_>>()?);
        }
        Ok(all)
    }

    fn damage(&mut self) -> Result<Vec<String>> {
        let lines = self.rows("PRAGMA integrity_check")?.into_iter().flatten();
        let lines = lines.map(|line| line.text()).collect::<Result<Vec<_>>>()?;
        Ok(lines.into_iter().filter(|line| line != "ok").collect())
    }
}

fn cell(value: ValueRef<'_>) -> Result<Cell> {
    Ok(match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(number) => Cell::Number(number),
        ValueRef::Text(text) => Cell::Text(std::str::from_utf8(text)?.to_owned()),
        ValueRef::Blob(bytes) => Cell::Bytes(bytes.to_vec()),
        ValueRef::Real(number) => anyhow::bail!("unexpected number {number}: the tables contain no fractions"),
    })
}
