//! The session in which statements run: a transaction of the writer, or a connection that reads. One text of SQL serves both
//! databases: parameters are written `?1`, `?2`, and what only PostgreSQL is to see stands in a comment `/*pg … */`, which
//! SQLite skips.

use crate::domain::store::Result;

use super::{Columns, Value, read};

/// Runs statements.
pub(in crate::storage) trait Session {
    /// Runs a statement and says how many rows it changed.
    fn execute(&mut self, sql: &str, values: &[Value<'_>]) -> Result<u64>;

    /// Runs a query and hands each row to `each`.
    fn query(
        &mut self,
        sql: &str,
        values: &[Value<'_>],
        each: &mut dyn FnMut(&mut Columns<'_>) -> Result<()>,
    ) -> Result<()>;

    /// Runs a statement once for each list of values, all at once where that takes a network's time, and says how many rows
    /// each run changed. No two runs may change the same row.
    fn execute_many(&mut self, sql: &str, runs: &[Vec<Value<'_>>]) -> Result<Vec<u64>>;

    /// Runs a query once for each list of values like [`Session::execute_many`]; `each` is told the number of the run.
    fn query_many(
        &mut self,
        sql: &str,
        runs: &[Vec<Value<'_>>],
        each: &mut dyn FnMut(usize, &mut Columns<'_>) -> Result<()>,
    ) -> Result<()>;

    /// Keeps every other session that takes a lock of one of these names waiting until this one's transaction ends. They are
    /// taken in their order here.
    fn lock_all(&mut self, names: &[String]) -> Result<()>;
}

impl dyn Session + '_ {
    /// [`Session::lock_all`] for one name.
    pub(in crate::storage) fn lock(&mut self, name: &str) -> Result<()> {
        self.lock_all(&[name.to_owned()])
    }

    /// All rows of a query.
    pub(in crate::storage) fn rows<T>(
        &mut self,
        sql: &str,
        values: &[Value<'_>],
        mut read: impl FnMut(&mut Columns<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut rows = Vec::new();
        self.query(sql, values, &mut |columns| {
            rows.push(read(columns)?);
            Ok(())
        })?;
        Ok(rows)
    }

    /// The first row of a query, if there is one.
    pub(in crate::storage) fn first<T>(
        &mut self,
        sql: &str,
        values: &[Value<'_>],
        mut read: impl FnMut(&mut Columns<'_>) -> Result<T>,
    ) -> Result<Option<T>> {
        let mut first = None;
        self.query(sql, values, &mut |columns| {
            if first.is_none() {
                first = Some(read(columns)?);
            }
            Ok(())
        })?;
        Ok(first)
    }

    /// Whether a query has any row.
    pub(in crate::storage) fn exists(&mut self, sql: &str, values: &[Value<'_>]) -> Result<bool> {
        Ok(self.first(sql, values, |_| Ok(()))?.is_some())
    }

    /// The number that a query of one row and one column gives.
    pub(in crate::storage) fn number(&mut self, sql: &str, values: &[Value<'_>]) -> Result<i64> {
        Ok(self.first(sql, values, read::number)?.unwrap_or_default())
    }
}
