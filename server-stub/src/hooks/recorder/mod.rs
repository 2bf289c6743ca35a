//! Task that records attempts.

mod recording;
#[cfg(test)]
mod tests;

pub(super) use recording::{Recorder, RecorderHandle};
