//! Outcomes of jobs, hook attempts and leases of quotas, as metric labels. Each set of labels is closed.

/// Outcome of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobOutcome {
    /// Its article is stored.
    Completed,
    /// It failed for good. A failed attempt that is retried does not count.
    Failed,
    /// Its owner cancelled it.
    Cancelled,
    /// Another worker claimed it, so this worker discarded its result.
    LostLease,
}

impl JobOutcome {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Completed, Self::Failed, Self::Cancelled, Self::LostLease];

    /// The label.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::LostLease => "lost_lease",
        }
    }
}

/// Outcome of an attempt to deliver a hook. An outcome that ends the delivery takes precedence over the response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookOutcome {
    /// 2xx.
    Succeeded,
    /// The status was an error, or there was no response. The hook is sent again.
    Retried,
    /// The last attempt failed.
    Exhausted,
    /// 410: the endpoint is disabled.
    Gone,
    /// The receiver refused this message for good.
    Aborted,
    /// The address is not allowed. The hook is sent again.
    RefusedAddress,
    /// The signing secret cannot be opened. The hook is sent again.
    Unsigned,
    /// The receiver took too long; it is sent again.
    TimedOut,
}

impl HookOutcome {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Succeeded,
        Self::Retried,
        Self::Exhausted,
        Self::Gone,
        Self::Aborted,
        Self::RefusedAddress,
        Self::Unsigned,
        Self::TimedOut,
    ];

    /// The label.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Succeeded => "succeeded",
            Self::Retried => "retried",
            Self::Exhausted => "exhausted",
            Self::Gone => "gone",
            Self::Aborted => "aborted",
            Self::RefusedAddress => "refused_address",
            Self::Unsigned => "unsigned",
            Self::TimedOut => "timed_out",
        }
    }
}

/// Outcome of a request to the database for a lease of a quota.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuotaLeaseOutcome {
    /// The database responded, with or without requests left.
    Answered,
    /// The database failed or took too long. This process counts alone for a while.
    Failed,
}

impl QuotaLeaseOutcome {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Answered, Self::Failed];

    /// The label.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Failed => "failed",
        }
    }
}
