//! Queues, reads and cancels jobs.

mod cancel_job;
mod generate;
mod get_job;
mod watched_jobs;

pub use generate::{Accepted, CheckedBody};
pub(super) use generate::{Submitter, same_date_next_year};
