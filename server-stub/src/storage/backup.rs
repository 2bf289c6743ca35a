//! A copy of a database that is in use. Opening a database is in `open`.

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::OpenError;
use super::open::{Address, parse};
use super::sqlite::back_up;

/// How far a backup is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BackupProgress {
    /// Bytes that were copied.
    pub copied: u64,
    /// Bytes that there are to copy.
    pub total: u64,
}

/// Why no backup was written. Each message is a sentence that names the fix.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The database is none of ours.
    #[error(transparent)]
    Database(#[from] OpenError),
    /// There is no such database.
    #[error("there is no database at {}; set --database sqlite:PATH to the database to copy", .path.display())]
    Missing {
        /// The path.
        path: PathBuf,
    },
    /// PostgreSQL has a program for this.
    #[error(
        "{database} is a PostgreSQL database; copy it with \
         pg_dump --format=custom --file=FILE ADDRESS"
    )]
    Postgres {
        /// The database.
        database: String,
    },
    /// Nothing is overwritten.
    #[error("{} exists already, and a backup overwrites no file; choose another name", .file.display())]
    Exists {
        /// The file.
        file: PathBuf,
    },
    /// The copy cannot be written.
    #[error("the backup {} cannot be written ({source}); check its folder and the free space", .file.display())]
    NotWritten {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// SQLite failed.
    #[error("the database cannot be copied ({0}); check the database and the free space")]
    NotCopied(#[from] rusqlite::Error),
    /// Whoever watches the progress had enough of it.
    #[error("interrupted; no backup was written")]
    Interrupted,
}

/// Copies the database at `database_url` to a new file, as it is at one moment, while others go on working on it. The file appears
/// when it is complete. `progress` is told after each step, and ends the backup with [`ControlFlow::Break`].
pub fn backup(
    database_url: &str,
    file: &Path,
    progress: &mut dyn FnMut(BackupProgress) -> ControlFlow<()>,
) -> Result<(), BackupError> {
    match parse(database_url)? {
        Address::Sqlite(path) => back_up(&path, file, progress),
        Address::Postgres(address) => Err(BackupError::Postgres { database: address.database() }),
    }
}
