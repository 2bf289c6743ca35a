//! What the rest of the server asks of a database, one trait for each kind of user. Each method that writes is one transaction:
//! state, event and deliveries together, or nothing. Implementations live in `storage`.

mod accounts;
mod articles;
mod audit_trail;
mod delivery_log;
mod delivery_queue;
mod error;
mod hook_endpoints;
mod job_queue;
mod joined;
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

pub use accounts::{Accounts, KeyFilter, WebsiteFilter};
pub use articles::{ArticleFilter, Articles, StoredArticle};
pub use audit_trail::{AuditFilter, AuditTrail};
pub use delivery_log::{DeliveryFilter, DeliveryLog, RedeliveredBatch, Redelivery, SentDelivery};
pub use delivery_queue::{AttemptRecord, ClaimedDelivery, DeliveryQueue, EndpointCapacity};
pub use error::{Error, Result};
pub use hook_endpoints::{EndpointState, HookEndpoints};
pub use job_queue::{
    Cancelled, ClaimedJob, ClaimedJobs, IdempotencyRecord, JobCompletion, JobFailure, JobQueue, JobStart,
    JobStatusChange, QueueLimits, Submission, Submitted,
};
pub use joined::Store;
pub use leads::{Captured, LeadEvent, LeadFilter, Leads};
pub use lease::LeaseOutcome;
pub use maintenance::{Maintenance, Purged, PurgedBatch, Queue, QueueStatistics};
pub use page::{PageKey, PageRequest, SearchPage};
pub use publication_queue::{ClaimedPost, PostFilter, PublicationQueue, PublishOutcome, PushesInFlight, Requeued};
pub use publishing_targets::{FileRemoval, PublishingTargets, StoredTarget};
pub use quota_windows::{
    HeldQuotaLease, QUOTA_LEASE_DIVISOR, QuotaLease, QuotaLeaseRequest, QuotaSubject, QuotaWindows, SharedWindows,
};
pub use statistics::{CountedDays, DayCounts, ExpiringKey, FirstSteps, StalledWebsite, Statistics};
pub use users::{SessionOpening, Users};
pub use voices::{MAX_VOICE_USES, MAX_VOICES, VoiceRemoval, VoiceUse, Voices};
