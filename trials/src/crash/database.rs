//! The database of one scenario: creates it, reads it through a ledger, and removes it. For its contents see `state`.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use url::Url;

use super::ledger::Ledger;
use super::ledger_postgres::{PostgresLedger, create_database, drop_database};
use super::ledger_sqlite::SqliteLedger;

/// The store of a scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum StoreKind {
    /// One file.
    Sqlite,
    /// A database in a PostgreSQL server.
    Postgres,
}

impl StoreKind {
    /// Its name on the command line.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        }
    }
}

/// A scenario's own database.
#[derive(Debug, Clone)]
pub(crate) enum Database {
    /// The database file.
    Sqlite(PathBuf),
    /// The server that contains the database, and the database's address and name.
    Postgres { server: String, own: Url, name: String },
}

impl Database {
    /// Returns a file in `folder`, which the server creates.
    pub(crate) fn sqlite(folder: &Path) -> Self {
        Self::Sqlite(folder.join("server.db"))
    }

    /// Creates an empty database `name` in the PostgreSQL server at `server`.
    pub(crate) async fn postgres(server: &str, name: String) -> Result<Self> {
        let mut own = Url::parse(server)
            .context("--database-url is not a URL; write it as postgres://user@host:port/database")?;
        own.set_path(&name);
        let (at, made) = (server.to_owned(), name.clone());
        tokio::task::spawn_blocking(move || create_database(&at, &made)).await??;
        Ok(Self::Postgres { server: server.to_owned(), own, name })
    }

    /// Returns the value of `--database`.
    pub(crate) fn address(&self) -> String {
        match self {
            Self::Sqlite(path) => format!("sqlite:{}", path.display()),
            Self::Postgres { own, .. } => own.to_string(),
        }
    }

    /// Reads through a new ledger.
    pub(in crate::crash) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&mut dyn Ledger) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let database = self.clone();
        let reading = tokio::task::spawn_blocking(move || match database {
            Self::Sqlite(path) => read(&mut SqliteLedger::open(&path)?),
            Self::Postgres { own, .. } => read(&mut PostgresLedger::open(own.as_str())?),
        });
        reading.await?
    }

    /// Drops a database in a server; a file is removed with its folder.
    pub(crate) async fn remove(self) -> Result<()> {
        if let Self::Postgres { server, name, .. } = self {
            tokio::task::spawn_blocking(move || drop_database(&server, &name)).await??;
        }
        Ok(())
    }
}
