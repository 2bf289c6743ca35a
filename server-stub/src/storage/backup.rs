//! Copies a database that is in use.

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::OpenError;
use super::open::{Address, parse};
use super::sqlite::back_up;

/// Progress of a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BackupProgress {
    /// Number of bytes copied so far.
    pub copied: u64,
    /// Number of bytes to copy in total.
    pub total: u64,
}

/// Reason why no backup was written. Each message is a sentence that names the fix.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The database cannot be opened, for example because another program made it.
    #[error(transparent)]
    Database(#[from] OpenError),
    /// The database does not exist.
    #[error("there is no database at {}; set --database sqlite:PATH to the database to copy", .path.display())]
    Missing {
        /// The path.
        path: PathBuf,
    },
    /// The database is on PostgreSQL, which has its own backup program.
    #[error(
        "{database} is a PostgreSQL database; copy it with \
         pg_dump --format=custom --file=FILE ADDRESS"
    )]
    Postgres {
        /// The database.
        database: String,
    },
    /// The file exists already. A backup overwrites no file.
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
        /// The error of the system.
        source: io::Error,
    },
    /// SQLite failed.
    #[error("the database cannot be copied ({0}); check the database and the free space")]
    NotCopied(#[from] rusqlite::Error),
    /// The caller stopped the backup.
    #[error("interrupted; no backup was written")]
    Interrupted,
}

/// Copies the database at `database_url` to a new file: a snapshot, while other processes keep using the database. The file
/// appears when it is complete. Calls `progress` after each step; [`ControlFlow::Break`] stops the backup.
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
