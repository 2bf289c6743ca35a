//! A connection to PostgreSQL as a [`Session`].

use std::collections::HashMap;

use tokio_postgres::types::ToSql;
use tokio_postgres::{Row, Statement};

use crate::domain::store::Result;
use crate::storage::sql::{self, Columns, Session, Value};

use super::connection::Connection;
use super::error::{ConnectionError, is_deadlock};
use super::many::Many;

/// Statements that stay prepared; more than there are but for lists with many filters.
const PREPARED: usize = 256;

/// What a connection has prepared, by the text that the statements have here.
#[derive(Default)]
pub(super) struct Prepared {
    single: HashMap<String, Statement>,
    many: HashMap<String, Option<ForMany>>,
}

/// A statement that stands for many runs of another.
#[derive(Clone)]
struct ForMany {
    statement: Statement,
    is_numbered: bool,
}

/// Statements on one connection. They are prepared once.
pub(super) struct PostgresSession<'c> {
    pub(super) connection: &'c Connection,
    pub(super) prepared: &'c mut Prepared,
    /// Whether a statement failed so that another transaction could go on.
    pub(super) was_deadlock: bool,
}

type Parameters<'a> = Vec<&'a (dyn ToSql + Sync)>;

fn parameters<T: ToSql + Sync>(values: &[T]) -> Parameters<'_> {
    values.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

/// The values of many runs, one array for each parameter.
fn arrays<'a>(runs: &'a [Vec<Value<'a>>]) -> Vec<Vec<&'a Value<'a>>> {
    let parameters = runs.first().map_or(0, Vec::len);
    (0..parameters).map(|parameter| runs.iter().map(|values| &values[parameter]).collect()).collect()
}

/// Which run a row belongs to, from 0: its first column counts from 1.
fn run_of(columns: &mut Columns<'_>) -> Result<usize> {
    Ok(columns.number::<usize>()?.saturating_sub(1))
}

impl PostgresSession<'_> {
    fn prepare(&mut self, sql: &str) -> Result<Statement> {
        if let Some(statement) = self.prepared.single.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.prepare_text(sql)?;
        if self.prepared.single.len() >= PREPARED {
            self.prepared.single.clear();
        }
        self.prepared.single.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    fn prepare_text(&mut self, text: &str) -> Result<Statement> {
        let prepared = self.connection.wait(self.connection.client.prepare(text));
        self.noted(prepared)
    }

    /// The statement for many runs of `sql`, if there can be one.
    fn prepare_many(&mut self, sql: &str) -> Result<Option<ForMany>> {
        if let Some(known) = self.prepared.many.get(sql) {
            return Ok(known.clone());
        }
        // What the values are is known when the statement for one run was prepared.
        let types = self.prepare(sql)?.params().to_vec();
        let prepared = match Many::of(sql, &types) {
            None => None,
            Some(Many::Numbered(text)) => Some(ForMany { statement: self.prepare_text(&text)?, is_numbered: true }),
            Some(Many::Added(text)) => Some(ForMany { statement: self.prepare_text(&text)?, is_numbered: false }),
        };
        self.prepared.many.insert(sql.to_owned(), prepared.clone());
        Ok(prepared)
    }

    fn noted<T>(&mut self, outcome: Result<T, ConnectionError>) -> Result<T> {
        outcome.map_err(|error| {
            self.was_deadlock |= is_deadlock(&error);
            error.into()
        })
    }

    /// All rows of a query whose parameters need no [`Value`]: arrays.
    pub(super) fn arrays(&mut self, sql: &str, parameters: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>> {
        let statement = self.prepare(sql)?;
        let rows = self.connection.wait(self.connection.client.query(&statement, parameters));
        self.noted(rows)
    }
}

impl Session for PostgresSession<'_> {
    fn execute_statement(&mut self, statement: sql::Statement<'_>, values: &[Value<'_>]) -> Result<u64> {
        let statement = self.prepare(statement.postgres)?;
        let changed = self.connection.wait(self.connection.client.execute(&statement, &parameters(values)));
        self.noted(changed)
    }

    fn query_statement(
        &mut self,
        statement: sql::Statement<'_>,
        values: &[Value<'_>],
        each: &mut dyn FnMut(&mut Columns<'_>) -> Result<()>,
    ) -> Result<()> {
        self.arrays(statement.postgres, &parameters(values))?.iter().try_for_each(|row| each(&mut Columns::new(row)))
    }

    fn execute_many(&mut self, batch: sql::Statement<'_>, runs: &[Vec<Value<'_>>]) -> Result<Vec<u64>> {
        if runs.len() > 1
            && let Some(ForMany { statement, is_numbered }) = self.prepare_many(batch.postgres)?
        {
            let rows = self.connection.wait(self.connection.client.query(&statement, &parameters(&arrays(runs))));
            let rows = self.noted(rows)?;
            if !is_numbered {
                return Ok(vec![1; runs.len()]);
            }
            let mut changed = vec![0; runs.len()];
            for row in &rows {
                changed[run_of(&mut Columns::new(row))?] += 1;
            }
            return Ok(changed);
        }
        runs.iter().map(|values| self.execute_statement(batch, values)).collect()
    }

    fn query_many(
        &mut self,
        batch: sql::Statement<'_>,
        runs: &[Vec<Value<'_>>],
        each: &mut dyn FnMut(usize, &mut Columns<'_>) -> Result<()>,
    ) -> Result<()> {
        if runs.len() > 1
            && let Some(ForMany { statement, .. }) = self.prepare_many(batch.postgres)?
        {
            let rows = self.connection.wait(self.connection.client.query(&statement, &parameters(&arrays(runs))));
            return self.noted(rows)?.iter().try_for_each(|row| {
                let mut columns = Columns::new(row);
                each(run_of(&mut columns)?, &mut columns)
            });
        }
        for (number, values) in runs.iter().enumerate() {
            self.query_statement(batch, values, &mut |columns| each(number, columns))?;
        }
        Ok(())
    }

    fn lock_all(&mut self, names: &[String]) -> Result<()> {
        let locks = "SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM unnest($1::text[]) AS name";
        let names: Vec<_> = names.iter().map(|name| name.replace('\0', "\u{fffd}")).collect();
        self.arrays(locks, &[&names])?;
        Ok(())
    }
}
