//! Output of results, notes and progress.

mod pending_file;
mod progress;
mod screen;
mod sink;
mod trace;

pub(crate) use progress::Progress;
pub(crate) use screen::{Screen, print, terminal_width};
pub(crate) use sink::{Privacy, Sink};
pub(crate) use trace::tell_requests;
