//! The demonstration: its accounts, and the samples in the first one.

mod accounts;
mod samples;

pub use accounts::{DemoAccount, set_up};
pub use samples::{Error as SamplesError, Receiver, add_samples};
