//! Where results, notes and progress go. What stands in them is decided elsewhere.

mod draft;
mod progress;
mod screen;
mod sink;

pub(crate) use progress::Progress;
pub(crate) use screen::{Screen, print};
pub(crate) use sink::{Privacy, Sink};
