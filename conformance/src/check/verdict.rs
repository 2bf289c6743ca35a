//! The results of a check.
//!
//! `runner` combines verdicts into the outcome of a run.

use std::fmt;
use std::panic::Location;

use super::channel::TransportFault;
use super::exchange::{Exchange, ExchangeId};

/// The expectation of every well-formed request.
pub const A_RESPONSE: &str = "an HTTP response";

/// The result of one case: success, or the reason why not.
pub type Verdict = Result<(), Halt>;

/// The reason why a case did not pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Halt {
    /// The target breaks the clause.
    Fail(Finding),
    /// The case cannot be decided, for this reason.
    Inconclusive(String),
    /// The case found nothing that the clause covers. It decides nothing, but other cases of its requirement may.
    Unmet(String),
    /// A reverse proxy responded instead of the target, or may have changed the request. This case decides nothing, but others may.
    Proxied(String),
    /// The set-up is broken. This is not a result about the target.
    Error(String),
}

/// The expected and the observed behaviour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The expected behaviour.
    pub expected: String,
    /// The observed behaviour. Secrets are not masked yet.
    pub observed: String,
    /// The exchange that shows it, if it is not the last one of its case.
    pub decisive: Option<ExchangeId>,
    /// The kind of the failure. A smaller case counts only if it fails in the same way.
    kind: Kind,
}

/// The kind of a failure, without the values of its case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The check at this place in the code failed.
    Check(&'static Location<'static>),
    /// A request got no usable HTTP response.
    NoResponse,
    /// A request got no complete response in time.
    Timeout,
}

impl Finding {
    /// Returns a finding that the last exchange of its case shows. Its kind is the place of the caller in the code.
    #[track_caller]
    pub fn new(expected: impl Into<String>, observed: impl Into<String>) -> Self {
        let kind = Kind::Check(Location::caller());
        Self { expected: expected.into(), observed: observed.into(), decisive: None, kind }
    }

    /// Returns the finding that the request in `line` got no usable HTTP response.
    pub fn no_response(fault: &TransportFault, line: &str) -> Self {
        let kind = if fault.is_timeout { Kind::Timeout } else { Kind::NoResponse };
        Self { expected: A_RESPONSE.to_owned(), observed: format!("{fault}, for {line}"), decisive: None, kind }
    }

    /// Names the exchange that shows it, unless one is named already.
    #[must_use]
    pub fn about(mut self, exchange: &Exchange) -> Self {
        self.decisive.get_or_insert(exchange.id());
        self
    }

    /// Returns true if both findings come from the same check, whatever the values were.
    pub fn is_like(&self, other: &Self) -> bool {
        self.kind == other.kind
    }

    /// Returns true if a request got no usable HTTP response.
    pub fn is_without_response(&self) -> bool {
        matches!(self.kind, Kind::NoResponse | Kind::Timeout)
    }

    /// Returns true if a request got no complete response in time: repeating such a case costs the whole time-out again.
    pub fn is_timeout(&self) -> bool {
        self.kind == Kind::Timeout
    }
}

impl Halt {
    /// Returns a failure: the target breaks the clause.
    #[track_caller]
    pub fn fail(expected: impl Into<String>, observed: impl Into<String>) -> Self {
        Self::Fail(Finding::new(expected, observed))
    }

    /// Names `exchange` as the one that shows a finding.
    #[must_use]
    pub fn about(self, exchange: &Exchange) -> Self {
        match self {
            Self::Fail(finding) => Self::Fail(finding.about(exchange)),
            other => other,
        }
    }

    /// Returns an undecided result.
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

/// A result whose finding, if any, can name the exchange that shows it.
pub trait About {
    /// Names `exchange` as the one that shows it.
    #[must_use]
    fn about(self, exchange: &Exchange) -> Self;
}

impl<Good> About for Result<Good, Halt> {
    fn about(self, exchange: &Exchange) -> Self {
        self.map_err(|halt| halt.about(exchange))
    }
}

/// Passes if `condition` is true. Otherwise the target breaks the clause.
#[track_caller]
pub fn ensure(condition: bool, expected: impl Into<String>, observed: impl FnOnce() -> String) -> Verdict {
    if condition { Ok(()) } else { Err(Halt::fail(expected, observed())) }
}

/// Passes if the case found anything that the clause covers. Otherwise this case decides nothing, for this reason. A
/// requirement without any such case is not decided.
pub fn ensure_met(is_met: bool, reason: impl Into<String>) -> Verdict {
    if is_met { Ok(()) } else { Err(Halt::Unmet(reason.into())) }
}
