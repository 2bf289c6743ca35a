//! Response times as the reports show them, and their plot: one small SVG for each operation, all on one logarithmic axis.
//!
//! `runner` measures them. The page's style sheet defines the colours, so that the plot is readable in light and dark mode.

use std::fmt::Write as _;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use crate::runner::OperationLatency;

/// Response times of one operation; long polls are excluded.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LatencyReport {
    /// The `operationId`, or `other paths`.
    pub operation: String,
    /// Number of measured responses.
    pub count: u64,
    /// True if any response came from the operation itself. If every one was 401, 403, 404, 405, 429 or 501, the target
    /// may not have the operation, and the times mean nothing.
    pub is_offered: bool,
    /// Half of the responses arrived within this many milliseconds.
    pub p50_ms: f64,
    /// 95 of 100 responses arrived within this many milliseconds.
    pub p95_ms: f64,
    /// The slowest response, in milliseconds.
    pub max_ms: f64,
    /// Distribution of the times: logarithmic bins, without empty ones.
    pub distribution: Vec<LatencyBin>,
}

/// Responses of about the same time.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct LatencyBin {
    /// Upper end, in milliseconds.
    pub up_to_ms: f64,
    /// Number of responses.
    pub count: u64,
}

impl From<&OperationLatency> for LatencyReport {
    fn from(measured: &OperationLatency) -> Self {
        let bin = |(end, count): &(Duration, u64)| LatencyBin { up_to_ms: milliseconds(*end), count: *count };
        Self {
            operation: measured.operation.clone(),
            count: measured.count,
            is_offered: measured.is_offered,
            p50_ms: milliseconds(measured.p50),
            p95_ms: milliseconds(measured.p95),
            max_ms: milliseconds(measured.max),
            distribution: measured.distribution.iter().map(bin).collect(),
        }
    }
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

/// Width and height of one strip in its own units.
const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 34.0;
/// Number of bins for each power of ten, as in the runner.
const BINS_PER_DECADE: f64 = 8.0;

/// A logarithmic axis in milliseconds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    first_decade: f64,
    decades: f64,
}

impl Axis {
    /// Returns the axis over the whole powers of ten that contain every response time.
    pub(super) fn over(rows: &[&LatencyReport]) -> Self {
        let bins = || rows.iter().flat_map(|row| row.distribution.iter().map(|bin| bin.up_to_ms));
        let first = (bins().fold(f64::INFINITY, f64::min).max(0.001).log10() - 1.0 / BINS_PER_DECADE).floor();
        let last = bins().fold(0.001, f64::max).log10().ceil();
        let first = if first.is_finite() { first.min(last - 1.0) } else { last - 1.0 };
        Self { first_decade: first, decades: last - first }
    }

    fn x(self, milliseconds: f64) -> f64 {
        let decade = milliseconds.max(0.001).log10() - self.first_decade;
        (decade / self.decades * WIDTH).clamp(0.0, WIDTH)
    }

    fn ticks(self) -> impl Iterator<Item = f64> {
        let count = self.decades.round();
        std::iter::successors(Some(0.0), move |tick| (*tick < count).then_some(tick + 1.0))
            .map(move |tick| 10_f64.powf(self.first_decade + tick))
    }

    /// Renders the axis with the time at each power of ten.
    pub(super) fn render(self) -> String {
        let mut svg = open(16.0);
        for milliseconds in self.ticks() {
            let x = self.x(milliseconds);
            let anchor = if x < 1.0 {
                "start"
            } else if x > WIDTH - 1.0 {
                "end"
            } else {
                "middle"
            };
            let label = duration(milliseconds);
            write(
                &mut svg,
                format_args!("<text class=\"tick\" x=\"{x:.1}\" y=\"12\" text-anchor=\"{anchor}\">{label}</text>"),
            );
        }
        svg + "</svg>"
    }

    /// Renders the distribution of one operation with its median and 95th percentile.
    pub(super) fn strip(self, row: &LatencyReport) -> String {
        let mut svg = open(HEIGHT);
        for milliseconds in self.ticks() {
            let x = self.x(milliseconds);
            write(
                &mut svg,
                format_args!("<line class=\"grid\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"0\" y2=\"{HEIGHT}\"/>"),
            );
        }
        let most = row.distribution.iter().map(|bin| bin.count).max().unwrap_or(1).max(1);
        let width = WIDTH / self.decades / BINS_PER_DECADE;
        for bin in &row.distribution {
            // Square roots keep single slow responses visible beside thousands of fast ones.
            let height = (share(bin.count, most).sqrt() * (HEIGHT - 4.0)).max(1.5);
            let (x, y) = ((self.x(bin.up_to_ms) - width).max(0.0), HEIGHT - height);
            let bar = (width - 1.0).max(1.0);
            write(
                &mut svg,
                format_args!(
                    "<rect class=\"bar\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{bar:.1}\" height=\"{height:.1}\" rx=\"1\"/>"
                ),
            );
        }
        for (class, milliseconds) in [("p50", row.p50_ms), ("p95", row.p95_ms)] {
            let x = self.x(milliseconds);
            write(
                &mut svg,
                format_args!("<line class=\"{class}\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"0\" y2=\"{HEIGHT}\"/>"),
            );
        }
        svg + "</svg>"
    }
}

/// Returns a time in the most readable unit.
pub(super) fn duration(milliseconds: f64) -> String {
    if milliseconds >= 999.5 {
        format!("{} s", trimmed(milliseconds / 1000.0))
    } else if milliseconds >= 0.995 {
        format!("{} ms", trimmed(milliseconds))
    } else {
        format!("{} µs", trimmed(milliseconds * 1000.0))
    }
}

/// Returns a number with two or three significant digits.
fn trimmed(value: f64) -> String {
    let text = if value < 9.95 { format!("{value:.1}") } else { format!("{value:.0}") };
    text.strip_suffix(".0").map_or_else(|| text.clone(), ToOwned::to_owned)
}

#[expect(clippy::cast_precision_loss, reason = "a plot does not show counts beyond 2^52")]
fn share(count: u64, most: u64) -> f64 {
    count as f64 / most as f64
}

fn open(height: f64) -> String {
    format!("<svg viewBox=\"0 0 {WIDTH} {height}\" aria-hidden=\"true\" focusable=\"false\">")
}

fn write(svg: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a `String` never fails.
    let _ = svg.write_fmt(arguments);
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn times_are_written_in_the_unit_that_reads_best() {
        for (milliseconds, text) in
            [(0.1, "100 µs"), (0.9999, "1 ms"), (1.25, "1.2 ms"), (10.0, "10 ms"), (999.9, "1 s"), (15_000.0, "15 s")]
        {
            assert_eq!(duration(milliseconds), text);
        }
    }
}
