//! Decides whether and when a failed attempt is retried, and limits the retries of all calls together.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use reqwest::StatusCode;

use crate::call::{PreparedCall, WhenRetried};
use crate::error::Error;
use crate::error_kind::ErrorKind;
use crate::options::EffectiveOptions;
use crate::random;
use crate::retry_safety::RetrySafety;

/// Number of tokens that a retry takes from the budget. A call that succeeds at once puts one back.
const COST: u32 = 5;

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
pub(crate) fn safety(error: &Error, call: &PreparedCall, had_effect: bool) -> RetrySafety {
    let keeps_key = || call.server_keeps_keys() || (error.is_in_flight() && !error.inner.was_redirected);
    match call.when_retried {
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
pub(crate) fn may_have_had_effect(error: &Error, call: &PreparedCall) -> bool {
    let is_refused = error.status() == Some(StatusCode::TOO_MANY_REQUESTS);
    let had_none = (error.kind() == ErrorKind::Connect && !call.may_be_redirected())
        || (is_refused && !error.inner.was_redirected);
    !had_none
}

/// Retry budget that all calls of a client share: a token bucket, as in the SDKs of AWS. A server that is down then receives about one
/// request per call instead of four.
#[derive(Debug)]
pub(crate) struct RetryBudget {
    tokens: AtomicU32,
    capacity: u32,
}

impl RetryBudget {
    /// Makes a full bucket for this many retries. `u32::MAX` means no limit.
    pub(crate) fn new(retries: u32) -> Self {
        let capacity = retries.saturating_mul(COST);
        Self { tokens: AtomicU32::new(capacity), capacity }
    }

    /// Returns a full bucket of the same size.
    pub(crate) fn refilled(&self) -> Self {
        Self { tokens: AtomicU32::new(self.capacity), capacity: self.capacity }
    }

    /// Takes the tokens of a retry, if there are enough.
    pub(crate) fn take(&self) -> bool {
        if self.capacity == u32::MAX {
            return true;
        }
        let taken = self.tokens.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |tokens| tokens.checked_sub(COST));
        taken.is_ok()
    }

    /// Puts back the tokens that a successful call has taken, or one token if it was not retried.
    pub(crate) fn put_back(&self, retries: u32) {
        // Most calls find a full bucket. They only read it, so other processors keep their cached copy.
        if self.tokens.load(Ordering::Relaxed) < self.capacity {
            let earned = retries.saturating_mul(COST).max(1);
            let filled = |tokens: u32| Some(tokens.saturating_add(earned).min(self.capacity));
            // Always succeeds, since the closure always returns a number.
            let _before = self.tokens.fetch_update(Ordering::Relaxed, Ordering::Relaxed, filled);
        }
    }
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
