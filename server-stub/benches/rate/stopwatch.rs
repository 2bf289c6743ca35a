//! Rate and processor time of a stretch of work.

use std::time::Instant;

use anyhow::Context as _;

/// Rate and processor time of a stretch of work.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rate {
    /// Pieces of work a second.
    pub(crate) per_second: f64,
    /// Processor time of this process in microseconds, for each piece of work. Other programs do not affect it.
    pub(crate) cpu_micros: f64,
}

/// Measures from its start.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    began: Instant,
    cpu_before: f64,
}

impl Stopwatch {
    /// Starts the stopwatch.
    pub(crate) fn start() -> anyhow::Result<Self> {
        Ok(Self { began: Instant::now(), cpu_before: cpu_seconds()? })
    }

    /// Returns the rate of `count` pieces of work since the start.
    pub(crate) fn stop(self, count: u64) -> anyhow::Result<Rate> {
        let (took, cpu) = (self.began.elapsed(), cpu_seconds()? - self.cpu_before);
        #[expect(clippy::cast_precision_loss, reason = "counts of a few seconds are far below 2^52")]
        let count = count as f64;
        Ok(Rate { per_second: count / took.as_secs_f64(), cpu_micros: cpu * 1e6 / count })
    }
}

/// Returns the user and system processor time of this process in seconds. Reads fields 14 and 15 of `/proc/self/stat` (proc(5)), in ticks,
/// of which Linux has 100 a second.
fn cpu_seconds() -> anyhow::Result<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").context("this bench reads /proc, which Linux has")?;
    let (_, fields) = stat.rsplit_once(')').context("an unknown form of /proc/self/stat")?;
    let ticks: Vec<f64> = fields.split_whitespace().skip(11).take(2).filter_map(|field| field.parse().ok()).collect();
    Ok(ticks.iter().sum::<f64>() / 100.0)
}
