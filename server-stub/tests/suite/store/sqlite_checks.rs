//! The checks of SQLite's schema: cheap to evaluate, and as strict as they were when they were lists of values.

use std::sync::Arc;

use contentgen_server_stub::randomness::SystemRandomness;
use contentgen_server_stub::storage::{self, Options};
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use tempfile::TempDir;

/// The schema's history until its checks were written as comparisons.
const SCRIPTS_WITH_LISTS: [&str; 7] = [
    include_str!("../../../src/storage/sqlite/migrations/0001_foundation.sql"),
    include_str!("../../../src/storage/sqlite/migrations/0002_durable_core.sql"),
    include_str!("../../../src/storage/sqlite/migrations/0003_retention.sql"),
    include_str!("../../../src/storage/sqlite/migrations/0004_lists.sql"),
    include_str!("../../../src/storage/sqlite/migrations/0005_claims.sql"),
    include_str!("../../../src/storage/sqlite/migrations/0006_clocks.sql"),
    include_str!("../../../src/storage/sqlite/migrations/0007_expiry.sql"),
];
/// Every word that a check names anywhere, and one that none does.
const WORDS: [&str; 19] = [
    "active",
    "paused",
    "archived",
    "queued",
    "in_progress",
    "completed",
    "failed",
    "cancelled",
    "generating",
    "ready",
    "scheduled",
    "publishing",
    "published",
    "draft",
    "disabled",
    "pending",
    "succeeded",
    "exhausted",
    "unheard of",
];
const KINDS: [&str; 4] = ["scheduled", "manual", "test", "unheard of"];
const RESUMED: [&str; 5] = ["pending", "succeeded", "failed", "exhausted", "unheard of"];

/// A table, its columns with words, and its columns that may be NULL and that a check compares with these.
type Checked = (&'static str, &'static [(&'static str, &'static [&'static str])], &'static [&'static str]);

const CHECKED: [Checked; 7] = [
    ("websites", &[("status", &WORDS)], &[]),
    ("jobs", &[("status", &WORDS)], &["finished_at", "run_at", "article_id", "error"]),
    ("scheduled_posts", &[("status", &WORDS)], &["run_at", "published_at", "error"]),
    ("articles", &[("status", &WORDS)], &[]),
    ("hook_endpoints", &[("status", &WORDS)], &[]),
    ("deliveries", &[("status", &WORDS), ("kind", &KINDS), ("resume_status", &RESUMED)], &["run_at", "resume_status"]),
    ("attempts", &[("kind", &KINDS)], &[]),
];

/// A column's name and type.
type Column = (String, String);

fn migrated() -> (Connection, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new.db");
    storage::migrate(&format!("sqlite:{}", path.display()), &Options::new(Arc::new(SystemRandomness))).unwrap();
    (Connection::open(path).unwrap(), folder)
}

fn with_lists() -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    for script in SCRIPTS_WITH_LISTS {
        connection.execute_batch(script).unwrap();
    }
    connection
}

fn columns(connection: &Connection, table: &str) -> Vec<Column> {
    let mut statement = connection.prepare("SELECT name, type FROM pragma_table_info($1)").unwrap();
    let columns = statement.query_map([table], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    columns.map(Result::unwrap).collect()
}

fn insert(table: &str, columns: &[Column]) -> String {
    let names = columns.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
    format!("INSERT INTO {table} ({names}) VALUES ({})", vec!["?"; columns.len()].join(", "))
}

/// Each row that can be made of what stands for each column.
fn rows(table: &str, columns: &[Column]) -> Vec<Vec<Value>> {
    let (_, words, nullable) = CHECKED.iter().find(|(name, ..)| *name == table).unwrap();
    columns.iter().fold(vec![Vec::new()], |rows, (name, kind)| {
        let mut values: Vec<Value> = match words.iter().find(|(column, _)| column == name) {
            Some((_, words)) => words.iter().map(|word| Value::Text((*word).to_owned())).collect(),
            None if kind == "INTEGER" => vec![Value::Integer(1)],
            None if kind == "BLOB" => vec![Value::Blob(vec![0])],
            None => vec![Value::Text("text".to_owned())],
        };
        if name == "disabled_reason" {
            values = vec![Value::Null];
        }
        if nullable.contains(&name.as_str()) {
            values.push(Value::Null);
        }
        let with_each = |row: &Vec<Value>| {
            let row = row.clone();
            values.iter().map(move |value| row.iter().chain([value]).cloned().collect()).collect::<Vec<_>>()
        };
        rows.iter().flat_map(with_each).collect()
    })
}

/// Whether the row may stand in the table.
fn is_accepted(connection: &Connection, insert: &str, row: &[Value]) -> bool {
    connection.execute_batch("SAVEPOINT one").unwrap();
    let outcome = connection.prepare_cached(insert).unwrap().execute(params_from_iter(row));
    connection.execute_batch("ROLLBACK TO one; RELEASE one").unwrap();
    match outcome {
        Ok(_) => true,
        Err(error) => {
            assert!(error.to_string().starts_with("CHECK constraint failed"), "{insert}: {error}");
            false
        }
    }
}

#[test]
fn a_check_refuses_exactly_what_it_refused_as_a_list() {
    let (former, (new, _folder)) = (with_lists(), migrated());
    for connection in [&former, &new] {
        connection.pragma_update(None, "foreign_keys", false).unwrap();
    }
    for (table, ..) in CHECKED {
        // What later scripts added has no check that was a list.
        let columns = columns(&former, table);
        let insert = insert(table, &columns);
        let mut accepted = 0;
        let rows = rows(table, &columns);
        for row in &rows {
            let was_accepted = is_accepted(&former, &insert, row);
            assert_eq!(is_accepted(&new, &insert, row), was_accepted, "{table}: {row:?}");
            accepted += usize::from(was_accepted);
        }
        assert!(accepted > 0 && accepted < rows.len(), "{table}: {accepted} of {} are accepted", rows.len());
    }
    assert_eq!(new.pragma_query_value(None, "integrity_check", |row| row.get::<_, String>(0)).unwrap(), "ok");
}

/// A list of three values and more in a check is a table that SQLite builds for each row.
#[test]
fn no_check_builds_a_table_for_each_row() {
    let opened_tables = |connection: &Connection, table: &str| {
        let columns = columns(connection, table);
        let mut statement = connection.prepare(&format!("EXPLAIN {}", insert(table, &columns))).unwrap();
        let operations = statement.query_map(params_from_iter(vec![1; columns.len()]), |row| row.get::<_, String>(1));
        operations.unwrap().filter(|operation| operation.as_deref() == Ok("OpenEphemeral")).count()
    };
    let (former, (new, _folder)) = (with_lists(), migrated());
    assert_eq!(opened_tables(&former, "jobs"), 3, "so they can be seen");
    let mut tables = new.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").unwrap();
    let tables: Vec<String> = tables.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    assert!(tables.len() > CHECKED.len());
    for table in tables {
        assert_eq!(opened_tables(&new, &table), 0, "{table}");
    }
}
