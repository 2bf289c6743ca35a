//! Number of checks on an evolution, and their failures.

use std::fmt;

use super::kept::New;

/// Kind of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Failing {
    /// A call did not end as expected.
    Call,
    /// A value was sent but is missing from the value that was read.
    Value,
    /// A hook could not be read, or was read as another type.
    Hook,
    /// The command line did not end as on today's document, or omitted something.
    CommandLine,
    /// A panic.
    Panic,
    /// The judge named an allowed change as breaking, or did not name a forbidden one.
    Judgement,
}

impl Failing {
    /// All kinds.
    pub(super) const ALL: [Self; 6] =
        [Self::Call, Self::Value, Self::Hook, Self::CommandLine, Self::Panic, Self::Judgement];

    /// Returns the plural name of the kind.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Call => "failed calls",
            Self::Value => "lost values",
            Self::Hook => "lost webhooks",
            Self::CommandLine => "failed commands",
            Self::Panic => "panics",
            Self::Judgement => "wrong judgements",
        }
    }
}

/// One failure.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    pub(super) failing: Failing,
    pub(super) what: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.failing.name(), self.what)
    }
}

/// Numbers of checks, and their failures.
#[derive(Clone, Debug, Default)]
pub(super) struct Verdict {
    /// Number of SDK calls; a wait and a pagination count as one each.
    pub(super) calls: usize,
    /// Number of hooks that were signed and passed to the verifier.
    pub(super) hooks: usize,
    /// Number of runs of the command line.
    pub(super) commands: usize,
    /// Members and values that today's programs do not know, in everything that the SDK had to read.
    pub(super) new: New,
    pub(super) failures: Vec<Failure>,
}

impl Verdict {
    /// Records a failure.
    pub(super) fn fail(&mut self, failing: Failing, what: impl Into<String>) {
        self.failures.push(Failure { failing, what: what.into() });
    }

    /// Adds another verdict.
    pub(super) fn add(&mut self, other: Self) {
        self.calls += other.calls;
        self.hooks += other.hooks;
        self.commands += other.commands;
        self.new.members += other.new.members;
        self.new.values += other.new.values;
        self.failures.extend(other.failures);
    }

    /// Returns the number of failures of a kind.
    pub(super) fn count(&self, failing: Failing) -> usize {
        self.failures.iter().filter(|failure| failure.failing == failing).count()
    }
}
