//! Schemas of their own for tests, in the PostgreSQL database that the environment names.

use std::io::Write as _;

use tokio_postgres::NoTls;

/// A schema that is dropped with this.
pub(crate) struct Schema {
    name: String,
    server: String,
    address: String,
}

impl Schema {
    /// A new, empty schema; `None`, and a word about it, when no database is named.
    #[expect(clippy::disallowed_methods, reason = "tests have no command line that could name the database")]
    pub(crate) fn new() -> Option<Self> {
        let Ok(server) = std::env::var("CONTENTGEN_TEST_POSTGRES_URL") else {
            let word = "skipped: CONTENTGEN_TEST_POSTGRES_URL names no PostgreSQL database\n";
            std::io::stderr().write_all(word.as_bytes()).unwrap();
            return None;
        };
        let name = format!("test_{}", uuid::Uuid::new_v4().simple());
        execute(&server, &format!("CREATE SCHEMA {name}"));
        let join = if server.contains('?') { '&' } else { '?' };
        let address = format!("{server}{join}application_name={name}&options=-csearch_path%3D{name}");
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
}

impl Drop for Schema {
    fn drop(&mut self) {
        execute(&self.server, &format!("DROP SCHEMA {} CASCADE", self.name));
    }
}

/// Runs statements on a connection of their own, on a thread of its own: a runtime may not run inside another.
fn execute(address: &str, sql: &str) {
    std::thread::scope(|scope| {
        let work = scope.spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let (client, connection) = tokio_postgres::connect(address, NoTls).await.unwrap();
                let work = client.batch_execute(sql);
                tokio::select! {
                    ended = connection => panic!("the connection ended: {ended:?}"),
                    done = work => done.unwrap(),
                }
            });
        });
        work.join().unwrap();
    });
}
