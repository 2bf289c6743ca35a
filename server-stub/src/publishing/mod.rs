//! Publishing finished articles: when they are due, and where they are published.

mod publisher;
pub mod scheduler;

pub use publisher::{HostedSite, PublishError, Publisher};
