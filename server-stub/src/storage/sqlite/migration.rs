//! Recognises our database files, refuses others without changing them, and brings the schema up to date. `migrations` contains
//! the schema.

use std::fs;
use std::path::Path;

use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

use crate::storage::OpenError;

use super::connection;

/// Marks a file as ours (`PRAGMA application_id`): the bytes of `CGen`.
const APPLICATION_ID: i64 = 0x4347_656E;
/// Scripts that create the schema. The n-th script leads to version n (`PRAGMA user_version`).
const MIGRATIONS: [&str; NEWEST as usize] = [include_str!("migrations/0001_initial.sql")];
/// Schema version that this program uses.
pub(super) const NEWEST: u32 = 1;
/// Maximum size in bytes of a file that is checked completely when it is opened. This takes a fraction of a second.
const CHECKED_WHOLE_BYTES: u64 = 16 * 1024 * 1024;

/// Checks, without writing, that the file is ours and can be used. Returns the check of the key for secrets, if any.
pub(super) fn inspect(path: &Path) -> Result<Option<[u8; 32]>, OpenError> {
    let folder = folder_of(path);
    if !folder.is_dir() {
        return Err(OpenError::MissingFolder { folder: folder.to_owned() });
    }
    let size = match fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(OpenError::Unreachable { path: path.to_owned(), source: error.into() }),
        Ok(metadata) if !metadata.is_file() => return Err(OpenError::NotAFile { path: path.to_owned() }),
        Ok(metadata) => metadata.len(),
    };
    if size == 0 {
        return Ok(None);
    }
    let found = read_marks(path, size).map_err(|error| refusal(path, error))?;
    if found.is_empty {
        return Ok(None);
    }
    if found.application_id != APPLICATION_ID {
        return Err(OpenError::ForeignDatabase { database: path.display().to_string() });
    }
    if found.version > NEWEST {
        return Err(OpenError::NewerVersion {
            database: path.display().to_string(),
            found: found.version,
            known: NEWEST,
        });
    }
    if found.check == "ok" {
        Ok(found.secret_key_check)
    } else {
        Err(OpenError::Corrupt { path: path.to_owned(), source: Some(found.check.into()) })
    }
}

/// Returns the folder of a file.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

struct Marks {
    application_id: i64,
    version: u32,
    /// True for an SQLite file without content. An interrupted first start leaves such a file.
    is_empty: bool,
    check: String,
    secret_key_check: Option<[u8; 32]>,
}

fn read_marks(path: &Path, size: u64) -> rusqlite::Result<Marks> {
    let connection =
        Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    let application_id = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let version = version(&connection)?;
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let is_empty = application_id == 0 && version == 0 && tables == 0;
    let check = if size <= CHECKED_WHOLE_BYTES && application_id == APPLICATION_ID && version <= NEWEST {
        connection.pragma_query_value(None, "quick_check", |row| row.get(0))?
    } else {
        "ok".to_owned()
    };
    let secret_key_check = if application_id == APPLICATION_ID && check == "ok" {
        let check = "SELECT value FROM settings WHERE name = 'secret_key_check'";
        connection.query_row(check, [], |row| row.get(0)).ok()
    } else {
        None
    };
    Ok(Marks { application_id, version, is_empty, check, secret_key_check })
}

fn refusal(path: &Path, error: rusqlite::Error) -> OpenError {
    let path = path.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => OpenError::NotADatabase { path },
        Some(ErrorCode::DatabaseCorrupt) => OpenError::Corrupt { path, source: Some(error.into()) },
        _ => OpenError::Unreachable { path, source: error.into() },
    }
}

/// Runs the missing scripts in one transaction. A second process waits and then has nothing to do.
pub(super) fn migrate(path: &Path) -> rusqlite::Result<()> {
    let mut connection = connection::writing(path)?;
    if version(&connection)? == NEWEST {
        return Ok(());
    }
    connection.busy_timeout(connection::SET_UP_TIMEOUT)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version = version(&transaction)?;
    for script in MIGRATIONS.iter().skip(version as usize) {
        transaction.execute_batch(script)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", NEWEST)?;
    transaction.commit()
}

/// Returns the version of the schema, 0 for a new file.
fn version(connection: &Connection) -> rusqlite::Result<u32> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}
