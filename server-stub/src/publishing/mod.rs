//! Publishing of finished articles: the scheduler and the destinations.

mod directory;
mod file_removals;
mod hosted_site;
mod in_flight;
mod markdown_file;
mod publisher;
mod push;
pub mod scheduler;
mod target_publisher;

pub use directory::Directory;
pub use file_removals::FileRemovals;
pub use hosted_site::HostedSite;
pub use publisher::{PublishError, Publisher};
pub use push::{Push, push_id};
pub use target_publisher::TargetPublisher;
