//! A target's clock that a check can move forward, so that it need not wait for hours.
//!
//! The set-up provides the switch: a command, or the clock of a server in the same process.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures::future::BoxFuture;

/// Moves the clock of the target. Every error is one clause.
pub trait ClockSwitch: Send + Sync + fmt::Debug {
    /// Moves the clock forward, in addition to earlier moves. Returns when the target uses the new time.
    fn advance(&self, by: Duration) -> BoxFuture<'_, Result<(), String>>;
}

/// The clock of the target.
#[derive(Debug)]
pub struct MovableClock {
    switch: Arc<dyn ClockSwitch>,
    has_moved: AtomicBool,
}

impl MovableClock {
    /// Returns a clock that was not moved yet.
    pub fn new(switch: Arc<dyn ClockSwitch>) -> Self {
        Self { switch, has_moved: AtomicBool::new(false) }
    }

    /// Moves the clock forward, in addition to earlier moves.
    ///
    /// # Errors
    /// Returns the error of the switch.
    pub async fn advance(&self, by: Duration) -> Result<(), String> {
        // A switch that fails may have moved the clock anyway.
        self.has_moved.store(true, Ordering::Relaxed);
        self.switch.advance(by).await
    }

    /// Returns true if the clock was moved: since then it differs from the suite's.
    pub fn has_moved(&self) -> bool {
        self.has_moved.load(Ordering::Relaxed)
    }
}
