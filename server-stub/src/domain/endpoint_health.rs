//! Health of an endpoint, and the rules for disabling it. `retry_schedule` decides what follows an attempt.

use std::time::Duration;

use super::clock::{Moment, Timestamp};
use super::delivery::AttemptKind;
use super::retry_schedule::AttemptDecision;

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

/// Reason for which the server disables an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DisabledReason {
    /// The receiver wants no further events (410 Gone). Waiting deliveries are discarded.
    Gone,
    /// All attempts have failed for days. Waiting deliveries are kept.
    Failing,
}

impl DisabledReason {
    /// Returns the stored name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Gone => "gone",
            Self::Failing => "failing",
        }
    }
}

/// An endpoint to which attempts are recorded, and its changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EndpointRecord {
    /// True if the endpoint was active before the attempts.
    pub is_active: bool,
    /// Failures since its last success.
    pub health: EndpointHealth,
    /// Time of the last success among the attempts.
    pub last_success_at: Option<Timestamp>,
    /// Time of the last failure among the attempts.
    pub last_failure_at: Option<Timestamp>,
    /// Set if the attempts disable the endpoint.
    pub disabled: Option<DisabledReason>,
}

impl EndpointRecord {
    /// Adds an attempt of this kind at an event, and the decision after it.
    pub fn add(&mut self, decision: AttemptDecision, kind: AttemptKind, event_id: &str, now: Moment) {
        match decision {
            AttemptDecision::Succeeded => {
                self.last_success_at = Some(now.wall);
                self.health = EndpointHealth::default();
                self.disabled = self.disabled.filter(|reason| *reason != DisabledReason::Failing);
            }
            AttemptDecision::Gone => {
                self.last_failure_at = Some(now.wall);
                self.disabled = Some(DisabledReason::Gone);
            }
            // The receiver works, but refuses this message.
            AttemptDecision::Aborted => {}
            AttemptDecision::RetryAt(_) | AttemptDecision::Exhausted => {
                // Count the event as exhausted once, however many manual attempts follow.
                let is_exhausted = decision == AttemptDecision::Exhausted && kind.counts();
                self.health = std::mem::take(&mut self.health).after_failure(event_id, is_exhausted, now.steady);
                self.last_failure_at = Some(now.wall);
                if self.is_active && self.health.should_disable(now.steady) {
                    self.disabled = self.disabled.or(Some(DisabledReason::Failing));
                }
            }
        }
    }

    /// Returns true if an attempt changed the endpoint.
    pub const fn has_changed(&self) -> bool {
        self.last_success_at.is_some() || self.last_failure_at.is_some()
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

    #[test]
    fn an_endpoint_is_disabled_when_it_is_gone_or_an_active_one_fails_for_days() {
        let at = |hours| {
            let time = BEGIN.plus(Duration::from_hours(hours));
            Moment { wall: time, steady: time }
        };
        let retry = AttemptDecision::RetryAt(BEGIN);
        for is_active in [true, false] {
            let mut endpoint = EndpointRecord { is_active, ..EndpointRecord::default() };
            endpoint.add(AttemptDecision::Aborted, AttemptKind::Scheduled, "a", at(0));
            assert!(!endpoint.has_changed());
            endpoint.add(retry, AttemptKind::Scheduled, "a", at(0));
            endpoint.add(AttemptDecision::Exhausted, AttemptKind::Scheduled, "b", at(119));
            endpoint.add(AttemptDecision::Exhausted, AttemptKind::Manual, "b", at(119));
            assert_eq!((endpoint.disabled, endpoint.health.exhausted), (None, 1));
            endpoint.add(retry, AttemptKind::Scheduled, "b", at(120));
            assert_eq!(endpoint.disabled, is_active.then_some(DisabledReason::Failing));
            endpoint.add(AttemptDecision::Succeeded, AttemptKind::Scheduled, "b", at(121));
            assert_eq!((endpoint.disabled, &endpoint.health), (None, &EndpointHealth::default()), "it works again");
            endpoint.add(AttemptDecision::Gone, AttemptKind::Scheduled, "c", at(122));
            endpoint.add(retry, AttemptKind::Scheduled, "d", at(123));
            assert_eq!(endpoint.disabled, Some(DisabledReason::Gone));
            assert_eq!((endpoint.last_success_at, endpoint.last_failure_at), (Some(at(121).wall), Some(at(123).wall)));
        }
    }
}
