//! One caller's work for a thread that writes, and the channel on which the caller waits for the outcome. The threads are in
//! `sqlite` and `postgres`.

use std::sync::Arc;

use tokio::sync::oneshot;

use crate::domain::store::{Error, Result};

use super::panics::caught;
use super::sql::ExclusiveSession;

/// Work that waits to be written.
pub(super) trait WriteTask: Send {
    /// Runs the work. `false` means that it failed and must be rolled back. It may be run again after that.
    fn run(&mut self, session: &mut dyn ExclusiveSession) -> bool;
    /// Sends the outcome to the caller, now that it is known whether the transaction was committed.
    fn reply(self: Box<Self>, committed: &Result<(), NotCommitted>);
}

/// The reason why a transaction was not committed. All callers whose work was in it get the same cause.
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

/// A task that does `work`, and where its outcome arrives.
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
        // The caller may have gone away. What was committed stays.
        drop(self.sender.send(outcome));
    }
}

/// The same call may succeed later.
pub(super) fn unavailable(reason: &'static str) -> Error {
    Error::Unavailable(reason.into())
}
