//! Lets only one process at a time serve a database file, because its clock decides about leases and its memory about quotas.
//! Set-up commands may open the file at the same time.

use std::ffi::OsString;
use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use crate::domain::randomness::Randomness;
use crate::domain::store::Result;
use crate::storage::OpenError;
use crate::storage::sql::Session;

use super::session::SqliteSession;

/// Locks the database until the returned file is dropped or the process ends or crashes.
pub(super) fn lock(path: &Path) -> Result<File, OpenError> {
    // Locks a separate file: closing any descriptor of the database file would drop SQLite's locks.
    let mut name = OsString::from(path);
    name.push(".lock");
    let unreachable = |error: std::io::Error| OpenError::Unreachable { path: path.to_owned(), source: error.into() };
    // Another user who can open the file could lock it.
    let file =
        OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&name).map_err(unreachable)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(OpenError::Served { path: path.to_owned() }),
        Err(TryLockError::Error(error)) => Err(unreachable(error)),
    }
}

/// Runs `work` in a separate transaction, before other work on the database.
pub(super) fn take_over<T>(
    connection: &Connection,
    randomness: &dyn Randomness,
    work: impl FnOnce(&mut dyn Session) -> Result<T>,
) -> Result<T> {
    let transaction = rusqlite::Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
    let outcome = work(&mut SqliteSession { connection: &transaction, randomness })?;
    transaction.commit()?;
    Ok(outcome)
}
