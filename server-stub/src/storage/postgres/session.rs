//! A connection to PostgreSQL as a [`Session`].

use tokio_postgres::types::ToSql;
use tokio_postgres::{Row, Statement};

use crate::domain::randomness::Randomness;
use crate::domain::store::Result;
use crate::storage::sql::{self, BatchStatement, Columns, ExclusiveSession, Session, Value};

use super::connection::Connection;
use super::error::{ConnectionError, is_deadlock};

/// Maximum number of prepared statements. There are fewer, except for lists with many filters.
const MAX_PREPARED: usize = 256;

/// Statements on one connection. They are prepared once.
pub(super) struct PostgresSession<'c> {
    pub(super) connection: &'c mut Connection,
    pub(super) randomness: &'c dyn Randomness,
    /// True if a statement failed because of a deadlock.
    pub(super) was_deadlock: bool,
}

type Parameters<'a> = Vec<&'a (dyn ToSql + Sync)>;

fn parameters<T: ToSql + Sync>(values: &[T]) -> Parameters<'_> {
    values.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

/// Turns the values of many lists into one array per parameter.
fn arrays<'a>(inputs: &'a [Vec<Value<'a>>]) -> Vec<Vec<&'a Value<'a>>> {
    let parameters = inputs.first().map_or(0, Vec::len);
    (0..parameters).map(|parameter| inputs.iter().map(|values| &values[parameter]).collect()).collect()
}

impl PostgresSession<'_> {
    fn prepare(&mut self, sql: &str) -> Result<Statement> {
        tracing::trace!(sql, "runs a statement");
        if let Some(statement) = self.connection.prepared.get(sql) {
            return Ok(statement.clone());
        }
        let prepared = self.connection.wait(self.connection.client.prepare(sql));
        let statement = self.note_deadlock(prepared)?;
        if self.connection.prepared.len() >= MAX_PREPARED {
            self.connection.prepared.clear();
        }
        self.connection.prepared.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    fn note_deadlock<T>(&mut self, outcome: Result<T, ConnectionError>) -> Result<T> {
        outcome.map_err(|error| {
            self.was_deadlock |= is_deadlock(&error);
            error.into()
        })
    }

    fn execute(&mut self, sql: &str, parameters: &[&(dyn ToSql + Sync)]) -> Result<u64> {
        let statement = self.prepare(sql)?;
        let changed = self.connection.wait(self.connection.client.execute(&statement, parameters));
        self.note_deadlock(changed)
    }

    /// Returns all rows of a query.
    fn query(&mut self, sql: &str, parameters: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>> {
        let statement = self.prepare(sql)?;
        let rows = self.connection.wait(self.connection.client.query(&statement, parameters));
        self.note_deadlock(rows)
    }
}

impl Session for PostgresSession<'_> {
    fn randomness(&self) -> &dyn Randomness {
        self.randomness
    }

    fn execute_statement(&mut self, statement: sql::Statement<'_>, values: &[Value<'_>]) -> Result<u64> {
        self.execute(statement.postgres, &parameters(values))
    }

    fn query_statement(
        &mut self,
        statement: sql::Statement<'_>,
        values: &[Value<'_>],
        each: &mut dyn FnMut(&mut Columns<'_>) -> Result<()>,
    ) -> Result<()> {
        self.query(statement.postgres, &parameters(values))?.iter().try_for_each(|row| each(&mut Columns::new(row)))
    }

    fn execute_batch(&mut self, batch: &BatchStatement, inputs: &[Vec<Value<'_>>]) -> Result<()> {
        if inputs.is_empty() {
            return Ok(());
        }
        self.execute(batch.postgres_all, &parameters(&arrays(inputs)))?;
        Ok(())
    }

    fn update_batch(&mut self, batch: &BatchStatement, inputs: &[Vec<Value<'_>>]) -> Result<Vec<bool>> {
        let mut is_changed = vec![false; inputs.len()];
        self.query_batch(batch, inputs, &mut |number, _| {
            is_changed[number] = true;
            Ok(())
        })?;
        Ok(is_changed)
    }

    fn query_batch(
        &mut self,
        batch: &BatchStatement,
        inputs: &[Vec<Value<'_>>],
        each: &mut dyn FnMut(usize, &mut Columns<'_>) -> Result<()>,
    ) -> Result<()> {
        if inputs.is_empty() {
            return Ok(());
        }
        self.query(batch.postgres_all, &parameters(&arrays(inputs)))?.iter().try_for_each(|row| {
            let mut columns = Columns::new(row);
            let number: usize = columns.number()?;
            each(number.saturating_sub(1), &mut columns)
        })
    }
}

impl ExclusiveSession for PostgresSession<'_> {
    fn lock_all(&mut self, names: &[String]) -> Result<()> {
        // Advisory locks belong to the database, which may contain several schemas of this service.
        let locks = "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ':' || name, 0))
                     FROM unnest($1::text[]) AS name";
        let names: Vec<_> = names.iter().map(|name| name.replace('\0', "\u{fffd}")).collect();
        self.query(locks, &[&names])?;
        Ok(())
    }
}
