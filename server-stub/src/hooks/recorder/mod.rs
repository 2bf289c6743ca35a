//! The task that records what came of attempts.

mod recording;
#[cfg(test)]
mod tests;

pub(super) use recording::{Recorder, RecorderHandle};
