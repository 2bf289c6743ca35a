//! What a check can come to.
//!
//! How verdicts add up to a run's outcome lives in `runner`.

use std::fmt;

/// The result of one case: it holds, or a reason why not.
pub type Verdict = Result<(), Halt>;

/// Why a case did not end well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Halt {
    /// The target breaks the clause.
    Fail(Finding),
    /// It cannot be decided, for this reason.
    Inconclusive(String),
    /// The set-up is broken: nothing is said about the target.
    Error(String),
}

/// What was demanded and what was seen instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What is demanded; also tells apart faults while a case is made smaller.
    pub expected: String,
    /// What was seen, secrets not yet masked.
    pub observed: String,
}

impl Finding {
    /// Whether it says that no complete answer came in time: repeating such a case costs the whole time-out again.
    pub fn is_hang(&self) -> bool {
        self.expected == "an HTTP answer" && self.observed.starts_with("no complete answer")
    }
}

impl Halt {
    /// The target breaks the clause.
    pub fn fail(expected: impl Into<String>, observed: impl Into<String>) -> Self {
        Self::Fail(Finding { expected: expected.into(), observed: observed.into() })
    }

    /// It cannot be decided.
    pub fn inconclusive(reason: impl Into<String>) -> Self {
        Self::Inconclusive(reason.into())
    }
}

impl fmt::Display for Halt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fail(finding) => write!(formatter, "expected {}, observed {}", finding.expected, finding.observed),
            Self::Inconclusive(reason) | Self::Error(reason) => formatter.write_str(reason),
        }
    }
}

/// Holds if `condition` does; else the target breaks the clause.
pub fn ensure(condition: bool, expected: impl Into<String>, observed: impl FnOnce() -> String) -> Verdict {
    if condition { Ok(()) } else { Err(Halt::fail(expected, observed())) }
}
