//! Announcements of due work and of ended jobs, and the tasks of this process that they wake. They save waiting for the next poll.
//! An announcement may be lost, so these tasks also poll.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::sync::futures::Notified;

/// A change that tasks of any process may wait for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Announcement {
    /// A job is due.
    JobDue,
    /// A post is due or has another time.
    PostDue,
    /// A delivery is due.
    DeliveryDue,
    /// The job has ended.
    JobEnded(String),
}

/// The waiting tasks of one server process.
#[derive(Default)]
pub struct Wakeups {
    /// Wakes the worker: a job is due.
    pub jobs: Notify,
    /// Wakes the scheduler: a post is due or has another time.
    pub posts: Notify,
    /// Wakes the dispatcher: a delivery is due.
    pub deliveries: Notify,
    /// Wakes the check of all watched jobs: announcements of other processes may have been lost.
    pub watched_jobs: Notify,
    watched: Mutex<HashMap<String, Watched>>,
}

/// A job that at least one caller watches.
#[derive(Default)]
struct Watched {
    ended: Arc<Notify>,
    watchers: usize,
}

impl Wakeups {
    /// Wakes the tasks that wait for this change.
    pub fn wake(&self, announcement: &Announcement) {
        match announcement {
            Announcement::JobDue => self.jobs.notify_one(),
            Announcement::PostDue => self.posts.notify_one(),
            Announcement::DeliveryDue => self.deliveries.notify_one(),
            Announcement::JobEnded(job_id) => self.job_ended(job_id),
        }
    }

    /// Watches a job. Register with [`JobWatch::ended`] before reading the job. Otherwise a change in between is missed.
    pub fn watch_job(&self, job_id: &str) -> JobWatch<'_> {
        let mut watched = self.watched();
        let entry = watched.entry(job_id.to_owned()).or_default();
        entry.watchers += 1;
        JobWatch { wakeups: self, job_id: job_id.to_owned(), ended: Arc::clone(&entry.ended) }
    }

    /// Returns the ids of all watched jobs.
    pub fn watched_job_ids(&self) -> Vec<String> {
        self.watched().keys().cloned().collect()
    }

    /// Notifies the watchers of a job that it has ended.
    pub fn job_ended(&self, job_id: &str) {
        if let Some(watched) = self.watched().get(job_id) {
            watched.ended.notify_waiters();
        }
    }

    fn watched(&self) -> MutexGuard<'_, HashMap<String, Watched>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Wakeups {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Wakeups").finish_non_exhaustive()
    }
}

/// Watches a job until it is dropped.
pub struct JobWatch<'w> {
    wakeups: &'w Wakeups,
    job_id: String,
    ended: Arc<Notify>,
}

impl JobWatch<'_> {
    /// Completes when the end of the job is announced. The announcement may be wrong.
    pub fn ended(&self) -> Notified<'_> {
        self.ended.notified()
    }
}

impl Drop for JobWatch<'_> {
    fn drop(&mut self) {
        let mut watched = self.wakeups.watched();
        if let Some(entry) = watched.get_mut(&self.job_id) {
            entry.watchers -= 1;
            if entry.watchers == 0 {
                watched.remove(&self.job_id);
            }
        }
    }
}

impl fmt::Debug for JobWatch<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("JobWatch").field("job_id", &self.job_id).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    #[test]
    fn a_watch_receives_every_announcement_about_its_job_and_no_other() {
        let wakeups = Wakeups::default();
        let watches = [wakeups.watch_job("job_1"), wakeups.watch_job("job_1")];
        // The first announcement may have been wrong.
        for _ in 0..2 {
            let mut ends = watches.each_ref().map(|watch| Box::pin(watch.ended()));
            for ended in &mut ends {
                ended.as_mut().enable();
            }
            wakeups.job_ended("job_2");
            for ended in &mut ends {
                assert!(ended.now_or_never().is_none());
            }
            wakeups.job_ended("job_1");
            for ended in ends {
                assert!(ended.now_or_never().is_some());
            }
        }
    }

    #[test]
    fn a_job_is_watched_until_its_last_watch_is_dropped() {
        let wakeups = Wakeups::default();
        let (one, two) = (wakeups.watch_job("job_1"), wakeups.watch_job("job_1"));
        drop(one);
        assert_eq!(wakeups.watched_job_ids(), ["job_1"]);
        drop(two);
        assert!(wakeups.watched_job_ids().is_empty());
    }
}
