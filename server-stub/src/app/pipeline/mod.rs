//! The pipeline of scheduled posts as a user of the dashboard sees and changes it: the board, one entry, and what can be done
//! with it. The API lists posts in `articles`, and queues and cancels jobs in `jobs`.

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
