//! Metrics for operators: counts, durations and queues of one server, in the text format of Prometheus.

mod outcome;
mod recorder;
mod scrape;

pub use outcome::{HookOutcome, JobOutcome, QuotaLeaseOutcome};
pub use recorder::Metrics;
pub use scrape::{Scrape, serve};
