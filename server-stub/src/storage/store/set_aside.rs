//! Tells of rows that were set aside because they cannot be read. Setting them aside is in `statements`.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::domain::store::Queue;
use crate::storage::statements::set_aside::Unreadable;

/// How many rows of each queue were set aside.
#[derive(Debug, Default)]
pub(super) struct SetAside {
    jobs: AtomicU64,
    posts: AtomicU64,
    deliveries: AtomicU64,
}

impl SetAside {
    /// Counts rows and logs why each cannot be read.
    pub(super) fn add(&self, queue: Queue, unreadable: &[Unreadable]) {
        for Unreadable { id, reason } in unreadable {
            tracing::error!(
                queue = queue.as_str(),
                %id,
                reason,
                "a row cannot be read and is set aside for a minute; a newer version may have written it"
            );
        }
        self.counter(queue).fetch_add(unreadable.len() as u64, Ordering::Relaxed);
    }

    /// How many rows of the queue were counted.
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
