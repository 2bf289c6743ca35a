//! The database of one scenario: made fresh, read through a ledger, taken away again. What is in it is read in `state`.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use url::Url;

use super::ledger::Ledger;
use super::ledger_postgres::{PostgresLedger, create_database, drop_database};
use super::ledger_sqlite::SqliteLedger;

/// Which store a scenario runs on.
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
    /// The file.
    Sqlite(PathBuf),
    /// The server in which it was made, and its own address and name.
    Postgres { server: String, own: Url, name: String },
}

impl Database {
    /// A file in `folder`; the server makes it.
    pub(crate) fn sqlite(folder: &Path) -> Self {
        Self::Sqlite(folder.join("server.db"))
    }

    /// An empty database `name` in the PostgreSQL server at `server`.
    pub(crate) async fn postgres(server: &str, name: String) -> Result<Self> {
        let mut own = Url::parse(server)
            .context("--database-url is not a URL; write it as postgres://user@host:port/database")?;
        own.set_path(&name);
        let (at, made) = (server.to_owned(), name.clone());
        tokio::task::spawn_blocking(move || create_database(&at, &made)).await??;
        Ok(Self::Postgres { server: server.to_owned(), own, name })
    }

    /// What `--database` is given.
    pub(crate) fn address(&self) -> String {
        match self {
            Self::Sqlite(path) => format!("sqlite:{}", path.display()),
            Self::Postgres { own, .. } => own.to_string(),
        }
    }

    /// Reads with a ledger of its own.
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

    /// Drops what was made in a server; a file goes with its folder.
    pub(crate) async fn remove(self) -> Result<()> {
        if let Self::Postgres { server, name, .. } = self {
            tokio::task::spawn_blocking(move || drop_database(&server, &name)).await??;
        }
        Ok(())
    }
}
