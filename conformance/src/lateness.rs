//! Measures how late the suite itself is: on an overloaded machine, punctual responses of a target look late.
//!
//! `check` and `inbox` extend their waits accordingly.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;

/// Interval of the measurements.
const TICK: Duration = Duration::from_millis(50);
/// Maximum lateness of a timer on an idle machine.
const ORDINARY: Duration = Duration::from_millis(5);

/// Total lateness of the timers of this process. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Lateness(Arc<AtomicU64>);

impl Lateness {
    /// Measures until it is dropped. One for each run: it must share the thread of the code that it measures.
    pub(crate) async fn watch(&self) -> Infallible {
        loop {
            let begun = Instant::now();
            tokio::time::sleep(TICK).await;
            self.add(begun.elapsed().saturating_sub(TICK + ORDINARY));
        }
    }

    /// Awaits `future` for at most `limit`, extended by the lateness of timers meanwhile. Returns `None` after that.
    pub(crate) async fn within<Output>(&self, limit: Duration, future: impl Future<Output = Output>) -> Option<Output> {
        tokio::pin!(future);
        let (begun, late_before, mut allowed) = (Instant::now(), self.total(), limit);
        loop {
            let left = allowed.saturating_sub(begun.elapsed());
            if let Ok(output) = tokio::time::timeout(left, &mut future).await {
                return Some(output);
            }
            // After a pause of the thread, the timer fires at once. The future must be polled first.
            tokio::select! {
                output = &mut future => return Some(output),
                () = Self::catch_up() => {}
            }
            let with_lateness = limit + self.total().saturating_sub(late_before);
            if with_lateness <= begun.elapsed() {
                return None;
            }
            allowed = with_lateness;
        }
    }

    /// Yields for a moment, so that delayed tasks can run: those with new data, and the timer that measures the pause.
    pub(crate) async fn catch_up() {
        tokio::time::sleep(TICK * 2).await;
    }

    /// Returns the total lateness so far.
    pub fn total(&self) -> Duration {
        Duration::from_micros(self.0.load(Ordering::Relaxed))
    }

    /// Adds the lateness of a timer.
    pub fn add(&self, late: Duration) {
        self.0.fetch_add(u64::try_from(late.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_little_lateness_without_end_is_no_time_without_end() {
        let lateness = Lateness::default();
        let always_late = async {
            loop {
                lateness.add(Duration::from_millis(1));
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let waiting = lateness.within(Duration::from_millis(100), std::future::pending::<()>());
        tokio::select! {
            over = waiting => assert_eq!(over, None),
            () = always_late => {}
            () = tokio::time::sleep(Duration::from_mins(1)) => panic!("the wait did not end"),
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_ready_when_a_late_timer_ends_is_in_time() {
        let lateness = Lateness::default();
        let (tell, told) = tokio::sync::oneshot::channel();
        let work = async {
            // The thread pauses for longer than the limit. Meanwhile the response arrives.
            tokio::time::advance(Duration::from_millis(80)).await;
            tell.send("an answer").expect("the other end is below");
            tokio::task::yield_now().await;
            told.await.expect("the answer was sent")
        };
        assert_eq!(lateness.within(Duration::from_millis(40), work).await, Some("an answer"));
    }

    #[tokio::test(start_paused = true)]
    async fn the_time_is_longer_by_what_timers_are_late_and_no_more() {
        let lateness = Lateness::default();
        let begun = Instant::now();
        assert_eq!(lateness.within(Duration::from_millis(20), std::future::pending::<()>()).await, None);
        lateness.add(Duration::from_mins(1));
        let late = async {
            lateness.add(Duration::from_millis(300));
            std::future::pending::<()>().await;
        };
        assert_eq!(lateness.within(Duration::from_millis(20), late).await, None);
        let waited = Instant::now() - begun;
        // Each wait ends with a moment in which to catch up.
        let catching_up = TICK * 2 * 3;
        assert!(
            waited >= Duration::from_millis(340) && waited <= Duration::from_millis(350) + catching_up,
            "{waited:?}"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_thread_that_stands_still_is_late_by_that_time() {
        let lateness = Lateness::default();
        let stop = async {
            tokio::task::yield_now().await;
            tokio::time::advance(TICK + ORDINARY + Duration::from_secs(3)).await;
            tokio::task::yield_now().await;
        };
        tokio::select! {
            never = lateness.watch() => match never {},
            () = stop => {}
        }
        let late = lateness.total();
        assert!(late >= Duration::from_secs(3) && late < Duration::from_millis(3_050), "{late:?}");
    }
}
