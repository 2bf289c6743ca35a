//! Windows in which several processes count requests together. A process leases requests in advance and then grants them without
//! the database. `http` chooses the subject and renders the response to a refused caller.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;

use crate::domain::key::Quota;
use crate::domain::personal::Personal;

use super::Result;

/// Divisor for the size of a lease: a sixteenth of the requests left in a window, but at least one. While fewer than 32 are left,
/// each lease is one request.
pub const QUOTA_LEASE_DIVISOR: u32 = 16;

/// Windows in the database. The tests of `http::quotas` implement this trait without a database.
#[async_trait]
pub trait SharedWindows: Send + Sync + fmt::Debug {
    /// Leases requests of the caller's window, and begins a window if necessary. All leases of a window together never exceed the
    /// quota. Unused requests are lost when the window ends.
    async fn lease(&self, request: &QuotaLeaseRequest) -> Result<QuotaLease>;
}

/// A request to lease.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuotaLeaseRequest {
    /// The quota's name, such as `api`.
    pub policy: &'static str,
    /// Subject of the quota.
    pub subject: QuotaSubject,
    /// Number of requests per window. Windows of different lengths are counted separately.
    pub quota: Quota,
    /// Unused rest of this process's former lease. It reduces the new lease.
    pub held: HeldQuotaLease,
}

/// Subject whose requests are counted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum QuotaSubject {
    /// The key with this id.
    Key(String),
    /// All callers from this address. The database never stores the address itself.
    Address(Personal<String>),
}

/// Unused rest of a former lease; empty by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HeldQuotaLease {
    /// Window of the lease, from [`QuotaLease::window`].
    pub window: i64,
    /// Number of leased requests that were not used.
    pub requests: u32,
}

/// A lease for this process, and the total of all processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuotaLease {
    /// Identifies the window among those of the caller.
    pub window: i64,
    /// Number of requests in this lease; 0 if none are left, or the process holds enough.
    pub granted: u32,
    /// Number of requests of the window that all processes have leased, this lease included.
    pub leased: u32,
    /// Remaining time of the window by the database's clock.
    pub ends_in: Duration,
}
