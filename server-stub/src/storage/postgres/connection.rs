//! One connection with the runtime that drives it. A thread that uses it does nothing else meanwhile. `reconnecting` replaces
//! a broken one.

use std::cell::Cell;
use std::collections::HashMap;
use std::future::poll_fn;
use std::io;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use tokio_postgres::{AsyncMessage, Client, NoTls, Statement};
use tokio_util::sync::CancellationToken;

use crate::domain::clock::Timestamp;
use crate::failpoints;

use super::address::Address;
use super::error::ConnectionError;

/// Settings of each connection. Timeouts for statements, locks and idle transactions keep a hanging client from blocking
/// others. Commits are durable, whatever the server's default is. Queries use only indexes: the planner's statistics of the
/// queues are always outdated, so it would often read a whole table that has grown since, or sort all due rows.
const SETTINGS: &str = "SET statement_timeout = '30s'; SET lock_timeout = '10s';
    SET default_transaction_isolation = 'read committed';
    SET enable_bitmapscan = off; SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET jit = off;
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'";

/// Maximum time a transaction may be idle. It keeps its locks until then, and other workers cannot record their results. So it
/// must end long before their leases, the shortest of which is one minute.
const IDLE_TRANSACTION_LIMIT: Duration = Duration::from_secs(20);

/// Maximum time to connect, and then to apply the settings.
pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum time for a response; longer than the statement timeout.
pub(super) const RESPONSE_TIMEOUT: Duration = Duration::from_secs(35);

/// A connection and its runtime. It must not be dropped on a thread of another runtime.
pub(super) struct Connection {
    runtime: Runtime,
    pub(super) client: Client,
    cut_off: CancellationToken,
    has_timed_out: Cell<bool>,
    /// Prepared statements, by their text.
    pub(super) prepared: HashMap<String, Statement>,
}

/// Returns a runtime for one thread. It needs its own file descriptors.
pub(super) fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

impl Connection {
    /// Connects. Stops waiting at `cut_off`.
    pub(super) fn connect(address: &Address, cut_off: CancellationToken) -> Result<Self, ConnectionError> {
        let connection = Self::without_settings(address, cut_off)?;
        connection.apply_settings()?;
        Ok(connection)
    }

    /// Connects without [`SETTINGS`].
    pub(super) fn without_settings(address: &Address, cut_off: CancellationToken) -> Result<Self, ConnectionError> {
        let runtime = runtime()?;
        let client = runtime.block_on(within(CONNECT_TIMEOUT, &cut_off, connect(address, |_| ())))?;
        Ok(Self { runtime, client, cut_off, has_timed_out: Cell::new(false), prepared: HashMap::new() })
    }

    pub(super) fn apply_settings(&self) -> Result<(), ConnectionError> {
        let idle = failpoints::idle_transaction_limit(IDLE_TRANSACTION_LIMIT).as_millis();
        let settings = format!("SET idle_in_transaction_session_timeout = {idle}; {SETTINGS}");
        self.wait_up_to(CONNECT_TIMEOUT, self.client.batch_execute(&settings))
    }

    /// Waits for a response, up to a limit: a hanging server neither responds nor closes the connection.
    pub(super) fn wait<T>(
        &self,
        work: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, ConnectionError> {
        self.wait_up_to(RESPONSE_TIMEOUT, work)
    }

    /// Waits for a response without a limit: a change of the schema takes longer for larger tables.
    pub(super) fn wait_without_limit<T>(
        &self,
        work: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, ConnectionError> {
        self.wait_up_to(Duration::MAX, work)
    }

    fn wait_up_to<T>(
        &self,
        limit: Duration,
        work: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, ConnectionError> {
        if self.has_timed_out.get() {
            return Err(ConnectionError::TimedOut);
        }
        let response = self.runtime.block_on(within(limit, &self.cut_off, work));
        self.has_timed_out.set(matches!(response, Err(ConnectionError::TimedOut)));
        response
    }

    /// Returns true if this connection cannot be used any more.
    pub(super) fn is_broken(&self) -> bool {
        self.has_timed_out.get() || self.client.is_closed()
    }
}

/// Waits for `work`, up to `limit` or until `cut_off`.
pub(super) async fn within<T>(
    limit: Duration,
    cut_off: &CancellationToken,
    work: impl Future<Output = Result<T, tokio_postgres::Error>>,
) -> Result<T, ConnectionError> {
    match cut_off.run_until_cancelled(timeout(limit, work)).await {
        Some(Ok(response)) => Ok(response?),
        Some(Err(_)) | None => Err(ConnectionError::TimedOut),
    }
}

/// Connects, and drives the connection on this thread's runtime. `on_message` receives notices and notifications.
pub(super) async fn connect(
    address: &Address,
    on_message: impl Fn(AsyncMessage) + Send + 'static,
) -> Result<Client, tokio_postgres::Error> {
    if let Some(tls) = &address.tls {
        let (client, connection) = address.config.connect(tls.clone()).await?;
        drive(connection, on_message);
        Ok(client)
    } else {
        let (client, connection) = address.config.connect(NoTls).await?;
        drive(connection, on_message);
        Ok(client)
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "it lives as long as this thread's runtime, for which the thread's owner waits"
)]
fn drive<S, T>(mut connection: tokio_postgres::Connection<S, T>, on_message: impl Fn(AsyncMessage) + Send + 'static)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    T: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    tokio::spawn(async move {
        while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
            on_message(message);
        }
    });
}

/// Reads the time of the database server.
pub(super) async fn time(client: &Client) -> Result<Timestamp, tokio_postgres::Error> {
    let now = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";
    Ok(Timestamp::from_millis(client.query_one(now, &[]).await?.try_get(0)?))
}
