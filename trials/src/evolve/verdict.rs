//! What was tried on an evolution, and what failed.

use std::fmt;

use super::kept::New;

/// How something failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Failing {
    /// A call ended in another way than it had to.
    Call,
    /// A value was sent and is not in what was read.
    Value,
    /// A hook could not be read, or was read as something else.
    Hook,
    /// The command line ended in another way than on today's document, or left something out.
    CommandLine,
    /// A panic.
    Panic,
    /// The judge named an allowed change as breaking, or did not name a forbidden one.
    Judgement,
}

impl Failing {
    /// All of them.
    pub(super) const ALL: [Self; 6] =
        [Self::Call, Self::Value, Self::Hook, Self::CommandLine, Self::Panic, Self::Judgement];

    /// How many of it there were, in words.
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

/// One thing that failed.
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

/// How much was tried, and what failed.
#[derive(Clone, Debug, Default)]
pub(super) struct Verdict {
    /// Calls of the SDK, waits and walks over pages as one each.
    pub(super) calls: usize,
    /// Hooks that were signed and handed to the verifier.
    pub(super) hooks: usize,
    /// Runs of the command line.
    pub(super) commands: usize,
    /// What today's programs do not know, in everything that the SDK was to read.
    pub(super) new: New,
    pub(super) failures: Vec<Failure>,
}

impl Verdict {
    /// Notes a failure.
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

    /// How many failures of a kind there are.
    pub(super) fn count(&self, failing: Failing) -> usize {
        self.failures.iter().filter(|failure| failure.failing == failing).count()
    }
}
