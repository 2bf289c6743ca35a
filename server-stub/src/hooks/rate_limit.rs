//! Limits the hooks per second to each endpoint, with one token bucket per recently used endpoint. The claim limits how many are in
//! flight.

use std::collections::HashMap;
use std::time::Duration;

use tokio::time::Instant;

/// Token buckets by endpoint. Full buckets are dropped, so only endpoints used lately have one.
#[derive(Debug)]
pub(super) struct TokenBuckets {
    /// Tokens per second, and capacity of a bucket.
    rate: f64,
    used: HashMap<String, Bucket>,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    tokens: f64,
    filled_at: Instant,
}

impl TokenBuckets {
    pub(super) fn new(rate: u32) -> Self {
        Self { rate: f64::from(rate), used: HashMap::new() }
    }

    /// Counts one hook sent to the endpoint. More hooks than tokens leave a debt, which is filled up first.
    pub(super) fn take_token(&mut self, endpoint_id: &str, now: Instant) {
        let bucket = self.used.get(endpoint_id).copied().unwrap_or(Bucket { tokens: self.rate, filled_at: now });
        let tokens = self.filled(bucket, now) - 1.0;
        self.used.insert(endpoint_id.to_owned(), Bucket { tokens, filled_at: now });
    }

    /// Returns the endpoints that may get fewer than `usual` hooks now, with their limits.
    pub(super) fn reduced(&mut self, usual: u32, now: Instant) -> HashMap<String, u32> {
        let rate = self.rate;
        let used = std::mem::take(&mut self.used);
        self.used = used.into_iter().filter(|(_, bucket)| self.filled(*bucket, now) < rate).collect();
        let left = |bucket: &Bucket| {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and the rate")]
            let whole = self.filled(*bucket, now).max(0.0) as u32;
            whole
        };
        let left = self.used.iter().map(|(endpoint_id, bucket)| (endpoint_id.clone(), left(bucket)));
        left.filter(|(_, left)| *left < usual).collect()
    }

    /// Returns the time until an endpoint without tokens may get one hook, or `None` if every endpoint has a token.
    pub(super) fn time_until_token(&self, now: Instant) -> Option<Duration> {
        let missing = self.used.values().map(|bucket| 1.0 - self.filled(*bucket, now)).filter(|missing| *missing > 0.0);
        missing.min_by(f64::total_cmp).map(|missing| Duration::from_secs_f64(missing / self.rate))
    }

    fn filled(&self, bucket: Bucket, now: Instant) -> f64 {
        (bucket.tokens + now.duration_since(bucket.filled_at).as_secs_f64() * self.rate).min(self.rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_gets_its_rate_and_no_more_and_is_forgotten_when_it_rests() {
        let mut buckets = TokenBuckets::new(4);
        let start = Instant::now();
        let at = |millis: u64| start + Duration::from_millis(millis);
        assert!(buckets.reduced(5, at(0)).is_empty(), "no hook was sent yet");
        for _ in 0..4 {
            buckets.take_token("busy", at(0));
        }
        buckets.take_token("calm", at(0));
        assert_eq!(buckets.reduced(3, at(0)), HashMap::from([("busy".to_owned(), 0)]));
        assert_eq!(buckets.time_until_token(at(0)), Some(Duration::from_millis(250)));
        assert_eq!(buckets.reduced(3, at(510)), HashMap::from([("busy".to_owned(), 2)]));
        assert_eq!(buckets.time_until_token(at(510)), None);
        assert!(buckets.reduced(3, at(2000)).is_empty() && buckets.used.is_empty(), "{buckets:?}");
    }

    #[test]
    fn a_rate_below_the_number_in_flight_is_kept_too() {
        let mut buckets = TokenBuckets::new(1);
        let start = Instant::now();
        let mut sent = 0;
        for step in 0..1000 {
            let now = start + Duration::from_millis(step * 100);
            let left = buckets.reduced(5, now).get("one").copied().unwrap_or(5);
            for _ in 0..left {
                buckets.take_token("one", now);
                sent += 1;
            }
        }
        assert!((100..=105).contains(&sent), "{sent} in 100 seconds");
    }

    #[test]
    fn over_any_time_no_more_is_sent_than_the_rate_and_one_bucket() {
        let mut buckets = TokenBuckets::new(20);
        let start = Instant::now();
        let mut sent = 0;
        for step in 0..1000 {
            let now = start + Duration::from_millis(step * 10);
            let left = buckets.reduced(5, now).get("one").copied().unwrap_or(5);
            for _ in 0..left {
                buckets.take_token("one", now);
                sent += 1;
            }
        }
        assert!((200..=220).contains(&sent), "{sent} in ten seconds");
    }
}
