//! Waiting for jobs and articles. Queueing and single reads are generated operations.

mod article;
mod job;
mod options;
mod poller;

pub use options::Wait;
