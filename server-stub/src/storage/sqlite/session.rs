//! A connection to SQLite as a [`Session`].

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, Connection, ToSql};

use crate::domain::randomness::Randomness;
use crate::domain::store::Result;
use crate::storage::sql::{BatchStatement, Columns, ExclusiveSession, Row, Session, Statement, Value};

/// Statements on one connection. They are prepared once.
pub(super) struct SqliteSession<'c> {
    pub(super) connection: &'c Connection,
    pub(super) randomness: &'c dyn Randomness,
}

/// A statement that is prepared once and run for each list of values.
struct Prepared<'c> {
    statement: CachedStatement<'c>,
    /// For each parameter in SQLite's order, the index of its value. For SQLite, `$2` is a name: it numbers parameters in
    /// order of appearance.
    value_of_parameter: Vec<usize>,
}

impl<'c> Prepared<'c> {
    fn new(connection: &'c Connection, sql: &str) -> rusqlite::Result<Self> {
        let statement = connection.prepare_cached(sql)?;
        let count = statement.parameter_count();
        let value = |parameter| {
            let number = statement.parameter_name(parameter)?.strip_prefix('$')?.parse::<usize>().ok()?;
            number.checked_sub(1).filter(|value| *value < count)
        };
        let values = (1..=count).map(value).collect::<Option<_>>();
        let value_of_parameter = values.ok_or_else(|| rusqlite::Error::InvalidParameterName(sql.to_owned()))?;
        Ok(Self { statement, value_of_parameter })
    }

    fn bind(&mut self, values: &[Value<'_>]) -> rusqlite::Result<()> {
        if values.len() != self.value_of_parameter.len() {
            return Err(rusqlite::Error::InvalidParameterCount(values.len(), self.value_of_parameter.len()));
        }
        for (parameter, value) in (1..).zip(&self.value_of_parameter) {
            self.statement.raw_bind_parameter(parameter, values[*value])?;
        }
        Ok(())
    }

    /// Runs the statement and returns the number of rows that it changed.
    fn execute(&mut self, values: &[Value<'_>]) -> Result<u64> {
        self.bind(values)?;
        Ok(self.statement.raw_execute()? as u64)
    }

    /// Runs the query and passes each row to `each`.
    fn query(&mut self, values: &[Value<'_>], each: &mut dyn FnMut(&mut Columns<'_>) -> Result<()>) -> Result<()> {
        self.bind(values)?;
        let mut rows = self.statement.raw_query();
        while let Some(row) = rows.next()? {
            each(&mut Columns::new(row))?;
        }
        Ok(())
    }
}

impl SqliteSession<'_> {
    fn prepare(&self, sql: &str) -> Result<Prepared<'_>> {
        tracing::trace!(sql, "runs a statement");
        Ok(Prepared::new(self.connection, sql)?)
    }
}

impl Session for SqliteSession<'_> {
    fn randomness(&self) -> &dyn Randomness {
        self.randomness
    }

    fn execute_statement(&mut self, statement: Statement<'_>, values: &[Value<'_>]) -> Result<u64> {
        self.prepare(statement.sqlite)?.execute(values)
    }

    fn query_statement(
        &mut self,
        statement: Statement<'_>,
        values: &[Value<'_>],
        each: &mut dyn FnMut(&mut Columns<'_>) -> Result<()>,
    ) -> Result<()> {
        self.prepare(statement.sqlite)?.query(values, each)
    }

    fn execute_batch(&mut self, batch: &BatchStatement, inputs: &[Vec<Value<'_>>]) -> Result<()> {
        self.update_batch(batch, inputs).map(drop)
    }

    fn update_batch(&mut self, batch: &BatchStatement, inputs: &[Vec<Value<'_>>]) -> Result<Vec<bool>> {
        if inputs.is_empty() {
            return Ok(Vec::new());
        }
        let mut prepared = self.prepare(batch.sqlite_each)?;
        inputs.iter().map(|values| Ok(prepared.execute(values)? > 0)).collect()
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
        let mut prepared = self.prepare(batch.sqlite_each)?;
        for (number, values) in inputs.iter().enumerate() {
            prepared.query(values, &mut |columns| each(number, columns))?;
        }
        Ok(())
    }
}

impl ExclusiveSession for SqliteSession<'_> {
    fn lock_all(&mut self, _names: &[String]) -> Result<()> {
        // SQLite runs only one writing transaction at a time.
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
