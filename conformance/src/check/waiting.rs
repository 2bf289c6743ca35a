//! The only way in which checks wait: [`Context::eventually`] for expected states, [`Context::never`] for forbidden ones. The lengths of
//! waits follow from how fast the target responds in this run.
//!
//! `lateness` measures how late the suite is. `inbox` wakes waiting checks when a webhook arrives.

use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::Instant;

use super::context::Context;
use super::verdict::{Halt, Verdict};
use crate::inbox::HookLog;

/// Pause between two polls: an eighth of the time since the first one, within these bounds.
const LEAST_PAUSE: Duration = Duration::from_millis(20);
const MOST_PAUSE: Duration = Duration::from_secs(1);
/// Longest pause if the state must not appear even for a moment.
const MOST_PAUSE_OF_NEVER: Duration = Duration::from_millis(250);

/// Bounds of the time in which a forbidden webhook is awaited.
const LEAST_QUIET: Duration = Duration::from_secs(2);
const MOST_QUIET: Duration = Duration::from_secs(20);

/// Longest wait for a job after an earlier one was late, if no job has ended yet.
const STUCK_PATIENCE: Duration = Duration::from_millis(500);

/// Time after which a new object must appear elsewhere, such as in its list: minimum, multiple of the response time, maximum.
const LEAST_GRACE: Duration = Duration::from_secs(5);
const GRACE_ANSWERS: u32 = 50;
const MOST_GRACE: Duration = Duration::from_secs(20);

/// Response time of a distant target for which one more requirement may run at the same time, and maximum number of such requirements.
const ANSWER_OF_ONE: Duration = Duration::from_millis(25);
const MOST_AT_A_TIME: usize = 8;

/// Result of one poll of the target.
#[derive(Debug)]
pub enum Look<Found> {
    /// The expected state.
    Found(Found),
    /// Not yet; this is the result if the state never appears.
    NotYet(Halt),
}

impl<Found> Look<Found> {
    /// Returns the expected value, or `halt` if it is missing.
    pub fn found_or(found: Option<Found>, halt: impl FnOnce() -> Halt) -> Self {
        found.map_or_else(|| Self::NotYet(halt()), Self::Found)
    }
}

impl Look<()> {
    /// Returns success if `is_so`.
    pub fn at(is_so: bool, halt: impl FnOnce() -> Halt) -> Self {
        Self::found_or(is_so.then_some(()), halt)
    }
}

impl Context {
    /// Polls until the expected state appears, at most for `window`. Excludes the time in which the case waits for
    /// quotas and in which the suite itself is late. Meanwhile other requirements run.
    ///
    /// # Errors
    /// Returns the result of the last poll, or the first error of a poll. The result is undecided if the suite was late
    /// for half of that time.
    pub async fn eventually<Found, Looking>(
        &self,
        limit: Duration,
        mut look: impl FnMut() -> Looking,
    ) -> Result<Found, Halt>
    where
        Looking: Future<Output = Result<Look<Found>, Halt>>,
    {
        self.waiting(Box::pin(async {
            let window = Window::begin(self, limit);
            loop {
                let is_last = window.is_over(self);
                match look().await? {
                    Look::Found(found) => return Ok(found),
                    Look::NotYet(halt) if is_last => return Err(window.unless_late(self, halt)),
                    Look::NotYet(_) => window.pause(MOST_PAUSE).await,
                }
            }
        }))
        .await
    }

    /// Polls for `window` and checks that the forbidden state does not appear. Meanwhile other requirements run.
    ///
    /// # Errors
    /// Returns the first failed poll.
    pub async fn never<Looking>(&self, window: Duration, mut look: impl FnMut() -> Looking) -> Verdict
    where
        Looking: Future<Output = Verdict>,
    {
        self.waiting(Box::pin(async {
            let window = Window::begin(self, window);
            loop {
                let is_last = window.is_over(self);
                look().await?;
                if is_last {
                    return Ok(());
                }
                window.pause(MOST_PAUSE_OF_NEVER).await;
            }
        }))
        .await
    }

    /// Returns the time after which a new object must appear elsewhere, such as in its list: 5 s, or 50 times the slow response time, up to
    /// 20 s.
    pub fn grace(&self) -> Duration {
        (self.tempo().answer_at(9) * GRACE_ANSWERS).clamp(LEAST_GRACE, MOST_GRACE)
    }

    /// Returns how many requirements may work at the same time: one, and one more for each 25 ms of even quick responses, which measure the
    /// distance to the target, not its load.
    pub fn requirements_at_a_time(&self) -> usize {
        let steps = self.tempo().answer_at(1).as_millis() / ANSWER_OF_ONE.as_millis();
        usize::try_from(steps).unwrap_or(MOST_AT_A_TIME).saturating_add(1).min(MOST_AT_A_TIME)
    }

    /// Returns how long to wait for a forbidden webhook after another one arrived: 2 s, or three times the usual delay, up to 20 s.
    pub fn quiet(&self) -> Duration {
        let latency = self.hooks().ok().and_then(HookLog::latency);
        let usual = latency.map(|latency| Duration::from_millis(latency.p95_ms)).unwrap_or_default();
        (usual * 3).clamp(LEAST_QUIET, MOST_QUIET)
    }

    /// Returns how long to wait for a job: the declared time. Once a job was late, only twice as long as the longest one so far.
    pub fn patience(&self) -> Duration {
        let (tempo, declared) = (self.tempo(), self.facts().ready_within);
        if !tempo.is_stuck.load(Ordering::Relaxed) {
            return declared;
        }
        let longest = Duration::from_millis(tempo.longest_job.load(Ordering::Relaxed));
        (longest * 2).max(STUCK_PATIENCE).min(declared)
    }

    /// Records that a job was not finished in time.
    pub fn remember_late_job(&self) {
        self.tempo().is_stuck.store(true, Ordering::Relaxed);
    }

    /// Records how long a job took until it was finished.
    pub fn remember_job(&self, took: Duration) {
        self.tempo().longest_job.fetch_max(milliseconds(took), Ordering::Relaxed);
        self.tempo().is_stuck.store(false, Ordering::Relaxed);
    }

    /// Records how long an article took, from its request to its end.
    pub fn remember_article(&self, took: Duration) {
        self.tempo().last_article.store(milliseconds(took), Ordering::Relaxed);
    }

    /// Returns how long the last awaited article of the run took, if there was one.
    pub fn article_time(&self) -> Option<Duration> {
        let milliseconds = self.tempo().last_article.load(Ordering::Relaxed);
        (milliseconds > 0).then(|| Duration::from_millis(milliseconds))
    }
}

/// A time in which a case waits.
struct Window {
    limit: Duration,
    begun: Instant,
    /// Values at the start: time waited for quotas, and lateness of the suite.
    waited: Duration,
    late: Duration,
}

impl Window {
    fn begin(context: &Context, limit: Duration) -> Self {
        let (waited, late) = (context.waited(), context.lateness().total());
        Self { limit, begun: Instant::now(), waited, late }
    }

    fn late(&self, context: &Context) -> Duration {
        context.lateness().total().saturating_sub(self.late)
    }

    fn is_over(&self, context: &Context) -> bool {
        let waited = context.waited().saturating_sub(self.waited);
        self.begun.elapsed() >= self.limit + waited + self.late(context)
    }

    async fn pause(&self, most: Duration) {
        tokio::time::sleep((self.begun.elapsed() / 8).clamp(LEAST_PAUSE, most)).await;
    }

    /// Returns an undecided result instead of a finding that a slow machine may have caused.
    fn unless_late(&self, context: &Context, halt: Halt) -> Halt {
        let late = self.late(context);
        match halt {
            Halt::Fail(finding) if late >= self.limit / 2 => Halt::inconclusive(format!(
                "expected {}, observed {}, but the machine is too slow to tell: the suite's own timers were {:.1} s late meanwhile",
                finding.expected,
                finding.observed,
                late.as_secs_f64()
            )),
            other => other,
        }
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
