//! Measuring the time in which something goes on that may go on several times at once.
//!
//! What is measured is said where a stopwatch is kept.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// The time in which at least one thing went on.
#[derive(Debug, Default)]
pub(crate) struct Stopwatch(Arc<Mutex<State>>);

/// Something that goes on until this is dropped.
#[derive(Debug)]
pub struct Running(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    going_on: u32,
    since: Option<Instant>,
    ended: Duration,
}

impl Stopwatch {
    /// Something begins.
    pub(crate) fn start(&self) -> Running {
        let mut state = lock(&self.0);
        state.going_on += 1;
        state.since.get_or_insert_with(Instant::now);
        drop(state);
        Running(Arc::clone(&self.0))
    }

    /// The time until now.
    pub(crate) fn total(&self) -> Duration {
        let state = lock(&self.0);
        state.ended + state.since.map_or(Duration::ZERO, |since| since.elapsed())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut state = lock(&self.0);
        state.going_on -= 1;
        if state.going_on == 0
            && let Some(since) = state.since.take()
        {
            state.ended += since.elapsed();
        }
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
