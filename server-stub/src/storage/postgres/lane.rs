//! Connections that the threads of several queues share.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use tokio::sync::oneshot;

use super::reconnecting::Reconnecting;

/// A fixed number of connections. A thread borrows one for each item or group of items of its queue.
pub(super) struct Lane {
    size: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Idle connections, each with the name of the queue that used it last.
    idle: Vec<(Option<&'static str>, Reconnecting)>,
    /// Threads that wait for a connection, the first one first.
    waiting: VecDeque<oneshot::Sender<Reconnecting>>,
}

impl Lane {
    /// Starts with `size` connections, at least one. Each connects at its first use.
    pub(super) fn new(size: usize, connect: impl Fn() -> Reconnecting) -> Self {
        let idle = (0..size).map(|_| (None, connect())).collect();
        Self { size, state: Mutex::new(State { idle, waiting: VecDeque::new() }) }
    }

    /// Returns the number of threads of a queue that wants `wanted`. They leave one connection to the other queues, so no queue
    /// waits only for the work of another.
    pub(super) fn threads(&self, wanted: usize) -> usize {
        wanted.min(self.size - 1).max(1)
    }

    /// Borrows a connection for the queue `name`, and waits for one if none is idle.
    pub(super) fn take(&self, name: &'static str) -> Reconnecting {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        // Prefer a connection that has prepared this queue's statements. The next best has prepared none yet.
        let last_used_by = |queue| state.idle.iter().rposition(|(last, _)| *last == queue);
        let best = last_used_by(Some(name)).or_else(|| last_used_by(None)).unwrap_or(0);
        if best < state.idle.len() {
            return state.idle.remove(best).1;
        }
        let (sender, receiver) = oneshot::channel();
        state.waiting.push_back(sender);
        drop(state);
        receiver.blocking_recv().expect("the thread that returns a connection uses this lane too")
    }

    /// Returns a connection that [`Lane::take`] lent to the queue `name`.
    pub(super) fn put_back(&self, name: &'static str, connection: Reconnecting) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match state.waiting.pop_front() {
            // A waiting thread does not give up.
            Some(waiting) => drop(waiting.send(connection)),
            None => state.idle.push((Some(name), connection)),
        }
    }
}
