//! Separate schemas for tests, and statements in them. `database` creates whole databases.

use std::io::Write as _;
use std::sync::{Condvar, Mutex, PoisonError};

use tokio_postgres::{Client, NoTls, SimpleQueryMessage};

/// Maximum number of concurrent tests with PostgreSQL. Each opens one or two stores with up to ten connections, and a server admits a
/// hundred.
const MAX_AT_ONCE: usize = 4;

static IN_USE: Mutex<usize> = Mutex::new(0);
static IS_FREE: Condvar = Condvar::new();

/// Right of a test to use PostgreSQL, returned when this value is dropped.
pub(super) struct Turn;

impl Turn {
    fn wait() -> Self {
        let in_use = IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
        let mut in_use =
            IS_FREE.wait_while(in_use, |count| *count >= MAX_AT_ONCE).unwrap_or_else(PoisonError::into_inner);
        *in_use += 1;
        Self
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        *IN_USE.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        IS_FREE.notify_one();
    }
}

/// A schema that is dropped with this value.
pub(crate) struct Schema {
    name: String,
    server: String,
    address: String,
    _turn: Turn,
}

impl Schema {
    /// Creates an empty schema. Returns `None`, with a message, if the environment names no database.
    pub(crate) fn new() -> Option<Self> {
        let (server, turn) = server()?;
        let name = format!("test_{}", uuid::Uuid::new_v4().simple());
        execute(&server, &format!("CREATE SCHEMA {name}"));
        let address = with_parameter(&server, &format!("application_name={name}&options=-csearch_path%3D{name}"));
        Some(Self { name, server, address, _turn: turn })
    }

    /// Returns an address at which only this schema is visible.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Ends every other connection that uses the schema.
    pub(crate) fn cut_connections(&self) {
        execute(
            &self.server,
            &format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '{}'", self.name),
        );
    }

    /// Runs statements in the schema.
    pub(crate) fn execute(&self, sql: &str) {
        execute(&self.address, sql);
    }

    /// Deletes all records. The schema's version and the settings of its database stay.
    pub(crate) fn delete_records(&self) {
        // Eight passes: no chain of foreign keys is longer. In the last pass, a remaining record is an error.
        self.execute(
            "DO $$ DECLARE name text; BEGIN
                 FOR pass IN 1..8 LOOP
                     FOR name IN SELECT tablename FROM pg_tables
                         WHERE schemaname = current_schema() AND tablename NOT IN ('contentgen_schema', 'settings')
                     LOOP
                         BEGIN
                             EXECUTE format('DELETE FROM %I', name);
                         EXCEPTION WHEN foreign_key_violation THEN
                             IF pass = 8 THEN RAISE; END IF;
                         END;
                     END LOOP;
                 END LOOP;
             END $$",
        );
    }

    /// Returns the number that a query in the schema selects.
    pub(crate) fn query_number(&self, sql: &str) -> i64 {
        query_number(&self.address, sql)
    }

    /// Adds 100,000 rows to each table. They break the rules for values: most nullable columns are empty, and others have a different
    /// value in each row.
    pub(crate) fn fill(&self) {
        self.execute(
            "DO $$ DECLARE found record; BEGIN
                 FOR found IN SELECT conrelid::regclass AS name, conname FROM pg_constraint
                     WHERE connamespace = current_schema()::regnamespace AND contype IN ('f', 'c')
                 LOOP
                     EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', found.name, found.conname);
                 END LOOP;
                 FOR found IN SELECT table_name AS name, string_agg(format('%I', column_name), ', ') AS columns,
                     string_agg(format(CASE is_nullable WHEN 'YES' THEN 'CASE WHEN g %% 10 = 0 THEN %s END' ELSE '%s' END,
                         CASE data_type WHEN 'text' THEN '''x'' || g' WHEN 'bytea' THEN 'int8send(g)' ELSE 'g' END), ', ')
                         AS values
                     FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
                     WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' GROUP BY table_name
                 LOOP
                     EXECUTE format('ALTER TABLE %I DISABLE TRIGGER USER', found.name);
                     EXECUTE format('INSERT INTO %I (%s) OVERRIDING SYSTEM VALUE SELECT %s FROM generate_series(1, 100000::bigint) AS g
                         ON CONFLICT DO NOTHING', found.name, found.columns, found.values);
                 END LOOP;
             END $$;
             ANALYZE",
        );
    }

    /// Returns the plan of a prepared statement for any values, as JSON.
    pub(crate) fn plan(&self, sql: &str) -> String {
        let parameters = (1..100).take_while(|number| sql.contains(&format!("${number}"))).count();
        let values = if parameters == 0 { String::new() } else { format!("({})", vec!["NULL"; parameters].join(", ")) };
        let script = format!(
            "SET plan_cache_mode = force_generic_plan; PREPARE plan AS {sql};
             EXPLAIN (FORMAT JSON) EXECUTE plan{values}"
        );
        let messages = connected(&self.address, async |client| client.simple_query(&script).await);
        let plan = messages.iter().find_map(|message| match message {
            SimpleQueryMessage::Row(row) => row.get(0),
            _ => None,
        });
        plan.unwrap().to_owned()
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        execute(&self.server, &format!("DROP SCHEMA {} CASCADE", self.name));
    }
}

/// Returns the address that the environment names, with a turn. Returns `None`, with a message, if it names none.
#[expect(clippy::disallowed_methods, reason = "tests have no command line that could name the database")]
pub(super) fn server() -> Option<(String, Turn)> {
    let server = std::env::var("CONTENTGEN_TEST_POSTGRES_URL").ok();
    if server.is_none() {
        let word = "skipped: CONTENTGEN_TEST_POSTGRES_URL names no PostgreSQL database\n";
        std::io::stderr().write_all(word.as_bytes()).unwrap();
    }
    Some((server?, Turn::wait()))
}

pub(super) fn with_parameter(address: &str, parameter: &str) -> String {
    let join = if address.contains('?') { '&' } else { '?' };
    format!("{address}{join}{parameter}")
}

/// Runs statements.
pub(super) fn execute(address: &str, sql: &str) {
    connected(address, async |client| client.batch_execute(sql).await);
}

/// Returns the number that a query selects.
pub(super) fn query_number(address: &str, sql: &str) -> i64 {
    connected(address, async |client| client.query_one(sql, &[]).await).get(0)
}

/// Works on a new connection in a new thread, because a runtime cannot run inside another.
fn connected<T: Send>(address: &str, work: impl AsyncFnOnce(&Client) -> Result<T, tokio_postgres::Error> + Send) -> T {
    std::thread::scope(|scope| {
        let work = scope.spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let (client, connection) = tokio_postgres::connect(address, NoTls).await.unwrap();
                tokio::select! {
                    ended = connection => panic!("the connection ended: {ended:?}"),
                    done = work(&client) => done.unwrap(),
                }
            })
        });
        work.join().unwrap()
    })
}
