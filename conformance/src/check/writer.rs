//! A target's writer that a check can break, so that jobs fail or never end.
//!
//! The set-up provides the switch: a command, or the writer of a server in the same process.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures::future::BoxFuture;

/// State of the writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WriterState {
    /// It writes articles.
    #[default]
    Works,
    /// Every attempt to write fails, for a reason that may pass.
    Fails,
    /// No attempt to write ends.
    Hangs,
}

impl WriterState {
    /// Returns the name of the state in commands.
    pub fn name(self) -> &'static str {
        match self {
            Self::Works => "works",
            Self::Fails => "fails",
            Self::Hangs => "hangs",
        }
    }
}

/// Switches the writer of the target. Every error is one clause.
pub trait WriterSwitch: Send + Sync + fmt::Debug {
    /// Brings the writer into a state. Returns when every attempt to write that begins from now on is in it.
    fn switch(&self, state: WriterState) -> BoxFuture<'_, Result<(), String>>;
}

/// The writer of the target.
#[derive(Debug)]
pub struct BreakableWriter {
    switch: Arc<dyn WriterSwitch>,
    is_broken: AtomicBool,
}

impl BreakableWriter {
    /// Returns a writer that works now.
    pub fn new(switch: Arc<dyn WriterSwitch>) -> Self {
        Self { switch, is_broken: AtomicBool::new(false) }
    }

    /// Brings the writer into a state.
    ///
    /// # Errors
    /// Returns the error of the switch.
    pub async fn switch(&self, state: WriterState) -> Result<(), String> {
        // A switch that fails or is cancelled may have broken the writer anyway.
        self.is_broken.store(true, Ordering::Relaxed);
        self.switch.switch(state).await?;
        self.is_broken.store(state != WriterState::Works, Ordering::Relaxed);
        Ok(())
    }

    /// Lets the writer work again, if a check broke it.
    ///
    /// # Errors
    /// Returns the error of the switch.
    pub async fn repair(&self) -> Result<(), String> {
        if self.is_broken.load(Ordering::Relaxed) { self.switch(WriterState::Works).await } else { Ok(()) }
    }
}
