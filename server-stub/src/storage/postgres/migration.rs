//! Recognises our databases, refuses others without changing them, and brings the schema up to date. `migrations` contains the
//! schema.

use std::thread;

use tokio_postgres::SimpleQueryMessage;
use tokio_postgres::error::SqlState;
use tokio_util::sync::CancellationToken;

use crate::domain::clock::Timestamp;
use crate::storage::OpenError;

use super::address::Address;
use super::connection::{Connection, time};
use super::error::ConnectionError;

/// Scripts that create the schema. The n-th script leads to version n.
const MIGRATIONS: [&str; NEWEST as usize] = [include_str!("migrations/0001_initial.sql")];
/// Schema version that this program uses.
pub(super) const NEWEST: u32 = 1;
/// Oldest supported major version of PostgreSQL.
const OLDEST_SERVER: u32 = 14;
/// Number of checks for a pooler. One is enough, unless other programs use the pooler at the same time.
const POOLER_CHECKS: usize = 3;
/// Advisory lock for changes of the schema: the bytes of `CGen`.
const SCHEMA_LOCK: i64 = 0x4347_656E;

/// Reads the properties that decide whether the database can be used.
const INSPECT: &str = "SELECT current_setting('server_version_num')::bigint / 10000 AS version,
        current_setting('server_encoding') AS encoding,
        (SELECT count(*) FROM information_schema.tables WHERE table_schema = current_schema()) AS tables,
        to_regclass('contentgen_schema') IS NOT NULL AS is_ours";

/// Checks, without writing, that the database is ours and can be used. Returns the check of the key for secrets, if any.
pub(super) fn inspect(address: &Address) -> Result<Option<[u8; 32]>, OpenError> {
    on_own_thread(|| {
        let connection = connect_directly(address)?;
        let version = schema_version(&connection, address)?;
        if version == 0 {
            return Ok(None);
        }
        let check = "SELECT value FROM settings WHERE name = 'secret_key_check'";
        let found = connection.wait(connection.client.query_opt(check, &[]));
        let found = found.map_err(|error| refusal(address, error))?;
        Ok(found.and_then(|row| row.try_get::<_, Vec<u8>>(0).ok()?.try_into().ok()))
    })
}

/// Runs the missing scripts in one transaction, and returns the database's time. A second process waits and then has nothing to
/// do.
pub(super) fn migrate(address: &Address) -> Result<Timestamp, OpenError> {
    on_own_thread(|| {
        let connection = connect(address)?;
        if schema_version(&connection, address)? < NEWEST {
            let refused = |error| schema_refusal(address, error);
            begin(&connection).map_err(refused)?;
            let version = schema_version(&connection, address)?;
            change(&connection, version).map_err(refused)?;
        }
        connection.wait(time(&connection.client)).map_err(|error| refusal(address, error))
    })
}

/// Begins a transaction without time limits, and waits for a process that is changing the schema. The lock ends with the
/// transaction or the connection.
fn begin(connection: &Connection) -> Result<(), ConnectionError> {
    let begin = format!(
        "BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock({SCHEMA_LOCK});
         CREATE TABLE IF NOT EXISTS contentgen_schema (version BIGINT NOT NULL)"
    );
    connection.wait_without_limit(connection.client.batch_execute(&begin))
}

/// Runs the scripts after `version`, and commits.
fn change(connection: &Connection, version: u32) -> Result<(), ConnectionError> {
    let run = |script| connection.wait_without_limit(connection.client.batch_execute(script));
    for script in MIGRATIONS.iter().skip(version as usize) {
        run(script)?;
    }
    run(&format!("DELETE FROM contentgen_schema; INSERT INTO contentgen_schema (version) VALUES ({NEWEST}); COMMIT"))
}

/// Connects without a cut-off, because the store is not open yet.
fn connect(address: &Address) -> Result<Connection, OpenError> {
    Connection::connect(address, CancellationToken::new()).map_err(|error| refusal(address, error))
}

/// Connects. Refuses a pooler that gives each transaction any of its server processes: settings, prepared statements and
/// `LISTEN` of a connection would be lost there, or change the connections of other programs.
fn connect_directly(address: &Address) -> Result<Connection, OpenError> {
    let refused = |error| refusal(address, error);
    let connect = || Connection::without_settings(address, CancellationToken::new()).map_err(refused);
    let (connection, other) = (connect()?, connect()?);
    let process = process_id(&connection, "").map_err(refused)?;
    for _ in 0..POOLER_CHECKS {
        // The transaction keeps the process that it gets, so a pooler must choose another one for the next.
        let is_shared = process_id(&connection, "").map_err(refused)? != process
            || process_id(&other, "BEGIN;").map_err(refused)? == process
            || process_id(&connection, "").map_err(refused)? != process;
        if is_shared {
            return Err(OpenError::Pooler { host: address.host() });
        }
        process_id(&other, "ROLLBACK;").map_err(refused)?;
    }
    connection.apply_settings().map_err(refused)?;
    Ok(connection)
}

/// Returns the id and the start of the server process that runs the query after `statements`. Processes of several hosts may have
/// the same id. A simple query: it prepares nothing.
fn process_id(connection: &Connection, statements: &str) -> Result<Option<String>, ConnectionError> {
    let query =
        format!("{statements} SELECT pid || ' ' || backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()");
    let messages = connection.wait(connection.client.simple_query(&query))?;
    Ok(messages.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    }))
}

/// Returns the version of the schema, 0 for an empty database.
fn schema_version(connection: &Connection, address: &Address) -> Result<u32, OpenError> {
    let unusable = |error| refusal(address, error);
    let unreadable = |error: tokio_postgres::Error| refusal(address, error.into());
    let row = connection.wait(connection.client.query_one(INSPECT, &[])).map_err(unusable)?;
    let number = |name| row.try_get::<_, i64>(name).map_err(unreadable);
    let found = u32::try_from(number("version")?).unwrap_or(0);
    if found < OLDEST_SERVER {
        return Err(OpenError::PostgresTooOld { host: address.host(), found, oldest: OLDEST_SERVER });
    }
    let encoding: String = row.try_get("encoding").map_err(unreadable)?;
    if encoding != "UTF8" {
        return Err(OpenError::PostgresEncoding { database: address.database(), encoding });
    }
    if !row.try_get::<_, bool>("is_ours").map_err(unreadable)? {
        return match number("tables")? {
            0 => Ok(0),
            _ => Err(OpenError::ForeignDatabase { database: address.database() }),
        };
    }
    let version = "SELECT coalesce(max(version), 0) FROM contentgen_schema";
    let row = connection.wait(connection.client.query_one(version, &[])).map_err(unusable)?;
    let found = u32::try_from(row.try_get::<_, i64>(0).map_err(unreadable)?).unwrap_or(u32::MAX);
    if found > NEWEST {
        return Err(OpenError::NewerVersion { database: address.database(), found, known: NEWEST });
    }
    Ok(found)
}

fn refusal(address: &Address, error: ConnectionError) -> OpenError {
    let host = address.host();
    match error.reported() {
        Some(reported) if reported.code != SqlState::CANNOT_CONNECT_NOW => {
            OpenError::PostgresRefused { host, reason: reported.message.clone() }
        }
        _ => OpenError::PostgresAway { host, source: error.into() },
    }
}

fn schema_refusal(address: &Address, error: ConnectionError) -> OpenError {
    match error.reported().map(|reported| reported.message.clone()) {
        Some(reason) => OpenError::PostgresSchema { database: address.database(), reason },
        None => refusal(address, error),
    }
}

/// Runs `work` on a separate thread, because a connection's runtime cannot run inside another.
fn on_own_thread<T: Send>(work: impl FnOnce() -> Result<T, OpenError> + Send) -> Result<T, OpenError> {
    thread::scope(|scope| match scope.spawn(work).join() {
        Ok(outcome) => outcome,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}
