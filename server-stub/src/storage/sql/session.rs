//! The session in which statements run: a transaction of the writer, or a connection that reads.

use crate::domain::randomness::Randomness;
use crate::domain::store::Result;

use super::{BatchStatement, Columns, Statement, Value, read};

/// Runs statements, for all work that needs no named lock. Only this session is given to writes that PostgreSQL groups with others
/// in one transaction: such work changes one row and the rows that belong to it.
pub(in crate::storage) trait Session {
    /// Returns the source of bytes for ids and tokens of this session.
    fn randomness(&self) -> &dyn Randomness;

    /// Runs a statement and returns the number of rows that it changed.
    fn execute_statement(&mut self, statement: Statement<'_>, values: &[Value<'_>]) -> Result<u64>;

    /// Runs a query and passes each row to `each`.
    fn query_statement(
        &mut self,
        statement: Statement<'_>,
        values: &[Value<'_>],
        each: &mut dyn FnMut(&mut Columns<'_>) -> Result<()>,
    ) -> Result<()>;

    /// Runs a statement once for each list of values. No two lists may lead to the same row.
    fn execute_batch(&mut self, batch: &BatchStatement, inputs: &[Vec<Value<'_>>]) -> Result<()>;

    /// Runs a statement that changes at most one row for each list of values. Returns for each list whether it changed a
    /// row. No two lists may lead to the same row.
    fn update_batch(&mut self, batch: &BatchStatement, inputs: &[Vec<Value<'_>>]) -> Result<Vec<bool>>;

    /// Runs a statement once for each list of values. Passes each row to `each`, with the number of its list from 0. The
    /// statement defines the order of the rows.
    fn query_batch(
        &mut self,
        batch: &BatchStatement,
        inputs: &[Vec<Value<'_>>],
        each: &mut dyn FnMut(usize, &mut Columns<'_>) -> Result<()>,
    ) -> Result<()>;
}

/// A transaction that runs alone, or as one batch that takes all its locks in one order. Only these transactions can take named
/// locks: grouped work that waits for a lock could deadlock with another group.
pub(in crate::storage) trait ExclusiveSession: Session {
    /// Takes a lock for each name, in this order, until the transaction ends. Other sessions wait for a lock of the same name.
    fn lock_all(&mut self, names: &[String]) -> Result<()>;
}

impl dyn ExclusiveSession + '_ {
    /// [`ExclusiveSession::lock_all`] for one name.
    pub(in crate::storage) fn lock(&mut self, name: &str) -> Result<()> {
        self.lock_all(&[name.to_owned()])
    }
}

/// Statements in the forms that callers need, on both kinds of session.
macro_rules! statements {
    ($session:ty) => {
        impl $session {
            /// Runs a statement and returns the number of rows that it changed.
            pub(in crate::storage) fn execute<'s>(
                &mut self,
                statement: impl Into<Statement<'s>>,
                values: &[Value<'_>],
            ) -> Result<u64> {
                self.execute_statement(statement.into(), values)
            }

            /// Returns all rows of a query.
            pub(in crate::storage) fn rows<'s, T>(
                &mut self,
                statement: impl Into<Statement<'s>>,
                values: &[Value<'_>],
                mut read: impl FnMut(&mut Columns<'_>) -> Result<T>,
            ) -> Result<Vec<T>> {
                let mut rows = Vec::new();
                self.query_statement(statement.into(), values, &mut |columns| {
                    rows.push(read(columns)?);
                    Ok(())
                })?;
                Ok(rows)
            }

            /// Returns the first row of a query, if any.
            pub(in crate::storage) fn first<'s, T>(
                &mut self,
                statement: impl Into<Statement<'s>>,
                values: &[Value<'_>],
                mut read: impl FnMut(&mut Columns<'_>) -> Result<T>,
            ) -> Result<Option<T>> {
                let mut first = None;
                self.query_statement(statement.into(), values, &mut |columns| {
                    if first.is_none() {
                        first = Some(read(columns)?);
                    }
                    Ok(())
                })?;
                Ok(first)
            }

            /// Returns true if a query has any row.
            pub(in crate::storage) fn exists<'s>(
                &mut self,
                statement: impl Into<Statement<'s>>,
                values: &[Value<'_>],
            ) -> Result<bool> {
                Ok(self.first(statement, values, |_| Ok(()))?.is_some())
            }

            /// Returns the number from a query with one row and one column.
            pub(in crate::storage) fn number<'s>(
                &mut self,
                statement: impl Into<Statement<'s>>,
                values: &[Value<'_>],
            ) -> Result<i64> {
                Ok(self.first(statement, values, read::number)?.unwrap_or_default())
            }
        }
    };
}

statements!(dyn Session + '_);
statements!(dyn ExclusiveSession + '_);
