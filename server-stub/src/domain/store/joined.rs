//! All parts of a store as one. Whoever needs only one part takes that.

use super::{
    Accounts, Articles, AuditTrail, DeliveryLog, DeliveryQueue, HookEndpoints, JobQueue, Leads, Maintenance,
    PublicationQueue, PublishingTargets, QuotaWindows, Statistics, Users, Voices,
};

/// One database with all of the service's state. All reads see what was written before by any process.
pub trait Store:
    Accounts
    + Articles
    + AuditTrail
    + JobQueue
    + PublicationQueue
    + PublishingTargets
    + Leads
    + HookEndpoints
    + DeliveryQueue
    + DeliveryLog
    + Maintenance
    + QuotaWindows
    + Statistics
    + Users
    + Voices
{
}

impl<T> Store for T where
    T: Accounts
        + Articles
        + AuditTrail
        + JobQueue
        + PublicationQueue
        + PublishingTargets
        + Leads
        + HookEndpoints
        + DeliveryQueue
        + DeliveryLog
        + Maintenance
        + QuotaWindows
        + Statistics
        + Users
        + Voices
{
}
