//! What the rest of the server asks of a database. Each method that writes is one transaction: state, event and
//! deliveries together, or nothing. Implementations live in `storage`.

mod endpoint;
mod error;
mod listing;
mod operations;
mod outgoing;
mod queueing;
mod statistics;

pub use endpoint::{EndpointState, Redelivery};
pub use error::{Error, Result};
pub use listing::{ArticleFilter, LeadFilter, PageKey, PageRequest, PostFilter, StoredArticle};
pub use operations::Store;
pub use outgoing::{AttemptRecord, Captured, ClaimedDelivery, ClaimedPost, EndpointCapacity, PublishOutcome};
pub use queueing::{
    Cancelled, ClaimedJob, ClaimedJobs, IdempotencyRecord, JobCompletion, JobFailure, JobStatusChange, LeaseOutcome,
    QueueLimits, Submission, Submitted,
};
pub use statistics::QueueStatistics;
