//! Publishing of finished articles: the scheduler and the destinations.

mod capacity;
mod claims;
mod directory;
mod file_removals;
mod hosted_site;
mod markdown_file;
mod publisher;
mod push;
mod runner;
mod target_publisher;

pub use claims::Scheduler;
pub use directory::Directory;
pub use file_removals::FileRemovals;
pub use hosted_site::HostedSite;
pub use publisher::{PublishError, Publisher};
pub use push::{Push, push_id};
pub use target_publisher::TargetPublisher;
