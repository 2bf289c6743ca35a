//! Counts and logs rows that were set aside because they cannot be read: see `set_aside`.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::domain::store::Queue;
use crate::storage::set_aside::Unreadable;

/// Number of rows of each queue that were set aside.
#[derive(Debug, Default)]
pub(super) struct UnreadableRows {
    jobs: AtomicU64,
    posts: AtomicU64,
    deliveries: AtomicU64,
}

impl UnreadableRows {
    /// Counts the rows that a claim set aside, and logs why the first of them cannot be read.
    pub(super) fn add(&self, queue: Queue, unreadable: &[Unreadable]) {
        let Some(Unreadable { id, reason }) = unreadable.first() else { return };
        tracing::error!(
            queue = queue.as_str(),
            rows = unreadable.len(),
            first_id = %id,
            reason,
            "cannot read rows; they are set aside for a minute; a newer version may have written them"
        );
        self.counter(queue).fetch_add(unreadable.len() as u64, Ordering::Relaxed);
    }

    /// Returns the number of counted rows of the queue.
    pub(super) fn count(&self, queue: Queue) -> u64 {
        self.counter(queue).load(Ordering::Relaxed)
    }

    const fn counter(&self, queue: Queue) -> &AtomicU64 {
        match queue {
            Queue::Jobs => &self.jobs,
            Queue::Posts => &self.posts,
            Queue::Deliveries => &self.deliveries,
        }
    }
}
