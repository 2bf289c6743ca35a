//! Delivery times of webhooks over a whole run.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

/// Times from sending a lead form to the arrival of its first webhook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HookLatency {
    /// Number of measured webhooks.
    pub count: usize,
    /// Median in milliseconds.
    pub p50_ms: u64,
    /// 95th percentile in milliseconds.
    pub p95_ms: u64,
}

impl HookLatency {
    /// Summarises the times. Returns `None` for an empty list.
    pub fn of(mut times: Vec<Duration>) -> Option<Self> {
        times.sort_unstable();
        let at = |percent: usize| -> Option<u64> {
            // Nearest rank: the smallest value that is at least as large as so many percent of the values.
            let rank = (times.len() * percent).div_ceil(100).max(1);
            times.get(rank - 1).map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
        };
        Some(Self { count: times.len(), p50_ms: at(50)?, p95_ms: at(95)? })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::HookLatency;

    #[test]
    fn percentiles_are_by_nearest_rank() {
        assert_eq!(HookLatency::of(Vec::new()), None);
        let times = (1..=20).rev().map(Duration::from_millis).collect();
        assert_eq!(HookLatency::of(times), Some(HookLatency { count: 20, p50_ms: 10, p95_ms: 19 }));
        let one = HookLatency::of(vec![Duration::from_millis(7)]);
        assert_eq!(one, Some(HookLatency { count: 1, p50_ms: 7, p95_ms: 7 }));
    }
}
