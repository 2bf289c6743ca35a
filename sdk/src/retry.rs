//! Whether and when a failed attempt is repeated.

use std::time::Duration;

use reqwest::StatusCode;

use crate::error::Error;
use crate::error_kind::ErrorKind;
use crate::options::RequestOptions;
use crate::random;

/// A request with the same idempotency key is being processed: its answer can be had in a moment.
const IN_FLIGHT: &str = "idempotency_in_flight";

/// The pause after a failed attempt; none where repeating it cannot help, or the server asks for more time than the
/// options allow.
pub(crate) fn pause(error: &Error, attempt: u32, options: &RequestOptions) -> Option<Duration> {
    if !may_pass(error) {
        return None;
    }
    let asked = error.retry_after().unwrap_or_default();
    let own = backoff(attempt, options).mul_f64(0.5 + random::fraction() / 2.0);
    // A server that asks for no time at all is not asked again at once by everybody it has turned away.
    (asked <= options.longest_retry_after).then(|| asked.max(own))
}

/// The pause without jitter: doubled with each attempt, up to the longest.
fn backoff(attempt: u32, options: &RequestOptions) -> Duration {
    let factor = 1_u32.checked_shl(attempt).unwrap_or(u32::MAX);
    options.first_delay.saturating_mul(factor).min(options.longest_delay)
}

/// Whether an error may be gone at the next attempt.
pub(crate) fn may_pass(error: &Error) -> bool {
    match error.kind() {
        ErrorKind::Connect | ErrorKind::Transport | ErrorKind::Timeout => true,
        ErrorKind::Api => error.status().is_some_and(is_passing) || error.code() == Some(IN_FLIGHT),
        _ => false,
    }
}

/// Whether a status says that the same request may succeed later.
fn is_passing(status: StatusCode) -> bool {
    matches!(status.as_u16(), 408 | 429 | 500 | 502 | 503 | 504)
}

#[cfg(test)]
mod tests {
    use super::{Duration, RequestOptions, backoff};

    #[test]
    fn the_pause_doubles_up_to_the_longest() {
        let options = RequestOptions::default().backoff(Duration::from_secs(1), Duration::from_secs(5));
        let pauses: Vec<_> = [0, 1, 2, 3, 40].map(|attempt| backoff(attempt, &options).as_secs()).to_vec();
        assert_eq!(pauses, [1, 2, 4, 5, 5]);
    }
}
