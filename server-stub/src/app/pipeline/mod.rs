//! Shows and changes the pipeline of scheduled posts for a user of the dashboard. The API lists posts in `articles`, queues
//! jobs in `generate` and cancels them in `jobs`.

mod change;
mod entry;
mod publish_time;
mod queue_article;

pub use entry::{BoardColumn, PipelineEntry, PipelineError};
pub use publish_time::{PublishTime, PublishTimeError};
pub use queue_article::NewArticle;
