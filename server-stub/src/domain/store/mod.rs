//! Types that `storage::Store` reads and writes: filters, claims, outcomes, errors.

mod accounts;
mod articles;
mod audit_trail;
mod delivery_log;
mod delivery_queue;
mod error;
mod hook_endpoints;
mod job_queue;
mod leads;
mod lease;
mod maintenance;
mod page;
mod publication_queue;
mod publishing_targets;
mod quota_windows;
mod statistics;
mod users;
mod voices;

pub use accounts::{KeyFilter, WebsiteFilter};
pub use articles::{ArticleFilter, StoredArticle};
pub use audit_trail::AuditFilter;
pub use delivery_log::{DeliveryFilter, RedeliveredBatch, Redelivery, SentDelivery};
pub use delivery_queue::{AttemptRecord, ClaimedDelivery, EndpointCapacity};
pub use error::{Error, Result};
pub use hook_endpoints::EndpointState;
pub use job_queue::{
    Cancelled, ClaimedJob, ClaimedJobs, IdempotencyRecord, JobCompletion, JobFailure, JobStart, JobStatusChange,
    QueueLimits, Submission, Submitted,
};
pub use leads::{Captured, LeadEvent, LeadFilter};
pub use lease::LeaseOutcome;
pub use maintenance::{Purged, PurgedBatch, Queue, QueueStatistics};
pub use page::{PageKey, PageRequest, SearchPage};
pub use publication_queue::{ClaimedPost, PostFilter, PublishOutcome, PushesInFlight, Requeued};
pub use publishing_targets::{FileRemoval, StoredTarget};
pub use quota_windows::{
    HeldQuotaLease, QUOTA_LEASE_DIVISOR, QuotaLease, QuotaLeaseRequest, QuotaSubject, SharedWindows,
};
pub use statistics::{CountedDays, DayCounts, ExpiringKey, FirstSteps, StalledWebsite};
pub use users::SessionOpening;
pub use voices::{MAX_VOICE_USES, MAX_VOICES, VoiceRemoval, VoiceUse};
