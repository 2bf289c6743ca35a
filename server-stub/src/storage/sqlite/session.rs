//! A connection to SQLite as a [`Session`].

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ToSql, params_from_iter};

use crate::domain::store::Result;
use crate::storage::sql::{Columns, Row, Session, Value};

/// Statements on one connection. They are prepared once.
pub(super) struct SqliteSession<'c>(pub(super) &'c Connection);

impl Session for SqliteSession<'_> {
    fn execute(&mut self, sql: &str, values: &[Value<'_>]) -> Result<u64> {
        Ok(self.0.prepare_cached(sql)?.execute(params_from_iter(values))? as u64)
    }

    fn query(
        &mut self,
        sql: &str,
        values: &[Value<'_>],
        each: &mut dyn FnMut(&mut Columns<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut statement = self.0.prepare_cached(sql)?;
        let mut rows = statement.query(params_from_iter(values))?;
        while let Some(row) = rows.next()? {
            each(&mut Columns::new(row))?;
        }
        Ok(())
    }

    fn execute_many(&mut self, sql: &str, runs: &[Vec<Value<'_>>]) -> Result<Vec<u64>> {
        runs.iter().map(|values| self.execute(sql, values)).collect()
    }

    fn query_many(
        &mut self,
        sql: &str,
        runs: &[Vec<Value<'_>>],
        each: &mut dyn FnMut(usize, &mut Columns<'_>) -> Result<()>,
    ) -> Result<()> {
        for (number, values) in runs.iter().enumerate() {
            self.query(sql, values, &mut |columns| each(number, columns))?;
        }
        Ok(())
    }

    fn lock_all(&mut self, _names: &[String]) -> Result<()> {
        // Who writes to SQLite writes alone.
        Ok(())
    }
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match *self {
            Value::Null => ValueRef::Null,
            Value::Integer(number) => ValueRef::Integer(number),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
            Value::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

impl Row for rusqlite::Row<'_> {
    fn value(&self, column: usize) -> Result<Value<'_>> {
        let value = self.get_ref(column)?;
        Ok(match value {
            ValueRef::Null => Value::Null,
            ValueRef::Integer(number) => Value::Integer(number),
            ValueRef::Text(_) => Value::Text(value.as_str().map_err(rusqlite::Error::from)?),
            ValueRef::Blob(bytes) => Value::Bytes(bytes),
            ValueRef::Real(_) => {
                return Err(rusqlite::Error::InvalidColumnType(column, String::new(), value.data_type()).into());
            }
        })
    }
}
