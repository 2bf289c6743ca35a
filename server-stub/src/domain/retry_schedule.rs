//! Decides what follows an attempt to deliver a webhook: the next attempt and the pause before it, or the end.

use std::str::FromStr;
use std::time::Duration;

use super::clock::Timestamp;
use super::duration;
use super::hook::Attempt;

/// Pauses before the second and later attempts, from the example of Standard Webhooks.
const DEFAULT_PAUSES: [Duration; 9] = [
    Duration::from_secs(5),
    Duration::from_mins(5),
    Duration::from_mins(30),
    Duration::from_hours(2),
    Duration::from_hours(5),
    Duration::from_hours(10),
    Duration::from_hours(14),
    Duration::from_hours(20),
    Duration::from_hours(24),
];
/// Maximum number of pauses of a schedule. The number of attempts is one more.
pub const MAX_PAUSES: usize = 20;
/// Minimum pause of a schedule.
const MIN_PAUSE: Duration = Duration::from_millis(10);
/// Maximum pause of a schedule.
const MAX_PAUSE: Duration = Duration::from_hours(7 * 24);
/// Time that is longer than every pause with its jitter.
pub const BEYOND_ALL_PAUSES: Duration = MAX_PAUSE.saturating_add(Duration::from_hours(24));
/// Maximum sum of all pauses. By default events are kept longer, which leaves time for the last attempt.
const MAX_TOTAL: Duration = Duration::from_hours(25 * 24);
/// Minimum pause after a sign of overload, unless all pauses of the schedule are shorter.
const OVERLOAD_PAUSE: Duration = Duration::from_mins(1);

/// Maximum pause that a receiver may request with `Retry-After`.
pub const MAX_RETRY_AFTER: Duration = Duration::from_hours(24);
/// Maximum jitter, as a fraction of the pause. Jitter only adds delay.
const MAX_JITTER_RATIO: f64 = 0.2;
/// Maximum jitter for any pause.
const MAX_JITTER: Duration = Duration::from_mins(15);

/// Pauses between the attempts to deliver a webhook: 1 to [`MAX_PAUSES`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetrySchedule(Vec<Duration>);

impl Default for RetrySchedule {
    fn default() -> Self {
        Self(DEFAULT_PAUSES.to_vec())
    }
}

impl RetrySchedule {
    /// Returns the pause after attempt number `number` (1-based); `None` after the last one.
    pub fn pause_after(&self, number: u32) -> Option<Duration> {
        self.0.get(number.saturating_sub(1) as usize).copied()
    }

    /// Returns the sum of all pauses.
    pub fn total(&self) -> Duration {
        self.0.iter().sum()
    }

    /// Returns the minimum pause after a sign of overload: [`OVERLOAD_PAUSE`], but never longer than the schedule's
    /// longest pause. So a schedule with short pauses stays short.
    fn overload_pause(&self) -> Duration {
        self.0.iter().copied().max().map_or(OVERLOAD_PAUSE, |longest| longest.min(OVERLOAD_PAUSE))
    }
}

impl FromStr for RetrySchedule {
    type Err = String;

    /// Reads `100ms,5s,5m,2h,1d`.
    fn from_str(text: &str) -> Result<Self, String> {
        let pauses: Vec<Duration> = text
            .split(',')
            .map(|part| duration::parse(part.trim()).filter(|pause| (MIN_PAUSE..=MAX_PAUSE).contains(pause)))
            .collect::<Option<_>>()
            .ok_or_else(|| {
                let [shortest, longest] = [MIN_PAUSE, MAX_PAUSE].map(duration::show);
                format!("write pauses from {shortest} to {longest} like 5s,5m,30m,2h")
            })?;
        if pauses.len() > MAX_PAUSES {
            return Err(format!("{} pauses are too many, at most {MAX_PAUSES} are allowed", pauses.len()));
        }
        if pauses.iter().sum::<Duration>() > MAX_TOTAL {
            return Err(format!("the pauses must add up to at most {}", duration::show(MAX_TOTAL)));
        }
        Ok(Self(pauses))
    }
}

/// The decision after an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptDecision {
    /// The message was delivered.
    Succeeded,
    /// Retry at this time.
    RetryAt(Timestamp),
    /// No attempt is left.
    Exhausted,
    /// The receiver permanently refused this message. Other messages are still sent.
    Aborted,
    /// The receiver returned 410 Gone: disable the endpoint and drop its pending deliveries.
    Gone,
}

/// Decides what follows attempt number `number` (1-based). A 2xx status succeeds, 410 disables the endpoint, and a receiver may
/// permanently refuse the message. Any other result is retried by the schedule. The pause is longer if the receiver requests it
/// (429 and 503) or seems overloaded (429, 502, 504, or a timeout). `jitter`, random from 0 to 1, adds to the pause.
pub fn decide_attempt(
    attempt: &Attempt,
    number: u32,
    now: Timestamp,
    schedule: &RetrySchedule,
    jitter: f64,
) -> AttemptDecision {
    match attempt.response_status {
        Some(200..=299) => return AttemptDecision::Succeeded,
        Some(410) => return AttemptDecision::Gone,
        Some(_) if attempt.asks_to_abort() => return AttemptDecision::Aborted,
        _ => {}
    }
    let Some(base) = schedule.pause_after(number) else { return AttemptDecision::Exhausted };
    let asked = match attempt.response_status {
        Some(429 | 503) => attempt.retry_after.unwrap_or_default().min(MAX_RETRY_AFTER),
        _ => Duration::ZERO,
    };
    let floor = match attempt.response_status {
        Some(429 | 502 | 504) => schedule.overload_pause(),
        _ if attempt.timed_out => schedule.overload_pause(),
        _ => Duration::ZERO,
    };
    let pause = base.max(asked).max(floor);
    let jitter = pause.mul_f64(MAX_JITTER_RATIO * jitter.clamp(0.0, 1.0)).min(MAX_JITTER);
    AttemptDecision::RetryAt(now.plus(pause + jitter))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::personal::Personal;

    fn attempt(response_status: Option<u16>, retry_after: Option<u64>) -> Attempt {
        Attempt {
            started_at: Timestamp::from_millis(0),
            request_headers: Vec::new(),
            duration_ms: 1,
            response_status,
            error: None,
            retry_after: retry_after.map(Duration::from_secs),
            timed_out: false,
            response_head: None,
            response_headers: Personal::default(),
        }
    }

    fn decide(attempt: &Attempt, number: u32, now: Timestamp, jitter: f64) -> AttemptDecision {
        decide_attempt(attempt, number, now, &RetrySchedule::default(), jitter)
    }

    #[test]
    fn the_schedule_ends_after_ten_attempts_and_jitter_only_delays() {
        let now = Timestamp::from_millis(1_000_000);
        for number in 1..=9 {
            let pause = RetrySchedule::default().pause_after(number).unwrap();
            let longest = pause + pause.mul_f64(MAX_JITTER_RATIO).min(MAX_JITTER);
            for (jitter, expected) in [(0.0, pause), (1.0, longest)] {
                let decision = decide(&attempt(Some(500), None), number, now, jitter);
                assert_eq!(decision, AttemptDecision::RetryAt(now.plus(expected)), "attempt {number}");
            }
        }
        assert_eq!(decide(&attempt(None, None), 10, now, 0.5), AttemptDecision::Exhausted);
    }

    #[test]
    fn a_receiver_that_asks_for_a_pause_gets_it_and_one_that_is_gone_gets_nothing_more() {
        let now = Timestamp::from_millis(0);
        let asked = decide(&attempt(Some(503), Some(120)), 1, now, 0.5);
        assert!(matches!(asked, AttemptDecision::RetryAt(at) if at >= now.plus_millis(120_000)));
        let capped = decide(&attempt(Some(429), Some(9_999_999)), 1, now, 0.5);
        assert!(matches!(capped, AttemptDecision::RetryAt(at) if at <= now.plus(MAX_RETRY_AFTER + MAX_JITTER)));
        assert_eq!(decide(&attempt(Some(410), None), 1, now, 0.5), AttemptDecision::Gone);
        assert_eq!(decide(&attempt(Some(204), None), 3, now, 0.5), AttemptDecision::Succeeded);
    }

    #[test]
    fn an_operators_own_schedule_decides_how_often_and_how_soon() {
        let (now, schedule) = (Timestamp::from_millis(0), "100ms,300ms".parse().unwrap());
        for (number, status, pause) in [(1, 500, 100), (2, 500, 300), (1, 504, 300)] {
            let decision = decide_attempt(&attempt(Some(status), None), number, now, &schedule, 0.5);
            let AttemptDecision::RetryAt(at) = decision else { panic!("attempt {number}: {decision:?}") };
            assert!((pause..=pause + pause / 5).contains(&at.millis()), "attempt {number}, {status}: {at}");
        }
        let last = decide_attempt(&attempt(Some(500), None), 3, now, &schedule, 0.5);
        assert_eq!(last, AttemptDecision::Exhausted);
    }

    #[test]
    fn a_message_that_is_refused_for_good_is_dropped_and_one_that_was_taken_is_not() {
        let now = Timestamp::from_millis(0);
        let decide = |status, value: &str| {
            let response_headers = vec![("webhook-delivery".to_owned(), value.to_owned())].into();
            decide_attempt(
                &Attempt { response_headers, ..attempt(Some(status), None) },
                1,
                now,
                &RetrySchedule::default(),
                0.5,
            )
        };
        assert_eq!(decide(400, "abort-message"), AttemptDecision::Aborted);
        assert_eq!(decide(503, "Abort-Message"), AttemptDecision::Aborted);
        assert_eq!(decide(200, "abort-message"), AttemptDecision::Succeeded);
        assert_eq!(decide(410, "abort-message"), AttemptDecision::Gone);
        assert!(matches!(decide(400, "retry"), AttemptDecision::RetryAt(_)));
    }

    #[test]
    fn a_schedule_is_read_with_its_units_and_within_its_bounds() {
        let schedule: RetrySchedule = "10ms, 5s,7m,2h,7d".parse().unwrap();
        let pauses: Vec<u64> = (1..=5).filter_map(|number| schedule.pause_after(number)).map(|p| p.as_secs()).collect();
        assert_eq!(pauses, [0, 5, 420, 7200, 604_800]);
        assert_eq!(schedule.pause_after(6), None);
        for text in ["", "5", "s", "9ms", "8d", "5s,,5s", "99999999999999999999d", "-5s"] {
            assert!(text.parse::<RetrySchedule>().is_err(), "{text:?}");
        }
        assert!("7d,7d,7d,4d".parse::<RetrySchedule>().is_ok());
        assert!("7d,7d,7d,4d,10ms".parse::<RetrySchedule>().is_err());
        assert!(vec!["1s"; 20].join(",").parse::<RetrySchedule>().is_ok());
        assert!(vec!["1s"; 21].join(",").parse::<RetrySchedule>().is_err());
    }

    #[test]
    fn an_overloaded_receiver_gets_a_minute_unless_the_whole_schedule_is_quicker() {
        assert_eq!(RetrySchedule::default().overload_pause(), Duration::from_mins(1));
        let quick: RetrySchedule = "100ms,300ms,200ms".parse().unwrap();
        assert_eq!(quick.overload_pause(), Duration::from_millis(300));
    }
}
