//! The points at which a test may end the process. `armed` ends it.

/// Point in the code where a crash would do the most damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// Jobs are claimed, but not written yet.
    JobAfterClaim,
    /// An article is written, but not recorded.
    JobAfterGeneration,
    /// A group of changes is made, but not committed.
    WriterBeforeCommit,
    /// A group of changes is committed, but no caller has received its result.
    WriterAfterCommit,
    /// A delivery is claimed, but not sent.
    HookBeforeHttp,
    /// A receiver has responded, but the attempt is not recorded.
    HookAfterHttp,
    /// Overdue jobs have failed, but no waiting caller has been notified.
    AfterOverdueJobsFailed,
    /// An article was published at its destination, but this is not recorded.
    PublishBeforeRecord,
}

impl Point {
    /// Every point, in declaration order.
    pub const ALL: [Self; 8] = [
        Self::JobAfterClaim,
        Self::JobAfterGeneration,
        Self::WriterBeforeCommit,
        Self::WriterAfterCommit,
        Self::HookBeforeHttp,
        Self::HookAfterHttp,
        Self::AfterOverdueJobsFailed,
        Self::PublishBeforeRecord,
    ];

    /// Returns the name that arms this point.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::JobAfterClaim => "job-after-claim",
            Self::JobAfterGeneration => "job-after-generation",
            Self::WriterBeforeCommit => "writer-before-commit",
            Self::WriterAfterCommit => "writer-after-commit",
            Self::HookBeforeHttp => "hook-before-http",
            Self::HookAfterHttp => "hook-after-http",
            Self::AfterOverdueJobsFailed => "overdue-jobs-failed",
            Self::PublishBeforeRecord => "publish-before-record",
        }
    }

    /// Returns the point with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|point| point.as_str() == name)
    }
}
