//! A connection that reconnects after it breaks. Threads take it from a `lane`, one at a time.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::domain::randomness::Randomness;
use crate::domain::store::{Error, Result};
use crate::failpoints::{self, Point};

use super::address::Address;
use super::connection::Connection;
use super::session::PostgresSession;

/// Maximum number of tries of a transaction that ends in a deadlock.
const MAX_TRIES: usize = 5;

/// A connection, and the settings for making it again.
pub(in crate::storage) struct Reconnecting {
    address: Address,
    randomness: Arc<dyn Randomness>,
    cut_off: CancellationToken,
    connection: Option<Connection>,
    is_down: bool,
}

impl Reconnecting {
    /// Connects at the first use. Stops waiting at `cut_off`.
    pub(super) fn new(address: Address, randomness: Arc<dyn Randomness>, cut_off: CancellationToken) -> Self {
        Self { address, randomness, cut_off, connection: None, is_down: false }
    }

    /// Runs `work` without a transaction, for reading. If the connection is broken, runs `work` once more on a new one.
    pub(super) fn read<T>(&mut self, work: &mut dyn FnMut(&mut PostgresSession<'_>) -> Result<T>) -> Result<T> {
        let was_connected = self.connection.is_some();
        let outcome = work(&mut self.session()?);
        let is_broken = self.drop_broken();
        if is_broken && was_connected { work(&mut self.session()?) } else { outcome }
    }

    /// Runs `work` in a transaction. Rolls back if `work` fails. Runs it again after a deadlock, or if the connection had
    /// broken before the transaction began.
    pub(super) fn transaction<T>(&mut self, work: &mut dyn FnMut(&mut PostgresSession<'_>) -> Result<T>) -> Result<T> {
        for _ in 1..MAX_TRIES {
            let (outcome, was_deadlock) = self.try_transaction(work)?;
            if !was_deadlock {
                return outcome;
            }
        }
        self.try_transaction(work)?.0
    }

    /// Returns the outcome, and whether it failed because of a deadlock. Then a new try may succeed at once.
    fn try_transaction<T>(
        &mut self,
        work: &mut dyn FnMut(&mut PostgresSession<'_>) -> Result<T>,
    ) -> Result<(Result<T>, bool)> {
        self.begin()?;
        let mut session = self.session()?;
        let mut outcome = work(&mut session);
        let mut was_deadlock = session.was_deadlock;
        if let Some(connection) = &self.connection {
            let end = if outcome.is_ok() { "COMMIT" } else { "ROLLBACK" };
            failpoints::hit(Point::WriterBeforeCommit);
            let ended = connection.wait(connection.client.batch_execute(end));
            failpoints::hit(Point::WriterAfterCommit);
            if let (Ok(_), Err(error)) = (&outcome, ended) {
                was_deadlock = super::error::is_deadlock(&error);
                outcome = Err(error.into());
            }
        }
        self.drop_broken();
        let was_deadlock = was_deadlock && outcome.is_err();
        Ok((outcome, was_deadlock))
    }

    /// Begins a transaction, on a new connection if the old one broke since its last use.
    fn begin(&mut self) -> Result<()> {
        loop {
            let was_connected = self.connection.is_some();
            let connection = self.session()?.connection;
            let Err(error) = connection.wait(connection.client.batch_execute("BEGIN")) else { return Ok(()) };
            self.disconnect();
            if !was_connected {
                return Err(error.into());
            }
        }
    }

    /// Drops the connection. The next use makes a new one.
    pub(super) fn disconnect(&mut self) {
        self.connection = None;
        self.is_down = true;
    }

    /// Returns true if the last use could not connect, or broke the connection. A transaction that it broke may or may
    /// not have been committed.
    pub(super) const fn is_down(&self) -> bool {
        self.is_down
    }

    fn session(&mut self) -> Result<PostgresSession<'_>> {
        if self.connection.is_none() {
            let connected = Connection::connect(&self.address, self.cut_off.clone());
            self.is_down = connected.is_err();
            self.connection = Some(connected.map_err(|error| Error::Unavailable(error.into()))?);
        }
        let connection = self.connection.as_mut().expect("it was connected just now");
        Ok(PostgresSession { connection, randomness: &*self.randomness, was_deadlock: false })
    }

    /// Drops a broken connection. Returns true if it was broken.
    fn drop_broken(&mut self) -> bool {
        let is_broken = self.connection.as_ref().is_some_and(Connection::is_broken);
        if is_broken {
            self.disconnect();
        }
        is_broken
    }
}
