//! Connections that the threads of several queues share.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use tokio::sync::oneshot;

use super::reconnecting::Reconnecting;

/// Minimum number of connections of a process: one for each lane, one for announcements.
pub const MIN_CONNECTIONS: u16 = 4;
/// Maximum number of connections of a process: one for each thread of each queue, one for announcements.
pub const MAX_CONNECTIONS: u16 = 19;

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

    /// Takes back a connection that the queue `name` borrowed with [`Lane::take`].
    pub(super) fn put_back(&self, name: &'static str, connection: Reconnecting) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match state.waiting.pop_front() {
            // A waiting thread does not give up.
            Some(waiting) => drop(waiting.send(connection)),
            None => state.idle.push((Some(name), connection)),
        }
    }
}

/// Returns the sizes of the lanes reading, writing and alone: 4, 3 and 2 of 9 connections, as far as possible.
pub(super) fn sizes(connections: u16) -> [usize; 3] {
    // One connection is for announcements.
    let connections = usize::from(connections.clamp(MIN_CONNECTIONS, MAX_CONNECTIONS)) - 1;
    let reading = (connections * 4 + 4) / 9;
    let alone = (connections * 2 / 9).max(1);
    [reading, connections - reading - alone, alone]
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::mpsc::channel;
    use std::thread;

    use tokio_util::sync::CancellationToken;

    use super::*;
    use crate::storage::no_randomness::NoRandomness;
    use crate::storage::postgres::Address;

    fn lane(size: usize) -> Lane {
        let address = Address::parse("postgres://nobody@127.0.0.1:1/nowhere").unwrap();
        Lane::new(size, || Reconnecting::new(address.clone(), Arc::new(NoRandomness), CancellationToken::new()))
    }

    #[test]
    fn a_queue_gets_its_last_connection_then_an_unused_one_then_any() {
        let lane = lane(3);
        let last_users = || lane.state.lock().unwrap().idle.iter().map(|(last, _)| *last).collect::<Vec<_>>();
        let (first, second) = (lane.take("a"), lane.take("b"));
        lane.put_back("a", first);
        lane.put_back("b", second);
        assert_eq!(last_users(), [None, Some("a"), Some("b")]);
        let first = lane.take("a");
        assert_eq!(last_users(), [None, Some("b")]);
        let third = lane.take("a");
        assert_eq!(last_users(), [Some("b")]);
        let second = lane.take("a");
        assert!(last_users().is_empty());
        for connection in [first, second, third] {
            lane.put_back("a", connection);
        }
        assert_eq!(last_users(), [Some("a"); 3]);
    }

    #[test]
    fn waiting_threads_get_connections_in_their_order() {
        let lane = lane(1);
        let connection = lane.take("first");
        let (sender, served) = channel();
        thread::scope(|scope| {
            for (number, name) in ["second", "third", "fourth"].into_iter().enumerate() {
                let (lane, sender) = (&lane, sender.clone());
                scope.spawn(move || {
                    let connection = lane.take(name);
                    sender.send(name).unwrap();
                    lane.put_back(name, connection);
                });
                while lane.state.lock().unwrap().waiting.len() <= number {
                    thread::yield_now();
                }
            }
            lane.put_back("first", connection);
        });
        drop(sender);
        assert_eq!(served.iter().collect::<Vec<_>>(), ["second", "third", "fourth"]);
    }

    #[test]
    fn a_queue_leaves_a_connection_to_the_others() {
        assert_eq!([1, 2, 3, 4, 8].map(|size| lane(size).threads(3)), [1, 1, 2, 3, 3]);
    }

    #[test]
    fn lanes_share_all_connections() {
        for connections in MIN_CONNECTIONS..=MAX_CONNECTIONS {
            let lanes = sizes(connections);
            assert_eq!(lanes.iter().sum::<usize>(), usize::from(connections) - 1, "{connections}");
            let fewer = sizes(connections - 1);
            assert!(lanes.iter().zip(fewer).all(|(size, fewer)| *size >= fewer && fewer > 0), "{connections}");
        }
        let examples = [[1, 1, 1], [3, 2, 1], [4, 3, 2], [6, 5, 2], [8, 6, 4]];
        assert_eq!([4, 7, 10, 14, 19].map(sizes), examples);
    }
}
