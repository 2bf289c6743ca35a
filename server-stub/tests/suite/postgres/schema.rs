//! Schemas of their own for tests, and statements in them. Whole databases are in `database`.

use std::io::Write as _;

use tokio_postgres::{Client, NoTls};

/// A schema that is dropped with this.
pub(crate) struct Schema {
    name: String,
    server: String,
    address: String,
}

impl Schema {
    /// A new, empty schema; `None`, and a word about it, when no database is named.
    pub(crate) fn new() -> Option<Self> {
        let server = server()?;
        let name = format!("test_{}", uuid::Uuid::new_v4().simple());
        execute(&server, &format!("CREATE SCHEMA {name}"));
        let address = with_parameter(&server, &format!("application_name={name}&options=-csearch_path%3D{name}"));
        Some(Self { name, server, address })
    }

    /// The address of a database that has this schema only.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Ends every other connection that works in the schema.
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

    /// The number that a query answers in the schema.
    pub(crate) fn query_number(&self, sql: &str) -> i64 {
        query_number(&self.address, sql)
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        execute(&self.server, &format!("DROP SCHEMA {} CASCADE", self.name));
    }
}

/// The address that the environment names; `None`, and a word about it, when it names none.
#[expect(clippy::disallowed_methods, reason = "tests have no command line that could name the database")]
pub(super) fn server() -> Option<String> {
    let server = std::env::var("CONTENTGEN_TEST_POSTGRES_URL").ok();
    if server.is_none() {
        let word = "skipped: CONTENTGEN_TEST_POSTGRES_URL names no PostgreSQL database\n";
        std::io::stderr().write_all(word.as_bytes()).unwrap();
    }
    server
}

pub(super) fn with_parameter(address: &str, parameter: &str) -> String {
    let join = if address.contains('?') { '&' } else { '?' };
    format!("{address}{join}{parameter}")
}

/// Runs statements.
pub(super) fn execute(address: &str, sql: &str) {
    connected(address, async |client| client.batch_execute(sql).await);
}

/// The number that a query answers.
pub(super) fn query_number(address: &str, sql: &str) -> i64 {
    connected(address, async |client| client.query_one(sql, &[]).await).get(0)
}

/// Works on a connection of its own, on a thread of its own: a runtime may not run inside another.
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
