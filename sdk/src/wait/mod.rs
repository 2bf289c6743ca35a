//! Waiting for jobs and articles. Queueing and single look-ups are generated operations.

mod article;
mod job;
mod looks;
mod options;

pub use options::Wait;
