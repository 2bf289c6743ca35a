//! Errors of showing and changing the pipeline.

use super::super::error::Error;
use super::publish_time::PublishTimeError;
use crate::domain::post::PostStatus;
use crate::domain::store;

/// Reason why an action was refused. Each message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum PipelineError {
    /// The account has no such post.
    #[error("there is no such scheduled post")]
    NotFound,
    /// The state of the post does not allow the action.
    #[error("this is not possible while the article is {}; go back to see what is possible now", .0.as_str())]
    NotAllowed(PostStatus),
    /// The publishing time is not possible.
    #[error(transparent)]
    Time(#[from] PublishTimeError),
    /// The request breaks a rule of the API, or cannot be queued.
    #[error(transparent)]
    Request(#[from] Error),
    /// The store refused or failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}
