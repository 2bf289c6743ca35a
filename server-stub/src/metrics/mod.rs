//! Metrics for operators: counts, durations and queues of one server, in the text format of Prometheus.

mod listener;
mod outcome;
mod queues;
mod recorder;

pub use listener::{Scrape, serve};
pub use outcome::{HookOutcome, JobOutcome, QuotaLeaseOutcome};
pub use recorder::Metrics;
