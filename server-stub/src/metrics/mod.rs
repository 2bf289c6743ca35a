//! What an operator watches: counts, durations and queues of one server, in the text that Prometheus reads. When something is
//! counted is decided where it happens.

mod exposition;
mod listener;
mod outcome;
mod queues;
mod recorder;

pub use listener::{Scrape, serve};
pub use outcome::{HookOutcome, JobOutcome, QuotaLeaseOutcome};
pub use recorder::Metrics;
