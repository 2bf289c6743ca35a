//! Failures that a target's owner knows about: they do not fail the run until they expire, and an unexpected
//! pass does.
//!
//! Where they are listed is the caller's business.

use super::outcome::{Failure, Outcome, RequirementResult};
use crate::requirements::Finding;

/// One known failure.
#[derive(Debug, Clone)]
pub struct KnownFailure {
    /// The requirement.
    pub id: String,
    /// Why it fails.
    pub reason: String,
    /// Unix seconds from which it counts again.
    pub expires: Option<i64>,
}

/// Rewrites `result` if it is known to fail at `now` (Unix seconds).
pub(super) fn apply(known: &[KnownFailure], now: i64, result: &mut RequirementResult) {
    let Some(entry) = known.iter().find(|entry| entry.id == result.requirement.id) else {
        return;
    };
    if entry.expires.is_some_and(|expires| expires <= now) {
        return;
    }
    match &result.outcome {
        Outcome::Failed(_) => {
            result.outcome = Outcome::Inconclusive(format!("known failure: {}", entry.reason));
        }
        Outcome::Passed => {
            result.outcome = Outcome::Failed(Box::new(Failure {
                finding: Finding {
                    expected: "a failure, because it is listed in known_failures".to_owned(),
                    observed: "it holds: remove the entry".to_owned(),
                },
                case_index: 0,
                case: serde_json::Value::Null,
                shrink_steps: 0,
                exchanges: Vec::new(),
            }));
        }
        Outcome::Skipped(_) | Outcome::Inconclusive(_) | Outcome::Error(_) => {}
    }
}
