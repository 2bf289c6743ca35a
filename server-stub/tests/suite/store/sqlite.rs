//! The promises of `store` on SQLite, and promises of only a database in a file.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use contentgen_server_stub::randomness::SystemRandomness;
use contentgen_server_stub::storage::{self, Options, Store};
use futures::future::join_all;
use tempfile::TempDir;

use super::announcements::{Processes, every_change_is_announced};
use super::world::World;

fn open(folder: &TempDir) -> Store {
    storage::open(&address(&folder.path().join("test.db")), &Options::new(Arc::new(SystemRandomness))).unwrap()
}

/// Opens a store on a new file.
#[expect(clippy::unnecessary_wraps, reason = "other databases may not be there")]
pub(crate) fn fresh() -> Option<(Store, TempDir)> {
    let folder = tempfile::tempdir().unwrap();
    Some((open(&folder), folder))
}

fn address(path: &Path) -> String {
    format!("sqlite:{}", path.display())
}

/// Opens a store on a new file for each case of a test.
#[expect(clippy::unnecessary_wraps, reason = "other databases may not be there")]
pub(crate) fn for_cases() -> Option<impl Fn() -> (Store, TempDir)> {
    Some(|| fresh().unwrap())
}

super::promises::promises!(crate::store::sqlite::fresh, for_cases);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_change_is_announced_once_and_nothing_else_is() {
    let Some((store, _folder)) = fresh() else { return };
    let world = World::new(store).await;
    let processes = Processes { own: world.store.wakeups(), other: None };
    every_change_is_announced(&world, &processes).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_is_there_after_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(open(&folder)).await;
    let submissions: Vec<_> = (0..300).map(|number| world.submission(&format!("topic {number}"))).collect();
    let ids: Vec<_> = submissions.iter().map(|submission| submission.job.id.clone()).collect();
    join_all(submissions.into_iter().map(|submission| world.store.submit(submission))).await;
    let secret = world.store.derived_secret("previews");
    drop(world);
    let store = open(&folder);
    for id in &ids {
        assert!(store.find_job(id).await.unwrap().is_some(), "{id} is lost");
    }
    assert_eq!(store.derived_secret("previews"), secret);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_may_share_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(open(&folder)).await;
    let other = open(&folder);
    super::fairness::no_work_is_claimed_twice(&world.on(folder), &other).await;
}

#[test]
fn several_may_open_a_new_file_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let address = address(&folder.path().join("new.db"));
    let openers: Vec<_> = (0..6)
        .map(|_| {
            let address = address.clone();
            std::thread::spawn(move || {
                storage::migrate(&address, &Options::new(Arc::new(SystemRandomness))).map_err(|error| error.to_string())
            })
        })
        .collect();
    for opener in openers {
        assert_eq!(opener.join().unwrap(), Ok(1));
    }
}

#[test]
fn a_migration_that_fails_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new.db");
    let connection = rusqlite::Connection::open(&path).unwrap();
    // The last table of the schema has this name.
    connection.execute_batch("PRAGMA application_id = 0x4347656E; CREATE TABLE daily_statistics (day)").unwrap();
    let migrate = || storage::migrate(&address(&path), &Options::new(Arc::new(SystemRandomness)));
    assert!(migrate().unwrap_err().to_string().contains("cannot be opened"));
    let left = "SELECT group_concat(name), (SELECT user_version FROM pragma_user_version) FROM sqlite_schema";
    let left = connection.query_row(left, [], |row| Ok((row.get::<_, String>(0)?, row.get::<_, u32>(1)?))).unwrap();
    assert_eq!(left, ("daily_statistics".to_owned(), 0));
    connection.execute_batch("DROP TABLE daily_statistics").unwrap();
    assert_eq!((migrate().unwrap(), migrate().unwrap()), (1, 1));
}

/// SQLite builds a table for each row that it checks against a list of three or more values.
#[test]
fn no_check_builds_a_table_for_each_row() {
    let built_tables = |connection: &rusqlite::Connection, table: &str| {
        let mut columns = connection.prepare("SELECT name FROM pragma_table_info($1)").unwrap();
        let columns = columns.query_map([table], |row| row.get::<_, String>(0)).unwrap();
        let columns: Vec<_> = columns.map(Result::unwrap).collect();
        let places = vec!["?"; columns.len()].join(", ");
        let insert = format!("EXPLAIN INSERT INTO {table} ({}) VALUES ({places})", columns.join(", "));
        let mut insert = connection.prepare(&insert).unwrap();
        let values = rusqlite::params_from_iter(vec![1; columns.len()]);
        let operations = insert.query_map(values, |row| row.get::<_, String>(1)).unwrap();
        operations.filter(|operation| operation.as_deref() == Ok("OpenEphemeral")).count()
    };
    let folder = tempfile::tempdir().unwrap();
    drop(open(&folder));
    let connection = rusqlite::Connection::open(folder.path().join("test.db")).unwrap();
    let mut tables = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").unwrap();
    let tables: Vec<String> = tables.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    assert!(tables.contains(&"jobs".to_owned()), "{tables:?}");
    for table in tables {
        assert_eq!(built_tables(&connection, &table), 0, "{table}");
    }
    connection.execute_batch("CREATE TABLE listed (word TEXT CHECK (word IN ('a', 'b', 'c')))").unwrap();
    assert_eq!(built_tables(&connection, "listed"), 1, "so they can be seen");
}

#[test]
fn an_address_that_cannot_be_used_is_refused_with_the_fix() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing").join("test.db");
    let refused =
        |address: &str| storage::open(address, &Options::new(Arc::new(SystemRandomness))).unwrap_err().to_string();
    assert!(refused(&address(&missing)).contains("create it or choose another path"));
    assert!(!folder.path().join("missing").exists());
    assert!(refused(&address(folder.path())).contains("is not a file"));
    for wrong in ["", "sqlite:", "test.db", "mysql://x", "sqlite::memory:"] {
        assert!(refused(wrong).contains("is not valid"), "{wrong:?}: {}", refused(wrong));
    }
}

#[test]
fn a_file_that_is_not_ours_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let ours = folder.path().join("ours.db");
    storage::migrate(&address(&ours), &Options::new(Arc::new(SystemRandomness))).unwrap();
    let with = |name: &str, sql: &str| {
        let path = folder.path().join(name);
        fs::copy(&ours, &path).unwrap();
        rusqlite::Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        path
    };
    let newer = with("newer.db", "PRAGMA user_version = 99");
    let foreign = with("foreign.db", "PRAGMA application_id = 1");
    let text = folder.path().join("text.db");
    fs::write(&text, "just a text, and long enough to be read as a header of a database: ".repeat(20)).unwrap();
    let torn = folder.path().join("torn.db");
    let whole = fs::read(&ours).unwrap();
    fs::write(&torn, &whole[..whole.len() / 2]).unwrap();
    let spoiled = folder.path().join("spoiled.db");
    let mut bytes = whole.clone();
    bytes[4096..8192].fill(0xA5);
    fs::write(&spoiled, bytes).unwrap();
    for (path, expected) in [
        (newer, "use a newer version"),
        (foreign, "another program"),
        (text, "is not an SQLite database"),
        (torn, "is damaged"),
        (spoiled, "is damaged"),
    ] {
        let before = fs::read(&path).unwrap();
        let message =
            storage::open(&address(&path), &Options::new(Arc::new(SystemRandomness))).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
        assert_eq!(fs::read(&path).unwrap(), before, "{} was changed", path.display());
    }
    assert_eq!(storage::migrate(&address(&ours), &Options::new(Arc::new(SystemRandomness))).unwrap(), 1);
}
