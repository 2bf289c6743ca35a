//! Measures how fast the target responds in this run. The lengths of waits follow from that.
//!
//! `waiting` waits; `lateness` measures how late the suite is.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Longest wait for a job after an earlier one was late, if no job has ended yet.
const STUCK_PATIENCE: Duration = Duration::from_millis(500);

/// Number of newest responses that are measured.
const ANSWERS: usize = 64;

/// Time after which a new object must appear elsewhere, such as in its list: minimum, multiple of the response time, maximum.
const LEAST_GRACE: Duration = Duration::from_secs(5);
const GRACE_ANSWERS: u32 = 50;
const MOST_GRACE: Duration = Duration::from_secs(20);

/// Response time of a distant target for which one more requirement may run at the same time, and maximum number of such requirements.
const ANSWER_OF_ONE: Duration = Duration::from_millis(25);
const MOST_AT_A_TIME: usize = 8;

/// Measured response times of the target. Cases share it.
#[derive(Debug, Default)]
pub(crate) struct Tempo {
    /// Set when a job was not finished in time, so that later checks wait less long.
    is_stuck: AtomicBool,
    /// Longest time, in milliseconds, that a case waited for a job that finished.
    longest_job: AtomicU64,
    /// Time that the last article took to be written, in milliseconds; 0 before the first one.
    last_article: AtomicU64,
    /// Times of the newest responses.
    answers: Mutex<VecDeque<Duration>>,
}

impl Tempo {
    /// Records that a job was not finished in time.
    pub(super) fn record_late_job(&self) {
        self.is_stuck.store(true, Ordering::Relaxed);
    }

    /// Records how long a job took until it was finished.
    pub(super) fn record_job(&self, took: Duration) {
        self.longest_job.fetch_max(milliseconds(took), Ordering::Relaxed);
        self.is_stuck.store(false, Ordering::Relaxed);
    }

    /// Records how long an article took, from its request to its end.
    pub(super) fn record_article(&self, took: Duration) {
        self.last_article.store(milliseconds(took), Ordering::Relaxed);
    }

    /// Records the time of a response that the target was not asked to delay.
    pub(super) fn record_answer(&self, took: Duration) {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.truncate(ANSWERS - 1);
        answers.push_front(took);
    }

    /// Returns the time to wait for a job if the target declares `declared`.
    pub(super) fn patience(&self, declared: Duration) -> Duration {
        if !self.is_stuck.load(Ordering::Relaxed) {
            return declared;
        }
        let longest = Duration::from_millis(self.longest_job.load(Ordering::Relaxed));
        (longest * 2).max(STUCK_PATIENCE).min(declared)
    }

    /// Returns how long the last article took, if there was one.
    pub(super) fn article(&self) -> Option<Duration> {
        let milliseconds = self.last_article.load(Ordering::Relaxed);
        (milliseconds > 0).then(|| Duration::from_millis(milliseconds))
    }

    /// Returns the time after which a new object must appear elsewhere: 5 s, or 50 times the slow response time, up to 20 s.
    pub(super) fn grace(&self) -> Duration {
        (self.slow_answer() * GRACE_ANSWERS).clamp(LEAST_GRACE, MOST_GRACE)
    }

    /// Returns how many requirements may work at the same time: one, and one more for each 25 ms of even quick
    /// responses. Quick responses measure the distance to the target, not its load.
    pub(super) fn requirements_at_a_time(&self) -> usize {
        let steps = self.quick_answer().as_millis() / ANSWER_OF_ONE.as_millis();
        usize::try_from(steps).unwrap_or(MOST_AT_A_TIME).saturating_add(1).min(MOST_AT_A_TIME)
    }

    /// Returns the 90th percentile of the newest response times.
    fn slow_answer(&self) -> Duration {
        self.answer_at(9)
    }

    /// Returns the 10th percentile of the newest response times.
    fn quick_answer(&self) -> Duration {
        self.answer_at(1)
    }

    fn answer_at(&self, tenth: usize) -> Duration {
        let mut answers: Vec<Duration> =
            self.answers.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
        answers.sort_unstable();
        answers.get(answers.len() * tenth / 10).copied().unwrap_or_default()
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
