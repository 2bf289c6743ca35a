//! Fresh databases: a file in the build folder, or a PostgreSQL schema.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use clap::ValueEnum;
use contentgen_server_stub::randomness::SystemRandomness;
use contentgen_server_stub::storage::{self, Options, SecretKey, SecretKeySource, Store};
use tempfile::TempDir;
use tokio_postgres::NoTls;

use super::schema::Schema;

/// A database engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// SQLite, in a file.
    Sqlite,
    /// PostgreSQL, in the database that `CONTENTGEN_TEST_POSTGRES_URL` names.
    Postgres,
}

impl Engine {
    /// Returns true if the engine can be measured here.
    pub(crate) fn is_there(self) -> bool {
        self == Self::Sqlite || Schema::server().is_some()
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        })
    }
}

/// A database, deleted when this value is dropped.
#[derive(Debug)]
pub(crate) enum Database {
    Sqlite(TempDir),
    Postgres(Schema),
}

impl Database {
    /// Key for the secrets in the database. It is constant, so that a database can be opened again.
    pub(crate) const SECRET_KEY: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

    /// Creates a database and opens its store.
    pub(crate) async fn new(engine: Engine) -> anyhow::Result<(Self, Store)> {
        let database = match engine {
            // The temporary folder of the system may be in memory, where commits cost nothing.
            Engine::Sqlite => Self::Sqlite(tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?),
            Engine::Postgres => Self::Postgres(Schema::create()?),
        };
        let store = database.open().await?;
        Ok((database, store))
    }

    /// Opens the store of the database.
    pub(crate) async fn open(&self) -> anyhow::Result<Store> {
        let address = self.address();
        let key = SecretKey::parse(Self::SECRET_KEY).context("a key of 32 bytes")?;
        let options =
            Options { secret_key: Some(SecretKeySource::Given(key)), ..Options::new(Arc::new(SystemRandomness)) };
        Ok(tokio::task::spawn_blocking(move || storage::open(&address, &options)).await??)
    }

    /// Returns the address that a server is configured with.
    pub(crate) fn address(&self) -> String {
        match self {
            Self::Sqlite(_) => format!("sqlite:{}", self.path().display()),
            Self::Postgres(schema) => schema.address(),
        }
    }

    /// Returns the path of the file. Only SQLite has one.
    pub(crate) fn path(&self) -> PathBuf {
        match self {
            Self::Sqlite(folder) => folder.path().join("bench.db"),
            Self::Postgres(_) => PathBuf::new(),
        }
    }

    /// Counts the rows of a table, on a separate connection.
    pub(crate) async fn count(&self, table: &str) -> anyhow::Result<u64> {
        let sql = format!("SELECT count(*) FROM {table}");
        let rows: i64 = match self {
            Self::Sqlite(_) => rusqlite::Connection::open(self.path())?.query_row(&sql, [], |row| row.get(0))?,
            Self::Postgres(schema) => {
                let (client, connection) = tokio_postgres::connect(&schema.address(), NoTls).await?;
                let asking = client.query_one(&sql, &[]);
                tokio::select! {
                    ended = connection => { ended?; anyhow::bail!("the connection ended") },
                    row = asking => row?.try_get(0)?,
                }
            }
        };
        u64::try_from(rows).context("a count below zero")
    }
}
