//! From a database address to a store, and why that may fail. Nothing here runs SQL.

use std::path::PathBuf;
use std::sync::Arc;

use crate::domain::store::Store;

use super::sqlite::SqliteStore;

/// Why a database was not opened. Each message is a sentence that names the fix; the file was not changed.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The address is none that is understood.
    #[error("the database address {address:?} is not understood; write sqlite:PATH, for example sqlite:contentgen.db")]
    Address {
        /// As it was given.
        address: String,
    },
    /// A PostgreSQL address.
    #[error("PostgreSQL is not supported in this version; use sqlite:PATH")]
    Postgres,
    /// The folder of the file does not exist.
    #[error("the folder {} for the database does not exist; create it or choose another path", .folder.display())]
    MissingFolder {
        /// The folder.
        folder: PathBuf,
    },
    /// The path is a folder or another thing that is not a file.
    #[error("{} is not a file; give the path of the database file", .path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// The file is something else than an SQLite database.
    #[error("{} is not an SQLite database; move it away or choose another path", .path.display())]
    NotADatabase {
        /// The file.
        path: PathBuf,
    },
    /// An SQLite database of another program.
    #[error("{} is a database of another program; choose another path", .path.display())]
    ForeignDatabase {
        /// The file.
        path: PathBuf,
    },
    /// The file is damaged.
    #[error("the database {} is damaged; restore it from a backup", .path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What the database engine found.
        #[source]
        source: Option<Box<dyn std::error::Error + Send + Sync>>,
    },
    /// A later version of this program wrote it.
    #[error(
        "the database {} has schema version {found}, this program knows up to {known}; use the newer program", .path.display()
    )]
    NewerVersion {
        /// The file.
        path: PathBuf,
        /// The version of its schema.
        found: u32,
        /// The newest version that this program knows.
        known: u32,
    },
    /// The file cannot be read or written.
    #[error("the database {} cannot be opened; check that you may read and write the file and its folder", .path.display())]
    Unreachable {
        /// The file.
        path: PathBuf,
        /// What the system or the database engine said.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// Opens the database at `database_url` (`sqlite:PATH`, the path may be relative), creates the file if there is none, and
/// brings its schema up to date.
pub fn open(database_url: &str) -> Result<Arc<dyn Store>, OpenError> {
    Ok(Arc::new(SqliteStore::open(&sqlite_path(database_url)?)?))
}

/// Brings the schema of the database at `database_url` up to date, creating the file if there is none, and says which
/// schema version it has now.
pub fn migrate(database_url: &str) -> Result<u32, OpenError> {
    SqliteStore::migrate(&sqlite_path(database_url)?)
}

fn sqlite_path(database_url: &str) -> Result<PathBuf, OpenError> {
    if database_url.starts_with("postgres:") || database_url.starts_with("postgresql:") {
        return Err(OpenError::Postgres);
    }
    let path = database_url.strip_prefix("sqlite:").unwrap_or_default();
    // `sqlite://PATH` is what other programs write; an in-memory database could not be shared by several connections.
    let path = path.strip_prefix("//").unwrap_or(path);
    if path.is_empty() || path == ":memory:" || path.contains(['\0', '?']) {
        return Err(OpenError::Address { address: database_url.to_owned() });
    }
    Ok(PathBuf::from(path))
}
