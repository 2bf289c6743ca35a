//! A connection to PostgreSQL as a [`Session`].

use std::collections::HashMap;

use futures::future::try_join_all;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Row, Statement};

use crate::domain::store::Result;
use crate::storage::sql::{Columns, Session, Value};

use super::error::{WireError, is_deadlock};
use super::wire::Wire;

/// Statements that stay prepared; more than there are but for lists with many filters.
const PREPARED: usize = 256;

/// Statements on one connection. They are prepared once.
pub(super) struct PostgresSession<'w> {
    pub(super) wire: &'w Wire,
    pub(super) prepared: &'w mut HashMap<String, Statement>,
    /// Whether a statement failed so that another transaction could go on.
    pub(super) was_deadlock: bool,
}

type Parameters<'a> = Vec<&'a (dyn ToSql + Sync)>;

fn parameters<'a>(values: &'a [Value<'a>]) -> Parameters<'a> {
    values.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

impl PostgresSession<'_> {
    fn prepare(&mut self, sql: &str) -> Result<Statement> {
        if let Some(statement) = self.prepared.get(sql) {
            return Ok(statement.clone());
        }
        let prepared = self.wire.wait(self.wire.client.prepare(&translate(sql)));
        let statement = self.noted(prepared)?;
        if self.prepared.len() >= PREPARED {
            self.prepared.clear();
        }
        self.prepared.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    fn noted<T>(&mut self, outcome: Result<T, WireError>) -> Result<T> {
        outcome.map_err(|error| {
            self.was_deadlock |= is_deadlock(&error);
            error.into()
        })
    }

    /// All rows of a query whose parameters need no [`Value`]: arrays.
    pub(super) fn arrays(&mut self, sql: &str, parameters: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>> {
        let statement = self.prepare(sql)?;
        let rows = self.wire.wait(self.wire.client.query(&statement, parameters));
        self.noted(rows)
    }
}

impl Session for PostgresSession<'_> {
    fn execute(&mut self, sql: &str, values: &[Value<'_>]) -> Result<u64> {
        let statement = self.prepare(sql)?;
        let changed = self.wire.wait(self.wire.client.execute(&statement, &parameters(values)));
        self.noted(changed)
    }

    fn query(
        &mut self,
        sql: &str,
        values: &[Value<'_>],
        each: &mut dyn FnMut(&mut Columns<'_>) -> Result<()>,
    ) -> Result<()> {
        self.arrays(sql, &parameters(values))?.iter().try_for_each(|row| each(&mut Columns::new(row)))
    }

    fn execute_many(&mut self, sql: &str, runs: &[Vec<Value<'_>>]) -> Result<Vec<u64>> {
        if runs.is_empty() {
            return Ok(Vec::new());
        }
        let statement = self.prepare(sql)?;
        let lists: Vec<_> = runs.iter().map(|values| parameters(values)).collect();
        // The connection sends them all before it waits for the first answer.
        let runs = lists.iter().map(|list| self.wire.client.execute(&statement, list));
        let changed = self.wire.wait(try_join_all(runs));
        self.noted(changed)
    }

    fn query_many(
        &mut self,
        sql: &str,
        runs: &[Vec<Value<'_>>],
        each: &mut dyn FnMut(usize, &mut Columns<'_>) -> Result<()>,
    ) -> Result<()> {
        if runs.is_empty() {
            return Ok(());
        }
        let statement = self.prepare(sql)?;
        let lists: Vec<_> = runs.iter().map(|values| parameters(values)).collect();
        let runs = lists.iter().map(|list| self.wire.client.query(&statement, list));
        let found = self.wire.wait(try_join_all(runs));
        for (number, rows) in self.noted(found)?.iter().enumerate() {
            rows.iter().try_for_each(|row| each(number, &mut Columns::new(row)))?;
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

/// The statement as PostgreSQL reads it: `$1` for `?1`, and what stands in its comments.
fn translate(sql: &str) -> String {
    let mut translated = String::with_capacity(sql.len());
    let mut rest = sql;
    while let Some(begin) = rest.find("/*pg ") {
        let (before, comment) = rest.split_at(begin);
        let (hidden, after) = comment["/*pg ".len()..].split_once("*/").unwrap_or((comment, ""));
        translated.push_str(before);
        translated.push_str(hidden);
        rest = after;
    }
    translated.push_str(rest);
    translated.replace('?', "$")
}

#[cfg(test)]
mod tests {
    use super::translate;

    #[test]
    fn parameters_and_hidden_words_are_translated() {
        let sql = "SELECT a FROM b WHERE c = ?1 AND d = ?12 /*pg FOR UPDATE */ LIMIT ?2 /*pg SKIP */";
        assert_eq!(translate(sql), "SELECT a FROM b WHERE c = $1 AND d = $12 FOR UPDATE  LIMIT $2 SKIP ");
    }
}
