//! A separate database for a test, for values that PostgreSQL counts in each database.

use super::schema::{Turn, execute, query_number, with_parameter};
use crate::waiting::until;

/// A database that is dropped with this value.
pub(crate) struct OwnDatabase {
    name: String,
    server: String,
    address: String,
    _turn: Turn,
}

impl OwnDatabase {
    /// Creates an empty database. Returns `None`, with a message, if the environment names no server.
    pub(crate) fn new() -> Option<Self> {
        let (server, turn) = super::schema::server()?;
        let name = format!("test_{}", uuid::Uuid::new_v4().simple());
        execute(&server, &format!("CREATE DATABASE {name}"));
        let address = with_parameter(&server, &format!("dbname={name}"));
        Some(Self { name, server, address, _turn: turn })
    }

    /// Returns the address of the database.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Returns the number of deadlocks in the database. A connection reports its count when it ends. The caller must have dropped all
    /// connections, and this function waits until they have ended.
    pub(crate) async fn deadlocks(&self) -> i64 {
        let connected = format!("SELECT count(*) FROM pg_stat_activity WHERE datname = '{}'", self.name);
        until("all connections have ended", async || query_number(&self.server, &connected) == 0).await;
        let name = &self.name;
        query_number(&self.server, &format!("SELECT deadlocks FROM pg_stat_database WHERE datname = '{name}'"))
    }
}

impl Drop for OwnDatabase {
    fn drop(&mut self) {
        execute(&self.server, &format!("DROP DATABASE {} WITH (FORCE)", self.name));
    }
}
