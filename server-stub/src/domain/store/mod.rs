//! Types that `storage::Store` reads and writes: filters, claims, outcomes, errors.

mod accounts;
mod deliveries;
mod error;
mod lists;
mod maintenance;
mod queues;
mod quota_windows;

pub use accounts::{
    CountedDays, DayCounts, ExpiringKey, FirstSteps, MAX_VOICE_USES, MAX_VOICES, SessionOpening, StalledWebsite,
    VoiceRemoval, VoiceUse,
};
pub use deliveries::{DeliveryFilter, EndpointState, RedeliveredBatch, Redelivery, SentDelivery};
pub use error::{Error, Result};
pub use lists::{
    ArticleFilter, ArticlePart, AuditFilter, Captured, KeyFilter, LeadEvent, LeadFilter, NewLink, PageKey, PageRequest,
    Published, SearchPage, StoredArticle, StoredRow, WebsiteFilter,
};
pub use maintenance::{DeletionCounts, Purged, PurgedBatch, Queue, QueueStatistics};
pub use queues::{
    AttemptRecord, Cancelled, ClaimedDelivery, ClaimedJob, ClaimedJobs, ClaimedPost, ClaimedUpdate, FileRemoval,
    JobCompletion, JobFailure, JobStart, JobStatusChange, LeaseOutcome, PostFilter, PublishOutcome, PushesInFlight,
    QueueLimits, Requeued, StoredTarget, Submission, Submitted, UpdateOutcome, UpdateState,
};
pub use quota_windows::{
    HeldQuotaLease, QUOTA_LEASE_DIVISOR, QuotaLease, QuotaLeaseRequest, QuotaSubject, SharedWindows,
};
