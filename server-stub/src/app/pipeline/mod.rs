//! Shows and changes the pipeline of scheduled posts for a user of the dashboard. The API lists posts in `articles`, and queues and
//! cancels jobs in `jobs`.

mod board;
mod change;
mod entry;
mod error;
mod publish_time;
mod queue_article;
mod retry;

pub use board::BoardColumn;
pub use entry::PipelineEntry;
pub use error::PipelineError;
pub use publish_time::{PublishTime, PublishTimeError};
pub use queue_article::NewArticle;
