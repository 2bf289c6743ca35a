//! What a check can come to.
//!
//! How verdicts add up to a run's outcome lives in `runner`.

use std::fmt;

use super::exchange::{Exchange, ExchangeId};

/// What is expected of every request that is well-formed.
pub const AN_ANSWER: &str = "an HTTP answer";

/// The result of one case: it holds, or a reason why not.
pub type Verdict = Result<(), Halt>;

/// Why a case did not end well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Halt {
    /// The target breaks the clause.
    Fail(Finding),
    /// It cannot be decided, for this reason.
    Inconclusive(String),
    /// The case met nothing that the clause is about: it decides nothing, and others of its requirement may.
    Unmet(String),
    /// A reverse proxy answered instead of the target, or may have changed what it was asked: this case decides nothing, others may.
    Proxied(String),
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
    /// The exchange that shows it, when that is not the last one of its case.
    pub decisive: Option<ExchangeId>,
}

impl Finding {
    /// A finding that the last exchange of its case shows.
    pub fn new(expected: impl Into<String>, observed: impl Into<String>) -> Self {
        Self { expected: expected.into(), observed: observed.into(), decisive: None }
    }

    /// Says that `exchange` shows it. Whoever says so first is closest to the fault and stays right.
    #[must_use]
    pub fn about(mut self, exchange: &Exchange) -> Self {
        self.decisive.get_or_insert(exchange.id());
        self
    }

    /// Whether it says that a request got no usable HTTP answer.
    pub fn is_without_answer(&self) -> bool {
        self.expected == AN_ANSWER
    }

    /// Whether it says that no complete answer came in time: repeating such a case costs the whole time-out again.
    pub fn is_hang(&self) -> bool {
        self.is_without_answer() && self.observed.starts_with("no complete answer")
    }
}

impl Halt {
    /// The target breaks the clause.
    pub fn fail(expected: impl Into<String>, observed: impl Into<String>) -> Self {
        Self::Fail(Finding::new(expected, observed))
    }

    /// Says of a finding that `exchange` shows it.
    #[must_use]
    pub fn about(self, exchange: &Exchange) -> Self {
        match self {
            Self::Fail(finding) => Self::Fail(finding.about(exchange)),
            other => other,
        }
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
            Self::Inconclusive(reason) | Self::Unmet(reason) | Self::Proxied(reason) | Self::Error(reason) => {
                formatter.write_str(reason)
            }
        }
    }
}

/// A result whose finding, if it is one, can name the exchange that shows it.
pub trait About {
    /// Says that `exchange` shows it.
    #[must_use]
    fn about(self, exchange: &Exchange) -> Self;
}

impl<Good> About for Result<Good, Halt> {
    fn about(self, exchange: &Exchange) -> Self {
        self.map_err(|halt| halt.about(exchange))
    }
}

/// Holds if `condition` does; else the target breaks the clause.
pub fn ensure(condition: bool, expected: impl Into<String>, observed: impl FnOnce() -> String) -> Verdict {
    if condition { Ok(()) } else { Err(Halt::fail(expected, observed())) }
}

/// Holds if what the clause is about was met at all; else this case decides nothing, for this reason. A requirement none of whose cases
/// met it is not decided.
pub fn ensure_met(is_met: bool, reason: impl Into<String>) -> Verdict {
    if is_met { Ok(()) } else { Err(Halt::Unmet(reason.into())) }
}
