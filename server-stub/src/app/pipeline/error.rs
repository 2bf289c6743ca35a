//! Why something of the pipeline could not be shown or changed.

use super::super::error::Error;
use super::publish_time::PublishTimeError;
use crate::domain::post::PostStatus;
use crate::domain::store;

/// Why something was not done; each is a sentence that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum PipelineError {
    /// The account has no such post.
    #[error("there is no such scheduled post")]
    NotFound,
    /// Its state does not allow that.
    #[error("this is not possible while the article is {}; go back to see what is possible now", .0.as_str())]
    NotAllowed(PostStatus),
    /// It cannot be published then.
    #[error(transparent)]
    Time(#[from] PublishTimeError),
    /// What was asked for breaks a rule of the API, or cannot be queued.
    #[error(transparent)]
    Request(#[from] Error),
    /// The store refused or failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}
