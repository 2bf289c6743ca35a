//! How quick the target has shown itself in this run: what is waited for, and how long, follows from that.
//!
//! The waiting itself is in `waiting`; how late the suite is, in `lateness`.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How long a job is waited for after an earlier one was not finished in the declared time, when none has ended yet.
const STUCK_PATIENCE: Duration = Duration::from_millis(500);

/// Answers that are looked at: the newest ones.
const ANSWERS: usize = 64;

/// How long what was just made may need to show elsewhere, such as a row in its list: the least, how many answers' time, and
/// the most.
const LEAST_GRACE: Duration = Duration::from_secs(5);
const GRACE_ANSWERS: u32 = 50;
const MOST_GRACE: Duration = Duration::from_secs(20);

/// For how long an answer of a target that is far away each further requirement is begun, and how many may do something at a time.
const ANSWER_OF_ONE: Duration = Duration::from_millis(25);
const MOST_AT_A_TIME: usize = 8;

/// What was measured of the target so far. Cases share it.
#[derive(Debug, Default)]
pub(crate) struct Tempo {
    /// Set when a job was not finished in time, so that later checks do not wait as long again.
    is_stuck: AtomicBool,
    /// Longest time, in milliseconds, that a job which was finished has been waited for.
    longest_job: AtomicU64,
    /// How long the last article took to be written, in milliseconds; 0 before the first one.
    last_article: AtomicU64,
    /// How long the newest answers took.
    answers: Mutex<VecDeque<Duration>>,
}

impl Tempo {
    /// Remembers that an awaited job was not finished in time.
    pub(super) fn record_late_job(&self) {
        self.is_stuck.store(true, Ordering::Relaxed);
    }

    /// Remembers how long an awaited job took until it was finished.
    pub(super) fn record_job(&self, took: Duration) {
        self.longest_job.fetch_max(milliseconds(took), Ordering::Relaxed);
        self.is_stuck.store(false, Ordering::Relaxed);
    }

    /// Remembers how long an article took, from its order to its end.
    pub(super) fn record_article(&self, took: Duration) {
        self.last_article.store(milliseconds(took), Ordering::Relaxed);
    }

    /// Remembers how long an answer took that the target was not asked to hold back.
    pub(super) fn record_answer(&self, took: Duration) {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.truncate(ANSWERS - 1);
        answers.push_front(took);
    }

    /// How long to wait for a job where `declared` is the time in which it is ready.
    pub(super) fn patience(&self, declared: Duration) -> Duration {
        if !self.is_stuck.load(Ordering::Relaxed) {
            return declared;
        }
        let longest = Duration::from_millis(self.longest_job.load(Ordering::Relaxed));
        (longest * 2).max(STUCK_PATIENCE).min(declared)
    }

    /// How long the last article took, if there was one.
    pub(super) fn article(&self) -> Option<Duration> {
        let milliseconds = self.last_article.load(Ordering::Relaxed);
        (milliseconds > 0).then(|| Duration::from_millis(milliseconds))
    }

    /// How long what was just made may need to show elsewhere: 5 s, or 50 times what nine of ten answers took lately, up to 20 s.
    pub(super) fn grace(&self) -> Duration {
        (self.slow_answer() * GRACE_ANSWERS).clamp(LEAST_GRACE, MOST_GRACE)
    }

    /// How many requirements may do something at a time: one, and one more for each 25 ms that even quick answers take, because the
    /// target is far away and not because it is busy.
    pub(super) fn requirements_at_a_time(&self) -> usize {
        let steps = self.quick_answer().as_millis() / ANSWER_OF_ONE.as_millis();
        usize::try_from(steps).unwrap_or(MOST_AT_A_TIME).saturating_add(1).min(MOST_AT_A_TIME)
    }

    /// What nine of ten of the newest answers took at the most.
    fn slow_answer(&self) -> Duration {
        self.answer_at(9)
    }

    /// What nine of ten of the newest answers took at the least.
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
