//! How jobs, hook attempts and leases of quotas end, as metrics name it. The names are labels, so each set is closed.

/// How a job ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobOutcome {
    /// Its article is stored.
    Completed,
    /// It failed for good. A failed attempt that is retried does not count.
    Failed,
    /// Its owner cancelled it.
    Cancelled,
    /// Another worker claimed it, so what was written here is thrown away.
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

/// How an attempt to deliver a hook ended. What ends the delivery counts as that, whatever the response was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookOutcome {
    /// 2xx.
    Succeeded,
    /// A bad status, or no response; it is sent again.
    Retried,
    /// The last attempt failed.
    Exhausted,
    /// 410: the endpoint is disabled.
    Gone,
    /// The receiver refused this message for good.
    Aborted,
    /// The address is not allowed; it is tried again.
    RefusedAddress,
    /// The secret that signs it cannot be opened; it is tried again.
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

/// What came of asking the database for requests of a quota.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuotaLeaseOutcome {
    /// It answered, whether or not requests were left.
    Answered,
    /// It failed, or took too long: this process counts alone for a while.
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
