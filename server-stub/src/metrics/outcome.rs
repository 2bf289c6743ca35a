//! Outcomes of jobs, hook attempts and leases of quotas, as metric labels. Each set of labels is closed.

use crate::domain::names::names;

names! {
    /// Outcome of a job.
    pub enum JobOutcome {
        /// Its article is stored.
        Completed = "completed",
        /// It failed for good. A failed attempt that is retried does not count.
        Failed = "failed",
        /// Its owner cancelled it.
        Cancelled = "cancelled",
        /// Another worker claimed it, so this worker discarded its result.
        LostLease = "lost_lease",
    }
}

names! {
    /// Outcome of an attempt to deliver a hook. An outcome that ends the delivery takes precedence over the response.
    pub enum HookOutcome {
        /// 2xx.
        Succeeded = "succeeded",
        /// The status was an error, or there was no response. The hook is sent again.
        Retried = "retried",
        /// The last attempt failed.
        Exhausted = "exhausted",
        /// 410: the endpoint is disabled.
        Gone = "gone",
        /// The receiver refused this message for good.
        Aborted = "aborted",
        /// The address is not allowed. The hook is sent again.
        RefusedAddress = "refused_address",
        /// The signing secret cannot be opened. The hook is sent again.
        Unsigned = "unsigned",
        /// The receiver took too long; it is sent again.
        TimedOut = "timed_out",
    }
}

names! {
    /// Outcome of a request to the database for a lease of a quota.
    pub enum QuotaLeaseOutcome {
        /// The database responded, with or without requests left.
        Answered = "answered",
        /// The database failed or took too long. This process counts alone for a while.
        Failed = "failed",
    }
}
