//! Measures the total time in which at least one of several activities runs.
//!
//! The owner of a stopwatch decides what it measures.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// The total time in which at least one activity ran.
#[derive(Debug, Default)]
pub(crate) struct Stopwatch(Arc<Mutex<State>>);

/// An activity that runs until this is dropped.
#[derive(Debug)]
pub struct Running(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    going_on: u32,
    since: Option<Instant>,
    ended: Duration,
}

impl Stopwatch {
    /// Starts an activity.
    pub(crate) fn start(&self) -> Running {
        let mut state = lock(&self.0);
        state.going_on += 1;
        state.since.get_or_insert_with(Instant::now);
        drop(state);
        Running(Arc::clone(&self.0))
    }

    /// Returns the total time until now.
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
