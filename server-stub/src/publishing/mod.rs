//! From a finished article to a published one: when it is due, and where it goes. What an article looks like there is not
//! decided here.

mod publisher;
pub mod scheduler;

pub use publisher::{HostedSite, PublishError, Publisher};
