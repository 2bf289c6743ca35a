//! Windows in which several processes count requests together. A process leases requests in advance and answers for them by itself.
//! Who is counted, and what a refused caller is told, is decided in `http`.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;

use crate::domain::key::Quota;
use crate::domain::personal::Personal;

use super::Result;

/// A lease is a sixteenth of what is left of a window, but at least one request. While fewer than 32 are left, each lease is one
/// request.
pub const QUOTA_LEASE_DIVISOR: u32 = 16;

/// Windows in the database. The tests of `http::quotas` implement this without a database.
#[async_trait]
pub trait SharedWindows: Send + Sync + fmt::Debug {
    /// Leases requests of the caller's window, and begins the window if there is none. All leases of a window together never exceed
    /// the quota. What is not used when the window ends is lost.
    async fn lease(&self, request: &QuotaLeaseRequest) -> Result<QuotaLease>;
}

/// Whose requests are to be leased.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuotaLeaseRequest {
    /// The quota's name, such as `api`.
    pub policy: &'static str,
    /// Who is counted.
    pub subject: QuotaSubject,
    /// How many requests fit into a window. Windows of different lengths are counted by themselves.
    pub quota: Quota,
    /// What this process still holds of a former lease. The new lease is smaller by that many.
    pub held: HeldQuotaLease,
}

/// Who is counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuotaSubject {
    /// The key with that id.
    Key(String),
    /// Whoever sends from that address. The database never holds the address itself.
    Address(Personal<String>),
}

/// What is left of a former lease; nothing by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HeldQuotaLease {
    /// The window that it is of, as [`QuotaLease::window`] named it.
    pub window: i64,
    /// Requests that were leased and not used.
    pub requests: u32,
}

/// What a process may do by itself, and what all have done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuotaLease {
    /// Names the window among those of the caller.
    pub window: i64,
    /// Requests that were leased now; 0 when none are left, or enough are held.
    pub granted: u32,
    /// Requests of the window that all processes have leased, these among them.
    pub leased: u32,
    /// How long the window still lasts by the database's clock.
    pub ends_in: Duration,
}
