//! The ledger on PostgreSQL, and the temporary databases of the scenarios. It blocks: call it from a separate thread.

use anyhow::{Context as _, Result, bail};
use postgres::types::Type;
use postgres::{Client, NoTls, Row};

use super::ledger::{Cell, Ledger};

/// A connection.
pub(super) struct PostgresLedger(Client);

impl PostgresLedger {
    /// Connects to `url`.
    pub(super) fn open(url: &str) -> Result<Self> {
        Ok(Self(connect(url)?))
    }
}

/// Creates an empty database in the server at `url`.
pub(super) fn create_database(url: &str, name: &str) -> Result<()> {
    let mut client = connect(url)?;
    client.batch_execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"))?;
    client.batch_execute(&format!("CREATE DATABASE {name}"))?;
    Ok(())
}

/// Drops the database even if clients are connected.
pub(super) fn drop_database(url: &str, name: &str) -> Result<()> {
    Ok(connect(url)?.batch_execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"))?)
}

fn connect(url: &str) -> Result<Client> {
    Client::connect(url, NoTls).context("PostgreSQL cannot be reached; check --database-url")
}

impl Ledger for PostgresLedger {
    fn rows(&mut self, query: &str) -> Result<Vec<Vec<Cell>>> {
        let rows = self.0.query(query, &[])?;
        rows.iter().map(|row| (0..row.len()).map(|index| cell(row, index)).collect()).collect()
    }

    fn damage(&mut self) -> Result<Vec<String>> {
        // PostgreSQL has no built-in check without an extension; its checksums report damage while reading.
        Ok(Vec::new())
    }
}

fn cell(row: &Row, index: usize) -> Result<Cell> {
    let column = row.columns()[index].type_();
    let cell = match *column {
        Type::TEXT | Type::VARCHAR => row.try_get::<_, Option<String>>(index)?.map(Cell::Text),
        Type::INT8 => row.try_get::<_, Option<i64>>(index)?.map(Cell::Number),
        Type::INT4 => row.try_get::<_, Option<i32>>(index)?.map(|number| Cell::Number(number.into())),
        Type::BYTEA => row.try_get::<_, Option<Vec<u8>>>(index)?.map(Cell::Bytes),
        _ => bail!("unexpected column of the type {column}"),
    };
    Ok(cell.unwrap_or(Cell::Null))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use rand::RngExt as _;

    use super::*;

    #[test]
    fn the_columns_that_the_store_uses_are_read_from_a_database_of_its_own() {
        let Some(server) = std::env::var_os("CONTENTGEN_TEST_POSTGRES_URL") else {
            // Written directly to the terminal, because the test runner would capture it.
            let word = "skipped: CONTENTGEN_TEST_POSTGRES_URL names no PostgreSQL server\n";
            std::io::stderr().lock().write_all(word.as_bytes()).unwrap();
            return;
        };
        let server = server.into_string().unwrap();
        // Other runs may use the same server.
        let name = format!("crash_ledger_test_{:08x}", rand::rng().random::<u32>());
        create_database(&server, &name).unwrap();
        let mut own = url::Url::parse(&server).unwrap();
        own.set_path(&name);
        let mut ledger = PostgresLedger::open(own.as_str()).unwrap();
        let query =
            "SELECT 'a'::text, 1::bigint, 2::integer, '\\x03'::bytea, NULL::text, count(*) FROM pg_class WHERE false";
        let expected = [
            Cell::Text("a".to_owned()),
            Cell::Number(1),
            Cell::Number(2),
            Cell::Bytes(vec![3]),
            Cell::Null,
            Cell::Number(0),
        ];
        assert_eq!(ledger.rows(query).unwrap(), [expected]);
        assert!(ledger.rows("SELECT 1.5::numeric").is_err());
        drop_database(&server, &name).unwrap();
        // The database was dropped although a client was connected.
        assert!(PostgresLedger::open(own.as_str()).is_err());
    }
}
