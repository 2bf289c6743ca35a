//! Jobs: queueing one, following it, stopping it.

mod cancel_job;
mod generate;
mod get_job;

pub use generate::Accepted;
