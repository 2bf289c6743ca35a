//! Work of one caller for a writing thread, and the channel on which the caller waits for the outcome. The threads are in
//! `sqlite` and `postgres`.

use std::sync::Arc;

use tokio::sync::oneshot;

use crate::domain::store::{Error, Result};

use super::panics::caught;
use super::sql::ExclusiveSession;

/// Work that is waiting to be written.
pub(super) trait WriteTask: Send {
    /// Runs the work. Returns `false` if it failed and must be rolled back. It may run again afterwards.
    fn run(&mut self, session: &mut dyn ExclusiveSession) -> bool;
    /// Sends the outcome to the caller, after the commit succeeded or failed.
    fn reply(self: Box<Self>, committed: &Result<(), NotCommitted>);
}

/// Reason why a transaction was not committed. All callers in the transaction receive the same cause.
#[derive(Debug, Clone, thiserror::Error)]
#[error("the transaction was not committed")]
pub(super) struct NotCommitted(#[source] Arc<dyn std::error::Error + Send + Sync>);

impl From<Error> for NotCommitted {
    fn from(error: Error) -> Self {
        match error {
            Error::Unavailable(cause) | Error::Broken(cause) => Self(Arc::from(cause)),
            other => Self(Arc::new(other)),
        }
    }
}

impl From<NotCommitted> for Error {
    fn from(error: NotCommitted) -> Self {
        Self::Unavailable(Box::new(error))
    }
}

struct Task<T, F> {
    work: F,
    outcome: Option<Result<T>>,
    sender: oneshot::Sender<Result<T>>,
}

/// Returns a task that does `work`, and the channel for its outcome.
pub(super) fn write_task<T, F>(work: F) -> (Box<dyn WriteTask>, oneshot::Receiver<Result<T>>)
where
    T: Send + 'static,
    F: FnMut(&mut dyn ExclusiveSession) -> Result<T> + Send + 'static,
{
    let (sender, outcome) = oneshot::channel();
    (Box::new(Task { work, outcome: None, sender }), outcome)
}

impl<T, F> WriteTask for Task<T, F>
where
    T: Send,
    F: FnMut(&mut dyn ExclusiveSession) -> Result<T> + Send,
{
    fn run(&mut self, session: &mut dyn ExclusiveSession) -> bool {
        let work = &mut self.work;
        self.outcome.insert(caught(|| work(session))).is_ok()
    }

    fn reply(self: Box<Self>, committed: &Result<(), NotCommitted>) {
        let outcome = match (self.outcome, committed) {
            (Some(Err(error)), _) => Err(error),
            (_, Err(cause)) => Err(cause.clone().into()),
            (Some(Ok(value)), Ok(())) => Ok(value),
            (None, Ok(())) => Err(Error::Broken("a database operation was not run".into())),
        };
        // If the caller is gone, the committed work stays.
        drop(self.sender.send(outcome));
    }
}

/// Returns an error after which the same call may succeed later.
pub(super) fn unavailable(reason: &'static str) -> Error {
    Error::Unavailable(reason.into())
}
