//! The one way in which checks wait: [`Context::eventually`] for what must come, [`Context::never`] for what must not.
//!
//! How long follows from what the target has shown (`tempo`). Hooks wake who waits for them: that is in `inbox`.

use std::time::Duration;

use tokio::time::Instant;

use super::context::Context;
use super::verdict::{Halt, Verdict};
use crate::inbox::HookLog;

/// How long to pause between two looks: an eighth of the time since the first one, within these bounds.
const LEAST_PAUSE: Duration = Duration::from_millis(20);
const MOST_PAUSE: Duration = Duration::from_secs(1);
/// The same where nothing must come, not even for a moment.
const MOST_PAUSE_OF_NEVER: Duration = Duration::from_millis(250);

/// Bounds of the time in which a hook that must not come is looked for.
const LEAST_QUIET: Duration = Duration::from_secs(2);
const MOST_QUIET: Duration = Duration::from_secs(20);

/// What was seen when the target was looked at.
#[derive(Debug)]
pub enum Look<Found> {
    /// What was waited for.
    Found(Found),
    /// Not yet; this is said if it stays so.
    NotYet(Halt),
}

impl<Found> Look<Found> {
    /// What was waited for, or else what is said if it stays away.
    pub fn found_or(found: Option<Found>, halt: impl FnOnce() -> Halt) -> Self {
        found.map_or_else(|| Self::NotYet(halt()), Self::Found)
    }
}

impl Look<()> {
    /// Found what was waited for if `is_so`.
    pub fn at(is_so: bool, halt: impl FnOnce() -> Halt) -> Self {
        Self::found_or(is_so.then_some(()), halt)
    }
}

impl Context {
    /// Looks again and again until what must come is found, for that long at the most. The time does not count in which the case waits
    /// for quotas and in which the suite itself is late. Meanwhile other requirements run.
    ///
    /// # Errors
    /// What the last look said, or whatever a look came to. Where the suite was late for half of that time, nothing can be decided.
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

    /// Looks again and again for that long: what must not come stays away. Meanwhile other requirements run.
    ///
    /// # Errors
    /// What the first look said that did not hold.
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

    /// How long what was just made may need to show elsewhere, such as a row in its list: it follows from what answers took.
    pub fn grace(&self) -> Duration {
        self.tempo().grace()
    }

    /// How many requirements may do something at a time, the others waiting: several where the target is far away.
    pub fn requirements_at_a_time(&self) -> usize {
        self.tempo().requirements_at_a_time()
    }

    /// How long to look for a hook that must not come, once another one has come: 2 s, or three times what most hooks took, up to 20 s.
    pub fn quiet(&self) -> Duration {
        let latency = self.hooks().ok().and_then(HookLog::latency);
        let usual = latency.map(|latency| Duration::from_millis(latency.p95_ms)).unwrap_or_default();
        (usual * 3).clamp(LEAST_QUIET, MOST_QUIET)
    }

    /// How long to wait for a job: as declared. Once one was not finished in that time, only twice as long as any has taken so far.
    pub fn patience(&self) -> Duration {
        self.tempo().patience(self.facts().ready_within)
    }

    /// Remembers that an awaited job was not finished in time.
    pub fn remember_late_job(&self) {
        self.tempo().record_late_job();
    }

    /// Remembers how long an awaited job took until it was finished.
    pub fn remember_job(&self, took: Duration) {
        self.tempo().record_job(took);
    }

    /// Remembers how long an article took, from its order to its end.
    pub fn remember_article(&self, took: Duration) {
        self.tempo().record_article(took);
    }

    /// How long the last article took that any case of the run waited for, if there was one.
    pub fn article_time(&self) -> Option<Duration> {
        self.tempo().article()
    }
}

/// A time in which something is waited for.
struct Window {
    limit: Duration,
    begun: Instant,
    /// What had gone before: waits for quotas, and how late the suite had been.
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

    /// What a slow machine may have caused is no finding.
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
