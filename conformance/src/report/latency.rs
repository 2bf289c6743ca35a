//! How long answers took, as the reports show it.
//!
//! Measuring is `runner`'s; drawing is `plot`'s.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use crate::runner::OperationLatency;

/// How long the answers of one operation took; long polls are not counted.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LatencyReport {
    /// The `operationId`, or `other paths`.
    pub operation: String,
    /// Answers that were measured.
    pub count: u64,
    /// Whether any answer came from the operation itself. When every one was 401, 403, 404, 405, 429 or 501, the target
    /// may not have it, and the times say nothing.
    pub is_offered: bool,
    /// Half of the answers came within this many milliseconds.
    pub p50_ms: f64,
    /// 95 of 100 answers came within this many milliseconds.
    pub p95_ms: f64,
    /// The slowest answer, in milliseconds.
    pub max_ms: f64,
    /// How the times are distributed: logarithmic bins, empty ones left out.
    pub distribution: Vec<LatencyBin>,
}

/// Answers of about the same time.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct LatencyBin {
    /// Upper end, in milliseconds.
    pub up_to_ms: f64,
    /// How many answers.
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
