//! Known failures of a target: they do not fail the run, but an outdated entry does.
//!
//! The caller provides the list.

use super::outcome::{Outcome, RequirementResult};
use super::settings::KnownFailure;

/// Rewrites `result` if it is listed as known at `now` (Unix seconds).
pub(super) fn apply(known: &[KnownFailure], now: i64, result: &mut RequirementResult) {
    let Some(entry) = known.iter().find(|entry| entry.id == result.requirement.id) else {
        return;
    };
    let expired = entry.expires.filter(|expires| *expires <= now);
    let outcome = std::mem::replace(&mut result.outcome, Outcome::Passed);
    result.outcome = match (outcome, expired) {
        (Outcome::Failed(failure), None) => Outcome::Known { failure, reason: entry.reason.clone() },
        (Outcome::Failed(failure), Some(since)) => Outcome::Stale {
            complaint: format!(
                "the entry in known_failures expired on {} ({}): fix the fault, or give the entry a later date",
                day(since),
                entry.reason
            ),
            failure: Some(failure),
        },
        (Outcome::Passed, _) => Outcome::Stale {
            complaint: format!(
                "an unexpected pass: the requirement passed, but known_failures lists it ({}): remove the entry",
                entry.reason
            ),
            failure: None,
        },
        (other, Some(since)) => Outcome::Stale {
            complaint: format!(
                "the entry in known_failures expired on {} ({}), and this run did not decide whether it still fails: \
                 remove the entry, or give it a later date",
                day(since),
                entry.reason
            ),
            failure: other.into_failure(),
        },
        (other, None) => other,
    };
}

/// Returns a date in UTC.
fn day(unix_seconds: i64) -> String {
    chrono::DateTime::from_timestamp(unix_seconds, 0)
        .map_or_else(|| format!("Unix second {unix_seconds}"), |time| time.format("%Y-%m-%d").to_string())
}
