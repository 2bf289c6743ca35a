//! Hints inside one process that work waits or a job ended. They save waiting for the next poll. A hint may be lost, so
//! whoever listens polls as well.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::Notify;

/// The hints of one server process.
#[derive(Default)]
pub struct Wakeups {
    /// A job was queued.
    pub jobs: Notify,
    /// A post became due.
    pub posts: Notify,
    /// A delivery was written.
    pub deliveries: Notify,
    watched: Mutex<HashMap<String, Weak<Notify>>>,
}

impl Wakeups {
    /// A handle that is notified when the job becomes terminal. Take it before reading the job, or the change in between
    /// is missed.
    pub fn watch_job(&self, job_id: &str) -> Arc<Notify> {
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(notify) = watched.get(job_id).and_then(Weak::upgrade) {
            return notify;
        }
        // Watchers that went away leave dead entries, which are dropped when the map has grown.
        if watched.len() >= 1024 && watched.len().is_power_of_two() {
            watched.retain(|_, notify| notify.strong_count() > 0);
        }
        let notify = Arc::new(Notify::new());
        watched.insert(job_id.to_owned(), Arc::downgrade(&notify));
        notify
    }

    /// The job became terminal.
    pub fn job_ended(&self, job_id: &str) {
        let watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner).remove(job_id);
        if let Some(notify) = watched.and_then(|notify| notify.upgrade()) {
            notify.notify_waiters();
        }
    }
}

impl fmt::Debug for Wakeups {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Wakeups").finish_non_exhaustive()
    }
}
