//! Sets up connections. `writer` and `readers` use them.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::domain::unicode_form::composed;

/// Maximum time that a connection waits for another process's lock.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// Maximum time to wait for another process that sets up the file: turns the write-ahead log on, or creates the tables.
pub(super) const SET_UP_TIMEOUT: Duration = Duration::from_mins(1);
/// Pause before a new try where SQLite does not wait.
const BUSY_PAUSE: Duration = Duration::from_millis(5);
/// Maximum number of prepared statements that a connection keeps, more than there are.
const STATEMENT_CACHE: usize = 128;
/// Number of WAL pages after which a commit also copies them into the database file: 16 MiB, a few hundred articles.
const CHECKPOINT_PAGES: u32 = 4000;

/// Opens the only connection that writes.
pub(super) fn writing(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    set_up(&connection, BUSY_TIMEOUT)?;
    write_ahead(&connection)?;
    // An acknowledged commit must survive a power failure. With NORMAL, it would only survive the end of the process.
    connection.pragma_update(None, "synchronous", "FULL")?;
    // Overwrite erased data: personal data must not stay readable in unused pages.
    connection.pragma_update(None, "secure_delete", true)?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
    connection.pragma_update(None, "journal_size_limit", 64 * 1024 * 1024)?;
    Ok(connection)
}

/// Turns the write-ahead log on. While another connection does that for a new file, SQLite returns an error without waiting.
fn write_ahead(connection: &Connection) -> rusqlite::Result<()> {
    let begun = Instant::now();
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && begun.elapsed() < SET_UP_TIMEOUT =>
            {
                std::thread::sleep(BUSY_PAUSE);
            }
            outcome => return outcome,
        }
    }
}

/// Opens a connection that only reads, and waits up to `busy_timeout` for another process's lock.
pub(super) fn reading(path: &Path, busy_timeout: Duration) -> rusqlite::Result<Connection> {
    let connection =
        Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    set_up(&connection, busy_timeout)?;
    Ok(connection)
}

fn set_up(connection: &Connection, busy_timeout: Duration) -> rusqlite::Result<()> {
    connection.busy_timeout(busy_timeout)?;
    connection.set_prepared_statement_cache_capacity(STATEMENT_CACHE);
    // Without this, other bound values can make SQLite plan a prepared statement again.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    // SQLite's `lower` folds only ASCII, but searches are folded completely. PostgreSQL has a `normalize`, too.
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("lower", 1, flags, |row| {
        Ok(row.get::<Option<String>>(0)?.map(|text| text.to_lowercase()))
    })?;
    connection.create_scalar_function("normalize", 1, flags, |row| {
        Ok(row.get::<Option<String>>(0)?.map(|text| composed(&text).into_owned()))
    })?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    // A negative value means KiB. SQLite allocates the cache when needed.
    connection.pragma_update(None, "cache_size", -8 * 1024)
}
