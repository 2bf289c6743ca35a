//! A separate schema in the PostgreSQL database that the environment names.

use anyhow::Context as _;
use tokio_postgres::NoTls;

/// A schema, dropped with this value.
#[derive(Debug)]
pub(crate) struct Schema {
    name: String,
    server: String,
}

impl Schema {
    /// Returns the address of the test database, if the environment names one.
    #[expect(clippy::disallowed_methods, reason = "benches name the database like the tests do")]
    pub(crate) fn server() -> Option<String> {
        std::env::var("CONTENTGEN_TEST_POSTGRES_URL").ok()
    }

    /// Creates an empty schema.
    pub(crate) fn create() -> anyhow::Result<Self> {
        let server = Self::server().context("CONTENTGEN_TEST_POSTGRES_URL names no PostgreSQL database")?;
        let name = format!("bench_{}", uuid::Uuid::new_v4().simple());
        execute(&server, &format!("CREATE SCHEMA {name}"))?;
        Ok(Self { name, server })
    }

    /// Returns an address at which only this schema is visible.
    pub(crate) fn address(&self) -> String {
        let join = if self.server.contains('?') { '&' } else { '?' };
        format!("{}{join}application_name={name}&options=-csearch_path%3D{name}", self.server, name = self.name)
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        // A failed cleanup must not discard the measurements.
        drop(execute(&self.server, &format!("DROP SCHEMA {} CASCADE", self.name)));
    }
}

/// Runs statements on a new thread, because a runtime cannot run inside another.
fn execute(address: &str, sql: &str) -> anyhow::Result<()> {
    std::thread::scope(|scope| {
        let work = scope.spawn(|| {
            tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
                let (client, connection) = tokio_postgres::connect(address, NoTls).await?;
                let work = client.batch_execute(sql);
                tokio::select! {
                    ended = connection => { ended?; anyhow::bail!("the connection ended") },
                    done = work => Ok(done?),
                }
            })
        });
        work.join().map_err(|_| anyhow::anyhow!("the thread panicked"))?
    })
}
