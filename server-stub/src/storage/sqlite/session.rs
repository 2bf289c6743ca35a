//! A connection to SQLite as a [`Session`].

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ToSql};

use crate::domain::randomness::Randomness;
use crate::domain::store::Result;
use crate::storage::sql::{BatchStatement, Columns, Row, Session, Statement, Value};

/// Statements on one connection. They are prepared once.
pub(super) struct SqliteSession<'c> {
    pub(super) connection: &'c Connection,
    pub(super) randomness: &'c dyn Randomness,
}

/// Gives each parameter its value. To SQLite `$2` is a name, and it counts parameters in the order in which they appear.
fn bind(prepared: &mut rusqlite::Statement<'_>, values: &[Value<'_>]) -> rusqlite::Result<()> {
    let count = prepared.parameter_count();
    let mismatch = || rusqlite::Error::InvalidParameterCount(values.len(), count);
    if count != values.len() {
        return Err(mismatch());
    }
    for index in 1..=count {
        let number = prepared.parameter_name(index).and_then(|name| name.strip_prefix('$')?.parse::<usize>().ok());
        let value = number.and_then(|number| values.get(number.checked_sub(1)?)).ok_or_else(mismatch)?;
        prepared.raw_bind_parameter(index, value)?;
    }
    Ok(())
}

impl Session for SqliteSession<'_> {
    fn randomness(&self) -> &dyn Randomness {
        self.randomness
    }

    fn execute_statement(&mut self, statement: Statement<'_>, values: &[Value<'_>]) -> Result<u64> {
        let mut prepared = self.connection.prepare_cached(statement.sqlite)?;
        bind(&mut prepared, values)?;
        Ok(prepared.raw_execute()? as u64)
    }

    fn query_statement(
        &mut self,
        statement: Statement<'_>,
        values: &[Value<'_>],
        each: &mut dyn FnMut(&mut Columns<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut prepared = self.connection.prepare_cached(statement.sqlite)?;
        bind(&mut prepared, values)?;
        let mut rows = prepared.raw_query();
        while let Some(row) = rows.next()? {
            each(&mut Columns::new(row))?;
        }
        Ok(())
    }

    fn execute_batch(&mut self, batch: &BatchStatement, inputs: &[Vec<Value<'_>>]) -> Result<()> {
        inputs.iter().try_for_each(|values| self.execute_statement(batch.sqlite_each.into(), values).map(drop))
    }

    fn query_batch(
        &mut self,
        batch: &BatchStatement,
        inputs: &[Vec<Value<'_>>],
        each: &mut dyn FnMut(usize, &mut Columns<'_>) -> Result<()>,
    ) -> Result<()> {
        for (number, values) in inputs.iter().enumerate() {
            self.query_statement(batch.sqlite_each.into(), values, &mut |columns| each(number, columns))?;
        }
        Ok(())
    }

    fn lock_all(&mut self, _names: &[String]) -> Result<()> {
        // SQLite runs one writing transaction at a time.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::no_randomness::NoRandomness;
    use crate::storage::sql::values;

    fn row(sql: &str, values: &[Value<'_>]) -> Result<Vec<Option<String>>> {
        let connection = Connection::open_in_memory().unwrap();
        let session: &mut dyn Session = &mut SqliteSession { connection: &connection, randomness: &NoRandomness };
        let row = session.first(sql, values, |row| (0..4).map(|_| row.maybe_text()).collect());
        row.map(Option::unwrap)
    }

    #[test]
    fn a_value_reaches_its_parameter_wherever_and_however_often_that_stands() {
        let found = row("SELECT $3, $1, $3, $2", values!["one", "two", "three"]).unwrap();
        assert_eq!(
            found.iter().map(|text| text.as_deref().unwrap()).collect::<Vec<_>>(),
            ["three", "one", "three", "two"]
        );
    }

    #[test]
    fn a_statement_with_too_few_or_too_many_values_is_refused() {
        assert!(row("SELECT $1, $2, $1, $2", values!["one"]).is_err());
        assert!(row("SELECT $1, $2, $1, $2", values!["one", "two", "three"]).is_err());
        assert!(row("SELECT $1, $3, $1, $3", values!["one", "two"]).is_err());
        assert!(row("SELECT ?1, ?2, ?1, ?2", values!["one", "two"]).is_err());
    }
}
