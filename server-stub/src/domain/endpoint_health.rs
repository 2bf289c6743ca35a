//! Health of an endpoint, and the pure rules for disabling it. `hook` decides about attempts.

use std::time::Duration;

use super::clock::Timestamp;

/// Failure time without a success after which an endpoint is disabled, if failures of two events confirm it.
pub const DISABLED_AFTER: Duration = Duration::from_hours(5 * 24);
/// Minimum time between failures of two events. It shows that the endpoint fails, not just one event or one hour.
const MIN_TIME_BETWEEN_FAILURES: Duration = Duration::from_hours(12);
/// Number of exhausted events after which an endpoint counts as failing.
const FAILING_EXHAUSTED: u32 = 3;
/// Number of consecutive failed attempts after which an endpoint counts as failing.
const FAILING_ATTEMPTS: u32 = 10;
/// Minimum duration of these failures.
const FAILING_AFTER: Duration = Duration::from_hours(1);

/// Failures of an endpoint since its last success.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EndpointHealth {
    /// Time of the first failed attempt.
    pub failing_since: Option<Timestamp>,
    /// The event of that attempt.
    pub failing_event_id: Option<String>,
    /// True if another event failed at least 12 hours later.
    pub failed_for_distant_events: bool,
    /// Number of failed attempts.
    pub failed_attempts: u32,
    /// Number of events whose attempts were all used.
    pub exhausted: u32,
}

impl EndpointHealth {
    /// Returns true if the endpoint should get one delivery at a time, and its owner a warning.
    pub fn is_failing(&self, now: Timestamp) -> bool {
        let is_long = self.failing_since.is_some_and(|since| since.plus(FAILING_AFTER) <= now);
        self.exhausted >= FAILING_EXHAUSTED || (self.failed_attempts >= FAILING_ATTEMPTS && is_long)
    }

    /// Returns true if the endpoint should be disabled.
    pub fn should_disable(&self, now: Timestamp) -> bool {
        self.failed_for_distant_events && self.failing_since.is_some_and(|since| since.plus(DISABLED_AFTER) <= now)
    }

    /// Returns the health after a failed attempt for `event_id` at `now`; `is_exhausted` marks the event's last attempt.
    #[must_use]
    pub fn after_failure(self, event_id: &str, is_exhausted: bool, now: Timestamp) -> Self {
        let since = self.failing_since.unwrap_or(now);
        let first_event = self.failing_event_id.unwrap_or_else(|| event_id.to_owned());
        Self {
            failed_for_distant_events: self.failed_for_distant_events
                || (first_event != event_id && since.plus(MIN_TIME_BETWEEN_FAILURES) <= now),
            failing_since: Some(since),
            failing_event_id: Some(first_event),
            failed_attempts: self.failed_attempts.saturating_add(1),
            exhausted: self.exhausted.saturating_add(is_exhausted.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEGIN: Timestamp = Timestamp::from_millis(1_790_000_000_000);

    fn failed(attempts: &[(&str, u64)]) -> (EndpointHealth, Timestamp) {
        let mut health = EndpointHealth::default();
        let mut now = BEGIN;
        for (event_id, hours) in attempts {
            now = BEGIN.plus(Duration::from_hours(*hours));
            health = health.after_failure(event_id, false, now);
        }
        (health, now)
    }

    #[test]
    fn an_endpoint_is_disabled_after_five_days_shown_by_two_events_far_apart() {
        for (attempts, should_disable) in [
            (&[("a", 0), ("b", 13), ("b", 120)][..], true),
            (&[("a", 0), ("b", 120)][..], true),
            (&[("a", 0), ("b", 13), ("b", 119)][..], false),
            (&[("a", 0), ("a", 120)][..], false),
            (&[("a", 0), ("b", 11), ("a", 130)][..], false),
        ] {
            let (health, now) = failed(attempts);
            assert_eq!(health.should_disable(now), should_disable, "{attempts:?}");
        }
    }

    #[test]
    fn an_endpoint_is_failing_after_ten_attempts_over_an_hour_or_three_lost_events() {
        let (health, now) = failed(&[("a", 0); 10]);
        assert!(!health.is_failing(now) && health.is_failing(BEGIN.plus(Duration::from_hours(1))));
        let (health, now) = failed(&[("a", 0), ("a", 1), ("a", 2)]);
        assert!(!health.is_failing(now));
        let lost = ["a", "b", "c"].iter().fold(EndpointHealth::default(), |health, event| {
            assert!(!health.is_failing(BEGIN));
            health.after_failure(event, true, BEGIN)
        });
        assert!(lost.is_failing(BEGIN));
    }
}
