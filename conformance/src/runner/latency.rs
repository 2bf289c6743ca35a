//! Measures response times by operation, in memory that does not grow with the run.
//!
//! No requirement depends on these times: a loaded machine must not fail a target.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use hdrhistogram::Histogram;

use crate::check::Exchange;

/// Two significant digits of microseconds, up to two minutes: a few kilobytes for each operation.
const DIGITS: u8 = 2;
const LONGEST_MICROSECONDS: u64 = 120_000_000;
/// Number of bins of the distribution for each power of ten.
const BINS_PER_DECADE: i32 = 8;

/// Measured response times of one operation.
#[derive(Debug, Clone)]
pub struct OperationLatency {
    /// The `operationId`, or `other paths` for requests that belong to none.
    pub operation: String,
    /// Number of measured responses; long polls are excluded.
    pub count: u64,
    /// True if any response came from the operation itself. A target returns 401, 403, 404, 405, 429 and 501 without having the operation.
    pub is_offered: bool,
    /// Half of the responses arrived within this time.
    pub p50: Duration,
    /// 95 of 100 responses arrived within this time.
    pub p95: Duration,
    /// The slowest response.
    pub max: Duration,
    /// Upper ends of logarithmic bins, 8 for each power of ten, with the number of responses in each. Empty bins are omitted.
    pub distribution: Vec<(Duration, u64)>,
}

/// Statuses that a target returns without having the operation.
const SAYS_NOTHING: [u16; 6] = [401, 403, 404, 405, 429, 501];

/// Collects the times of all exchanges.
#[derive(Debug, Default)]
pub(crate) struct Latency {
    by_operation: Mutex<BTreeMap<&'static str, Measured>>,
}

#[derive(Debug)]
struct Measured {
    times: Histogram<u64>,
    is_offered: bool,
}

impl Latency {
    /// Records one exchange. Ignores long polls, which wait on purpose.
    pub(crate) fn record(&self, exchange: &Exchange) {
        let operation = exchange.request.operation.unwrap_or("other paths");
        let microseconds = u64::try_from(exchange.elapsed.as_micros()).unwrap_or(u64::MAX);
        let mut by_operation = self.by_operation.lock().unwrap_or_else(PoisonError::into_inner);
        let measured = by_operation.entry(operation).or_insert_with(|| Measured {
            times: Histogram::new_with_bounds(1, LONGEST_MICROSECONDS, DIGITS).expect("the bounds are in order"),
            is_offered: false,
        });
        if exchange.request.patience.is_zero() {
            measured.times.saturating_record(microseconds.max(1));
        }
        measured.is_offered |= exchange.request.operation.is_none() || !SAYS_NOTHING.contains(&exchange.status);
    }

    /// Returns the measured times so far, in the order of operations.
    pub(crate) fn summary(&self) -> Vec<OperationLatency> {
        let by_operation = self.by_operation.lock().unwrap_or_else(PoisonError::into_inner);
        let measured = by_operation.iter().filter(|(_, measured)| !measured.times.is_empty());
        measured.map(|(operation, measured)| summarise(operation, &measured.times, measured.is_offered)).collect()
    }
}

fn summarise(operation: &str, histogram: &Histogram<u64>, is_offered: bool) -> OperationLatency {
    let mut bins: BTreeMap<u64, u64> = BTreeMap::new();
    for value in histogram.iter_recorded() {
        *bins.entry(bin_end(value.value_iterated_to())).or_default() += value.count_at_value();
    }
    OperationLatency {
        operation: operation.to_owned(),
        count: histogram.len(),
        is_offered,
        p50: Duration::from_micros(histogram.value_at_quantile(0.50)),
        p95: Duration::from_micros(histogram.value_at_quantile(0.95)),
        max: Duration::from_micros(histogram.max()),
        distribution: bins.into_iter().map(|(end, count)| (Duration::from_micros(end), count)).collect(),
    }
}

/// Returns the upper end of the bin that contains `microseconds`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "times up to two minutes are exact enough, and the end of a bin is positive"
)]
fn bin_end(microseconds: u64) -> u64 {
    let per_decade = f64::from(BINS_PER_DECADE);
    let bin = ((microseconds.max(1) as f64).log10() * per_decade).ceil();
    10_f64.powf(bin / per_decade).round() as u64
}

#[cfg(test)]
mod tests {
    use super::{Histogram, bin_end, summarise};

    #[test]
    fn bins_hold_every_answer_and_percentiles_their_share() {
        let mut histogram = Histogram::new_with_bounds(1, 1_000_000, 2).expect("the bounds are in order");
        for microseconds in 1..=1_000_u64 {
            histogram.record(microseconds * 10).expect("the value is within bounds");
        }
        let summary = summarise("get_job", &histogram, true);
        assert_eq!(summary.distribution.iter().map(|(_, count)| count).sum::<u64>(), 1_000);
        let p50 = summary.p50.as_micros();
        assert!((4_900..5_100).contains(&p50), "{p50}");
        let p95 = summary.p95.as_micros();
        assert!((9_400..9_700).contains(&p95), "{p95}");
    }

    #[test]
    fn a_value_is_never_above_the_end_of_its_bin() {
        for microseconds in [1, 2, 9, 10, 11, 99, 100, 1_000, 5_623, 5_624, 119_000_000] {
            // The end is rounded to whole microseconds.
            assert!(bin_end(microseconds) + 1 > microseconds, "{microseconds}");
        }
        assert_eq!(bin_end(1_000), 1_000);
    }
}
