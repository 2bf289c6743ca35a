//! Runtime time that moves only when a test moves it. Sockets and threads work as usual.

use std::pin::pin;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use crate::waiting::{ended, until_ok};

/// Number of times that other tasks run before and after time passes, so that they read the data on their sockets.
const TURNS: usize = 200;
/// Time that passes between two checks of a condition. The checks are further apart in real time.
const SMALL_STEP: Duration = Duration::from_millis(1);
/// Maximum deviation of a timer in either direction.
const PRECISION: Duration = Duration::from_millis(10);

/// While this value exists, timers of the runtime fire only when a test lets time pass. The runtime must have one thread.
#[must_use]
pub(crate) struct FrozenTime {
    _holding: Sender<()>,
}

impl FrozenTime {
    pub(crate) fn begin() -> Self {
        tokio::time::pause();
        let (holding, held) = channel::<()>();
        // A paused clock jumps to the next timer whenever the runtime is idle, even if a response is on its way. It does not jump while a
        // blocking task runs. This task ends when the sender is dropped.
        tokio::task::spawn_blocking(move || held.recv());
        Self { _holding: holding }
    }

    /// Lets `duration` pass.
    pub(crate) async fn pass(&self, duration: Duration) {
        settle().await;
        tokio::time::advance(duration).await;
        settle().await;
    }

    /// Lets time pass until `future` ends. It must end after `duration`. Returns its output.
    pub(crate) async fn ends_after<F: Future>(&self, duration: Duration, future: F) -> F::Output {
        let mut future = pin!(future);
        tokio::select! {
            biased;
            _ = &mut future => panic!("it ended before {duration:?}"),
            () = self.pass(duration.checked_sub(PRECISION).unwrap()) => {}
        }
        tokio::select! {
            biased;
            output = &mut future => return output,
            () = self.pass(2 * PRECISION) => {}
        }
        // The time has passed. Another thread may still have to report the end.
        ended(&format!("it ends after {duration:?}"), future).await
    }

    /// Lets time pass in steps until `future` ends. Returns its output and the time that passed.
    pub(crate) async fn pass_until_end<F: Future>(
        &self,
        step: Duration,
        what: &str,
        future: F,
    ) -> (F::Output, Duration) {
        let mut future = pin!(future);
        let mut output = None;
        let condition = async || {
            output = futures::future::poll_immediate(&mut future).await;
            output.is_some()
        };
        let passed = self.pass_until(step, what, condition).await;
        (output.unwrap(), passed)
    }

    /// Lets time pass until `condition` holds, more slowly than real time. Returns the time that passed.
    pub(crate) async fn until(&self, what: &str, condition: impl AsyncFnMut() -> bool) -> Duration {
        self.pass_until(SMALL_STEP, what, condition).await
    }

    async fn pass_until(&self, step: Duration, what: &str, mut condition: impl AsyncFnMut() -> bool) -> Duration {
        let mut passed = Duration::ZERO;
        until_ok(what, async || {
            if condition().await {
                return Ok(passed);
            }
            self.pass(step).await;
            passed += step;
            Err(passed)
        })
        .await
    }
}

impl Drop for FrozenTime {
    fn drop(&mut self) {
        tokio::time::resume();
    }
}

/// Lets the other tasks of this thread run.
async fn settle() {
    for _ in 0..TURNS {
        tokio::task::yield_now().await;
    }
}
