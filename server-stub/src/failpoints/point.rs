//! The places where a process may be ended. What happens there is in `armed`.

/// A place in the code where a crash would hurt most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// Jobs are claimed and nothing is written yet.
    JobAfterClaim,
    /// An article is written and not recorded.
    JobAfterGeneration,
    /// A group of changes is made and not committed.
    WriterBeforeCommit,
    /// It is committed, and no caller has got its result.
    WriterAfterCommit,
    /// A delivery is claimed and not sent.
    HookBeforeHttp,
    /// A receiver has responded and the attempt is not recorded.
    HookAfterHttp,
    /// Overdue jobs were failed, and nobody was notified.
    AfterOverdueJobsFailed,
    /// An article was given to its destination and that is not recorded.
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

    /// The name by which a test arms it.
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

    /// The place with that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|point| point.as_str() == name)
    }
}
