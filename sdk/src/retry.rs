//! Decides whether and when a failed attempt is retried.

use std::time::Duration;

use reqwest::StatusCode;

use crate::error::Error;
use crate::error_kind::ErrorKind;
use crate::options::EffectiveOptions;
use crate::random;
use crate::request_template::{RequestTemplate, WhenRetried};
use crate::retry_safety::RetrySafety;

/// Returns the delay after a failed attempt; `None` if a retry cannot help, or if the server asks for a longer delay than the
/// options allow.
pub(crate) fn pause(error: &Error, attempt: u32, options: &EffectiveOptions) -> Option<Duration> {
    if !error.may_pass() {
        return None;
    }
    let asked = error.retry_after().unwrap_or_default();
    let own = backoff(attempt, options);
    let pause = if asked.is_zero() {
        // A server may ask for no delay. Wait anyway, so that its clients do not all return at once.
        own.mul_f64(0.5 + random::fraction() / 2.0)
    } else {
        // Never earlier than the server asks for, and with jitter so that clients do not return at the same moment.
        asked.saturating_add(own.mul_f64(random::fraction()))
    };
    (asked <= options.max_retry_after).then_some(pause)
}

/// Returns the delay without jitter: doubled with each attempt, up to the longest.
fn backoff(attempt: u32, options: &EffectiveOptions) -> Duration {
    let factor = 1_u32.checked_shl(attempt).unwrap_or(u32::MAX);
    options.first_delay.saturating_mul(factor).min(options.longest_delay)
}

/// Returns the effect of sending a failed request again. `had_effect` is true if an attempt may have had one.
pub(crate) fn safety(error: &Error, template: &RequestTemplate<'_>, had_effect: bool) -> RetrySafety {
    let keeps_key = || template.server_keeps_keys() || (error.is_in_flight() && !error.inner.was_redirected);
    match template.when_retried {
        WhenRetried::SameEffect => RetrySafety::Safe,
        _ if !had_effect => RetrySafety::Safe,
        WhenRetried::SameEffectByKey if keeps_key() => RetrySafety::SafeWithSameKey,
        WhenRetried::SameEffectByKey | WhenRetried::AnotherEffect => RetrySafety::MayDuplicate,
    }
}

/// Returns false if a failed request cannot have had any effect. After most failures, the response may have been lost or replaced on the
/// way: a load balancer may answer 504 although the server behind it has processed the request. If a request with the same key is in
/// flight, that one may have an effect.
///
/// If redirects are followed, neither a failed connection nor a refusal after a redirect proves anything: the redirecting server may have
/// processed the request.
pub(crate) fn may_have_had_effect(error: &Error, template: &RequestTemplate<'_>) -> bool {
    let is_refused = error.status() == Some(StatusCode::TOO_MANY_REQUESTS);
    let had_none = (error.kind() == ErrorKind::Connect && !template.may_be_redirected())
        || (is_refused && !error.inner.was_redirected);
    !had_none
}

#[cfg(test)]
mod tests {
    use super::{Duration, EffectiveOptions, backoff};

    #[test]
    fn the_pause_doubles_up_to_the_longest() {
        let (first_delay, longest_delay) = (Duration::from_secs(1), Duration::from_secs(5));
        let options = EffectiveOptions { first_delay, longest_delay, ..EffectiveOptions::default() };
        let pauses: Vec<_> = [0, 1, 2, 3, 40].map(|attempt| backoff(attempt, &options).as_secs()).to_vec();
        assert_eq!(pauses, [1, 2, 4, 5, 5]);
    }
}
