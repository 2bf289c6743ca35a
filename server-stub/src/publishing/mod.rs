//! Publishing of finished articles: the scheduler and the destinations.

mod capacity;
mod claims;
mod directory;
mod file_removals;
mod markdown_file;
mod publisher;
mod push;
mod runner;
mod updates;

pub use claims::Scheduler;
pub use directory::Directory;
pub use file_removals::FileRemovals;
pub use publisher::{HostedSite, PublishError, Publisher, TargetPublisher};
pub use push::{Push, push_id};
pub use updates::ArticleUpdates;
