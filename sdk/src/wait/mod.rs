//! Waiting for jobs and articles. Queueing and single look-ups are generated operations.

mod article;
mod job;
mod options;
mod poller;

pub use options::Wait;
