//! Every statement finds its rows by an index, on both databases. The statements are those that the tests of the store run.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write as _;
use std::process::Command;
use std::sync::{Mutex, Once};

use rusqlite::config::DbConfig;
use rusqlite::functions::FunctionFlags;
use serde_json::Value;
use tracing::field::{Field, Visit};
use tracing::subscriber::Interest;
use tracing::{Event, Metadata, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};

use super::{postgres, sqlite};

/// Environment variable with the file to which a test program appends its statements.
const RECORD: &str = "CONTENTGEN_TEST_RECORD_STATEMENTS";
/// Beginnings of the statements that may read a whole table or index, without line breaks, and the reason.
const EXCEPTIONS: [(&str, &str); 6] = [
    ("DELETE FROM attempts WHERE started_at <= $1 AND id IN (SELECT", "the oldest rows of the index, up to a limit"),
    ("DELETE FROM sign_in_links WHERE expires_at", "the table holds only the unused links of the last hour"),
    ("SELECT count(*) FROM ( SELECT 1 FROM hook_endpoints", "counts pending deliveries, up to a limit"),
    ("SELECT count(CASE WHEN status = 'queued'", "counts unfinished jobs, up to a limit"),
    ("SELECT min(oldest) FROM", "reads one row for each endpoint, or for each account with unfinished jobs"),
    ("WITH RECURSIVE waiting", "begins with the first row of the index"),
];
/// Separates statements in the file.
const END: &str = "\n;\n";

/// Records the statements of this process if the environment names a file for them.
pub(super) fn record_if_asked() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        let Some(path) = std::env::var_os(RECORD) else { return };
        let file = File::options().create(true).append(true).open(path).unwrap();
        let recorder = Recorder(Mutex::new((BTreeSet::new(), file)));
        tracing::subscriber::set_global_default(tracing_subscriber::registry().with(recorder)).unwrap();
    });
}

/// Appends each statement once.
struct Recorder(Mutex<(BTreeSet<String>, File)>);

impl<S: Subscriber> Layer<S> for Recorder {
    fn register_callsite(&self, metadata: &'static Metadata<'static>) -> Interest {
        if metadata.fields().field("sql").is_some() { Interest::always() } else { Interest::never() }
    }

    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        event.record(&mut Sql(self));
    }
}

struct Sql<'r>(&'r Recorder);

impl Visit for Sql<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        let (seen, file) = &mut *self.0.0.lock().unwrap();
        if field.name() == "sql" && seen.insert(value.to_owned()) {
            file.write_all(format!("{value}{END}").as_bytes()).unwrap();
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn std::fmt::Debug) {}
}

/// Returns the statements of the tests whose name begins with `tests`.
fn statements(tests: &str) -> BTreeSet<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("statements.sql");
    let tests = Command::new(std::env::current_exe().unwrap()).arg(tests).env(RECORD, &path).output().unwrap();
    assert!(tests.status.success(), "{}", String::from_utf8_lossy(&tests.stdout));
    let text = std::fs::read_to_string(path).unwrap();
    text.split_terminator(END).map(str::to_owned).collect()
}

/// Fails if a statement reads a whole table or index without an exception. Returns the exceptions that no statement needs.
fn check(statements: &BTreeSet<String>, scans: impl Fn(&str) -> Vec<String>) -> Vec<&'static str> {
    assert!(statements.len() > 300, "only {} statements", statements.len());
    let mut unused: Vec<_> = EXCEPTIONS.iter().map(|(statement, _)| *statement).collect();
    let mut lines = Vec::new();
    for sql in statements {
        let scans = scans(sql);
        if scans.is_empty() {
            continue;
        }
        let words = sql.split_whitespace().collect::<Vec<_>>().join(" ");
        match EXCEPTIONS.iter().find(|(statement, _)| words.starts_with(statement)) {
            Some((statement, _)) => unused.retain(|other| other != statement),
            None => lines.push(format!("{scans:?}\n    {sql}")),
        }
    }
    assert!(lines.is_empty(), "{} of {}:\n{}", lines.len(), statements.len(), lines.join("\n"));
    unused
}

#[test]
#[ignore = "runs the tests of the store again"]
fn sqlite_finds_the_rows_of_every_statement_by_an_index() {
    let statements = statements("store::sqlite");
    let (store, folder) = sqlite::fresh().unwrap();
    drop(store);
    let connection = rusqlite::Connection::open(folder.path().join("test.db")).unwrap();
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).unwrap();
    // A function of the store, which no statement here runs.
    connection.create_scalar_function("normalize", 1, FunctionFlags::SQLITE_DETERMINISTIC, |_| Ok(0)).unwrap();
    let unused = check(&statements, |sql| {
        let mut plan = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let steps = plan.raw_query().mapped(|row| row.get::<_, String>(3)).map(Result::unwrap).collect::<Vec<_>>();
        steps.into_iter().filter(|step| scanned_table(step).is_some_and(|table| is_stored(table, sql))).collect()
    });
    assert!(unused.is_empty(), "no longer needed: {unused:#?}");
}

/// Returns the table that a step of SQLite's plan reads completely.
fn scanned_table(step: &str) -> Option<&str> {
    let table = step.strip_prefix("SCAN ")?.split(' ').next()?;
    (!step.contains("VIRTUAL TABLE") && table != "CONSTANT" && !table.starts_with('(')).then_some(table)
}

/// Returns false if `table` is a subquery of the statement.
fn is_stored(table: &str, sql: &str) -> bool {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let is_named = |name: String| sql.match_indices(&name).any(|(at, _)| !sql[at + name.len()..].starts_with(is_word));
    !is_named(format!("{table} AS MATERIALIZED"))
        && !is_named(format!(") AS {table}"))
        && !is_named(format!("RECURSIVE {table}"))
}

#[test]
#[ignore = "runs the tests of the store again"]
fn postgresql_finds_the_rows_of_every_statement_by_an_index() {
    let Some((store, schema)) = postgres::fresh() else { return };
    drop(store);
    let statements = statements("store::postgres");
    schema.fill();
    check(&statements, |sql| {
        let plan = serde_json::from_str(&schema.plan(sql)).unwrap();
        let mut scans = Vec::new();
        collect_scans(&plan, &mut scans);
        scans
    });
}

/// Adds the nodes of the plan that read a whole table or a whole index.
fn collect_scans(node: &Value, scans: &mut Vec<String>) {
    match node {
        Value::Array(nodes) => nodes.iter().for_each(|node| collect_scans(node, scans)),
        Value::Object(fields) => {
            let kind = fields.get("Node Type").and_then(Value::as_str).unwrap_or_default();
            let is_whole = kind == "Seq Scan" || (kind.contains("Index") && !fields.contains_key("Index Cond"));
            if is_whole {
                let text = |name| fields.get(name).and_then(Value::as_str).unwrap_or_default();
                scans.push(format!("{kind} of {} {} {}", text("Relation Name"), text("Index Name"), text("Filter")));
            }
            fields.values().for_each(|field| collect_scans(field, scans));
        }
        _ => {}
    }
}
