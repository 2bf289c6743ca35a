//! Where results, notes and progress go. What stands in them is decided elsewhere.

mod pending_file;
mod progress;
mod screen;
mod sink;
mod trace;

pub(crate) use progress::Progress;
pub(crate) use screen::{Screen, print};
pub(crate) use sink::{Privacy, Sink};
pub(crate) use trace::tell_requests;
