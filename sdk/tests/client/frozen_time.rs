//! Time of a runtime that moves only when a test moves it, while sockets and threads work as usual.

use std::cell::Cell;
use std::pin::pin;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use super::until::breathe;

/// While this lives, timers of the runtime fire only when a test lets time pass. The runtime must have one thread.
#[must_use]
pub(crate) struct FrozenTime {
    passed: Cell<Duration>,
    _holding: Sender<()>,
}

impl FrozenTime {
    pub(crate) fn begin() -> Self {
        tokio::time::pause();
        let (holding, held) = channel::<()>();
        // A paused clock jumps to the next timer whenever the runtime is idle, even if a response is on its way, but not while
        // a blocking task runs. This one ends when the sender is dropped.
        tokio::task::spawn_blocking(move || held.recv());
        Self { passed: Cell::default(), _holding: holding }
    }

    /// Lets time pass at once.
    pub(crate) async fn pass(&self, duration: Duration) {
        self.passed.set(self.passed.get() + duration);
        tokio::time::advance(duration).await;
    }

    /// Lets time pass in steps until `future` ends. Between two steps sockets have a moment of real time.
    pub(crate) async fn pass_until_ended<F: Future>(&self, step: Duration, future: F) -> F::Output {
        let mut future = pin!(future);
        let mut real_time = pin!(breathe());
        loop {
            tokio::select! {
                output = &mut future => return output,
                () = &mut real_time => {}
            }
            self.pass(step).await;
            real_time.set(breathe());
        }
    }

    /// Returns how much time has passed.
    pub(crate) const fn passed(&self) -> Duration {
        self.passed.get()
    }
}

impl Drop for FrozenTime {
    fn drop(&mut self) {
        tokio::time::resume();
    }
}
