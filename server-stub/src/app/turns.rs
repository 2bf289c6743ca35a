//! Runs work that uses a core for milliseconds, a few tasks at a time. Callers beyond a bounded queue are refused.

use std::sync::Arc;

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::task::spawn_blocking;

/// Too many callers are waiting already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the server has too many requests of this kind; try again in a few seconds")]
pub struct Busy;

/// Tasks of one kind.
#[derive(Debug)]
pub(super) struct Turns {
    /// Places for running and waiting callers.
    places: Semaphore,
    running: Arc<Semaphore>,
}

/// Place of a caller in the queue. It may run several tasks, one after the other.
#[derive(Debug)]
pub(super) struct Place<'t> {
    running: &'t Arc<Semaphore>,
    _place: SemaphorePermit<'t>,
}

impl Turns {
    /// Creates a queue for `waiting` callers besides the `at_once` tasks that run at a time.
    pub(super) fn new(at_once: usize, waiting: usize) -> Self {
        Self { places: Semaphore::new(at_once + waiting), running: Arc::new(Semaphore::new(at_once)) }
    }

    /// Takes a place in the queue, if one is free.
    pub(super) fn place(&self) -> Result<Place<'_>, Busy> {
        let place = self.places.try_acquire().map_err(|_| Busy)?;
        Ok(Place { running: &self.running, _place: place })
    }
}

impl Place<'_> {
    /// Runs `work` on a thread that may block, when it is its turn.
    pub(super) async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> T {
        let turn = Arc::clone(self.running).acquire_owned().await.expect("the semaphore is never closed");
        let working = spawn_blocking(move || {
            // Keep the turn until the work is done, even if the caller is gone.
            let _turn = turn;
            work()
        });
        working.await.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use futures::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn a_full_queue_refuses_callers_and_takes_others_when_one_leaves() {
        let turns = Turns::new(1, 1);
        let (first, second) = (turns.place().unwrap(), turns.place().unwrap());
        assert_eq!(turns.place().unwrap_err(), Busy);
        let ((begun, begins), (go_on, wait)) = (channel(), channel::<()>());
        let mut running = Box::pin(first.run(move || {
            begun.send(()).unwrap();
            wait.recv().is_err()
        }));
        assert!(running.as_mut().now_or_never().is_none());
        begins.recv().unwrap();
        // The work continues without its caller, so its turn has not ended.
        drop(running);
        drop(first);
        assert_eq!(turns.running.available_permits(), 0);
        let mut waiting = Box::pin(second.run(|| ()));
        assert!(waiting.as_mut().now_or_never().is_none(), "only one runs at a time");
        drop(go_on);
        waiting.await;
        assert!(turns.place().is_ok());
    }
}
