//! Counts the requests that are charged to one quota.
//!
//! Never counts more responses in one window than the quota allows. This suits targets with fixed windows, sliding
//! windows and token buckets.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

/// Largest quota that is counted: no run exceeds a larger one within its window.
pub(super) const MAX_COUNTED: u64 = 10_000;
/// Longest window that the suite waits for. A request that would wait longer gets a 429.
pub(super) const MAX_WINDOW: Duration = Duration::from_secs(65);
/// Delay after the end of a window before a request is sent: responses take time and clocks differ.
const MARGIN: Duration = Duration::from_millis(50);

/// The requests that are charged to one quota.
#[derive(Debug)]
pub(super) struct Count {
    pub(super) requests: u64,
    pub(super) window: Duration,
    /// True if the target announces its size.
    pub(super) is_announced: bool,
    /// Number of requests without a response yet.
    pub(super) unanswered: u64,
    /// Times of the responses in the last window.
    answered: VecDeque<Instant>,
    /// Time until which the target refuses all requests.
    closed_until: Option<Instant>,
}

impl Count {
    pub(super) fn new(requests: u64, window: Duration) -> Self {
        let (is_announced, answered) = (true, VecDeque::new());
        Self { requests, window, is_announced, unanswered: 0, answered, closed_until: None }
    }

    /// Returns a quota of unknown size, known only by the refusals of the target.
    pub(super) fn unannounced() -> Self {
        Self { is_announced: false, ..Self::new(u64::MAX, MAX_WINDOW) }
    }

    /// Learns from a 429. An unannounced quota cannot be larger than the number of responses in the last window.
    pub(super) fn was_spent(&mut self, now: Instant, closed_for: Duration) {
        self.closed_until = Some(now + closed_for);
        if self.is_announced {
            return;
        }
        let longest = if self.requests == u64::MAX { Duration::ZERO } else { self.window };
        self.window = longest.max(closed_for).clamp(Duration::from_secs(1), MAX_WINDOW);
        let in_window = self.answered.iter().filter(|answered| **answered + self.window > now).count();
        self.requests = u64::try_from(in_window).unwrap_or(u64::MAX).max(1);
    }

    pub(super) fn add_answered(&mut self, now: Instant) {
        self.answered.push_back(now);
        if !self.is_announced && self.answered.len() as u64 >= self.requests {
            // The quota may be larger: another client may have used a part of it.
            self.requests = self.requests.saturating_add(1);
        }
        // Unforeseen requests must not make the list longer than the quota.
        while self.answered.len() as u64 > self.requests.min(MAX_COUNTED) {
            self.answered.pop_front();
        }
    }

    /// Returns the time at which at most a quarter will be used, or `None` if that is already true.
    pub(super) fn roomy_at(&mut self, now: Instant) -> Option<Instant> {
        let full_until = self.full_until(now);
        let most = usize::try_from(self.requests / 4).unwrap_or(usize::MAX);
        let too_many = self.answered.len().checked_sub(most.saturating_add(1)).filter(|_| self.window <= MAX_WINDOW);
        let enough_gone = too_many.and_then(|too_many| self.answered.get(too_many));
        full_until.max(enough_gone.map(|answered| *answered + self.window + MARGIN))
    }

    /// Returns the time until which there is no room for a request.
    pub(super) fn full_until(&mut self, now: Instant) -> Option<Instant> {
        while self.answered.front().is_some_and(|answered| *answered + self.window + MARGIN <= now) {
            self.answered.pop_front();
        }
        if let Some(closed_until) = self.closed_until.filter(|closed_until| *closed_until > now) {
            return Some(closed_until);
        }
        if self.window > MAX_WINDOW || self.unanswered.saturating_add(self.answered.len() as u64) < self.requests {
            return None;
        }
        // If all of it is in flight, one request ends soon and wakes the waiting ones.
        Some(self.answered.front().map_or(now + self.window, |answered| *answered + self.window + MARGIN))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Algorithms by which a target may count; all of them match the announced `RateLimit-Policy`.
    #[derive(Debug, Clone, Copy)]
    enum Counting {
        Fixed { phase: u64 },
        Sliding,
        Bucket,
    }

    /// Returns true if a target with this algorithm accepts every request that arrived at these milliseconds.
    fn takes_all(counting: Counting, requests: u64, window: u64, arrivals: &[u64]) -> bool {
        let allowed = usize::try_from(requests).unwrap();
        match counting {
            Counting::Fixed { phase } => {
                let in_window = |at: &u64| (at + phase) / window;
                arrivals.chunk_by(|one, next| in_window(one) == in_window(next)).all(|chunk| chunk.len() <= allowed)
            }
            Counting::Sliding => arrivals.windows(allowed + 1).all(|some| some[allowed] - some[0] >= window),
            Counting::Bucket => {
                // Content of the bucket in fractions of a request: a window's milliseconds make one request.
                let (mut left, mut last) = (requests * window, 0);
                arrivals.iter().all(|at| {
                    left = (left + (at - last) * requests).min(requests * window);
                    last = *at;
                    left >= window && {
                        left -= window;
                        true
                    }
                })
            }
        }
    }

    fn counting() -> impl Strategy<Value = Counting> {
        prop_oneof![
            (0_u64..10_000).prop_map(|phase| Counting::Fixed { phase }),
            Just(Counting::Sliding),
            Just(Counting::Bucket)
        ]
    }

    proptest! {
        /// A client that sends as many requests as there is room for, and as soon as there is room, is never refused.
        #[test]
        fn what_is_sent_when_there_is_room_is_taken(
            counting in counting(),
            requests in 1_u64..8,
            window in 500_u64..5_000,
            // Travel time of each request and of its response.
            ways in prop::collection::vec((0_u64..400, 0_u64..400), 1..60),
        ) {
            let begin = Instant::now();
            let at = |millis| begin + Duration::from_millis(millis);
            let mut count = Count::new(requests, Duration::from_millis(window));
            let (mut now, mut on_their_way, mut arrivals) = (0, Vec::new(), Vec::new());
            for (there, back) in ways {
                // Advance the time and receive responses until there is room.
                loop {
                    on_their_way.retain(|answered: &u64| {
                        if *answered <= now {
                            count.unanswered -= 1;
                            count.add_answered(at(*answered));
                        }
                        *answered > now
                    });
                    match count.full_until(at(now)) {
                        None => break,
                        Some(_) => now += 1,
                    }
                }
                count.unanswered += 1;
                arrivals.push(now + there);
                on_their_way.push(now + there + back);
            }
            arrivals.sort_unstable();
            prop_assert!(takes_all(counting, requests, window, &arrivals), "{arrivals:?}");
        }
    }

    #[test]
    fn what_is_not_announced_is_learned_from_the_first_refusal() {
        let (begin, second) = (Instant::now(), Duration::from_secs(1));
        let mut count = Count::unannounced();
        for _ in 0..10 {
            assert_eq!(count.full_until(begin), None);
            count.add_answered(begin);
        }
        count.was_spent(begin + second, second * 40);
        assert_eq!(count.full_until(begin + second), Some(begin + second * 41));
        let reopened = begin + second * 42;
        for _ in 0..10 {
            assert_eq!(count.full_until(reopened), None);
            count.unanswered += 1;
        }
        assert!(count.full_until(reopened).is_some(), "not all at once");
        count.unanswered -= 10;
        (0..10).for_each(|_| count.add_answered(reopened));
        assert_eq!(count.full_until(reopened), None, "one more is tried");
    }

    #[test]
    fn a_window_that_nobody_waits_for_holds_nothing_up() {
        let mut count = Count::new(1, Duration::from_hours(1));
        count.add_answered(Instant::now());
        assert_eq!(count.full_until(Instant::now()), None);
    }
}
