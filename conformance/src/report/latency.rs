//! Response times as the reports show them.
//!
//! `runner` measures them; `plot` draws them.

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
