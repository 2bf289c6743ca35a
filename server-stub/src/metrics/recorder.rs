//! The counts and durations of one server. Each server has separate counts, so two in one process do not add up. No label
//! contains an id, an address or a user's text.

use std::fmt;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric as _};
use prometheus_client::metrics::counter::{ConstCounter, Counter};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use tracing_appender::non_blocking::ErrorCounter;

use super::outcome::{HookOutcome, JobOutcome, QuotaLeaseOutcome};
use crate::domain::language_model::ModelUsage;
use crate::domain::retention::RecordKind;
use crate::domain::store::Purged;

/// Histogram bounds for responses, seconds; a long poll takes up to 60.
const RESPONSE_BUCKETS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0, 60.0];
/// Histogram bounds for hook attempts, seconds; the longest time limit is 30.
const ATTEMPT_BUCKETS: [f64; 9] = [0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 15.0, 30.0];
/// Histogram bounds for writing an article, seconds.
const WRITING_BUCKETS: [f64; 10] = [0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 180.0, 600.0];

type Labels<const N: usize> = [(&'static str, &'static str); N];
type Durations = Family<Labels<1>, Histogram, fn() -> Histogram>;

/// Counts and durations of one server.
pub struct Metrics {
    registry: Registry,
    requests: Family<Labels<3>, Counter>,
    request_durations: Durations,
    connections_refused: Counter,
    hook_attempts: Family<Labels<1>, Counter>,
    hook_attempt_durations: Durations,
    jobs_finished: Family<Labels<1>, Counter>,
    generation_durations: Histogram,
    articles_published: Counter,
    records_purged: Family<Labels<1>, Counter>,
    purge_lag: Gauge,
    quota_leases: Family<Labels<1>, Counter>,
    model_requests: Family<Labels<1>, Counter>,
    model_tokens: Family<Labels<1>, Counter>,
    model_cost: Counter<f64, AtomicU64>,
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new(None)
    }
}

impl Metrics {
    /// Returns metrics that are all 0. `dropped_log_lines` counts the dropped lines of the whole process.
    pub fn new(dropped_log_lines: Option<ErrorCounter>) -> Self {
        let metrics = Self {
            registry: Registry::with_prefix("contentgen"),
            requests: Family::default(),
            request_durations: Family::new_with_constructor(|| Histogram::new(RESPONSE_BUCKETS)),
            connections_refused: Counter::default(),
            hook_attempts: Family::default(),
            hook_attempt_durations: Family::new_with_constructor(|| Histogram::new(ATTEMPT_BUCKETS)),
            jobs_finished: Family::default(),
            generation_durations: Histogram::new(WRITING_BUCKETS),
            articles_published: Counter::default(),
            records_purged: Family::default(),
            purge_lag: Gauge::default(),
            quota_leases: Family::default(),
            model_requests: Family::default(),
            model_tokens: Family::default(),
            model_cost: Counter::default(),
        };
        // Register every label at 0: no rate can be computed over an absent series.
        for outcome in HookOutcome::ALL {
            drop(metrics.hook_attempts.get_or_create(&[("outcome", outcome.as_str())]));
        }
        for outcome in JobOutcome::ALL {
            drop(metrics.jobs_finished.get_or_create(&[("outcome", outcome.as_str())]));
        }
        for kind in RecordKind::ALL {
            drop(metrics.records_purged.get_or_create(&[("kind", kind.as_str())]));
        }
        for outcome in QuotaLeaseOutcome::ALL {
            drop(metrics.quota_leases.get_or_create(&[("outcome", outcome.as_str())]));
        }
        for outcome in ["answered", "failed"] {
            drop(metrics.model_requests.get_or_create(&[("outcome", outcome)]));
        }
        for direction in ["input", "output"] {
            drop(metrics.model_tokens.get_or_create(&[("direction", direction)]));
        }
        metrics.registered(dropped_log_lines)
    }

    fn registered(mut self, dropped_log_lines: Option<ErrorCounter>) -> Self {
        let registry = &mut self.registry;
        registry.register("http_requests", "Requests that were handled", self.requests.clone());
        let help = "Time from a request's headers to its response's headers";
        registry.register_with_unit("http_request_duration", help, Unit::Seconds, self.request_durations.clone());
        let help = "Connections that were closed because their client had too many";
        registry.register("connections_refused", help, self.connections_refused.clone());
        registry.register("hook_attempts", "Attempts to deliver a hook", self.hook_attempts.clone());
        let help = "Time of an attempt to deliver a hook, from resolving to the end of the response";
        registry.register_with_unit("hook_attempt_duration", help, Unit::Seconds, self.hook_attempt_durations.clone());
        registry.register("jobs_finished", "Jobs that ended, seen by this process", self.jobs_finished.clone());
        let help = "Time of writing an article, failures aside";
        registry.register_with_unit("generation_duration", help, Unit::Seconds, self.generation_durations.clone());
        registry.register("articles_published", "Articles that were published", self.articles_published.clone());
        let help = "Records that this process deleted because their time was over";
        registry.register("records_purged", help, self.records_purged.clone());
        let help = "How far the time by which records expire is behind the clock";
        registry.register_with_unit("purge_lag", help, Unit::Seconds, self.purge_lag.clone());
        let help = "How often this process asked the database for requests of a quota";
        registry.register("quota_leases", help, self.quota_leases.clone());
        let help = "Requests to the language model that writes; failed: they gave no draft";
        registry.register("model_requests", help, self.model_requests.clone());
        let help = "Tokens that the language model read and wrote";
        registry.register("model_tokens", help, self.model_tokens.clone());
        let help = "What the language model cost, as far as prices are known";
        registry.register("model_cost_dollars", help, self.model_cost.clone());
        let build = Family::<Labels<1>, Gauge>::default();
        build.get_or_create(&[("version", env!("CARGO_PKG_VERSION"))]).set(1);
        registry.register("build_info", "The version that runs; always 1", build);
        registry.register_collector(Box::new(DroppedLogLines(dropped_log_lines)));
        self
    }

    /// Counts a handled request. All unusual methods have one label.
    pub fn request_handled(&self, operation: &'static str, method: &http::Method, status: u16, elapsed: Duration) {
        let labels = [("operation", operation), ("method", method_label(method)), ("status", status_class(status))];
        self.requests.get_or_create(&labels).inc();
        self.request_durations.get_or_create(&[("operation", operation)]).observe(elapsed.as_secs_f64());
    }

    /// Counts a connection that was closed because its client had too many.
    pub fn connection_refused(&self) {
        self.connections_refused.inc();
    }

    /// Counts an attempt to deliver a hook.
    pub fn hook_attempted(&self, outcome: HookOutcome, elapsed: Duration) {
        let labels = [("outcome", outcome.as_str())];
        self.hook_attempts.get_or_create(&labels).inc();
        self.hook_attempt_durations.get_or_create(&labels).observe(elapsed.as_secs_f64());
    }

    /// Counts a job that ended.
    pub fn job_finished(&self, outcome: JobOutcome) {
        self.jobs_finished.get_or_create(&[("outcome", outcome.as_str())]).inc();
    }

    /// Records the time of writing an article.
    pub fn article_written(&self, elapsed: Duration) {
        self.generation_durations.observe(elapsed.as_secs_f64());
    }

    /// Counts a published article.
    pub fn article_published(&self) {
        self.articles_published.inc();
    }

    /// Counts records that were deleted after their retention.
    pub fn records_purged(&self, purged: &Purged) {
        for kind in RecordKind::ALL {
            self.records_purged.get_or_create(&[("kind", kind.as_str())]).inc_by(purged.count(kind));
        }
    }

    /// Records how far the purge time is behind the clock.
    pub fn purge_lag(&self, lag: Duration) {
        self.purge_lag.set(i64::try_from(lag.as_secs()).unwrap_or(i64::MAX));
    }

    /// Counts a request to the database for a lease of a quota.
    pub fn quota_leased(&self, outcome: QuotaLeaseOutcome) {
        self.quota_leases.get_or_create(&[("outcome", outcome.as_str())]).inc();
    }

    /// Adds the usage of a language model.
    pub fn model_used(&self, usage: &ModelUsage) {
        let answered = usage.requests.saturating_sub(usage.failed_requests);
        for (outcome, count) in [("answered", answered), ("failed", usage.failed_requests)] {
            self.model_requests.get_or_create(&[("outcome", outcome)]).inc_by(count.into());
        }
        for (direction, tokens) in [("input", usage.input_tokens), ("output", usage.output_tokens)] {
            self.model_tokens.get_or_create(&[("direction", direction)]).inc_by(tokens);
        }
        self.model_cost.inc_by(usage.cost_dollars());
    }

    /// Returns the registry of all these metrics.
    pub(super) const fn registry(&self) -> &Registry {
        &self.registry
    }
}

/// Reads the number of dropped lines from the log writer.
#[derive(Debug)]
struct DroppedLogLines(Option<ErrorCounter>);

impl Collector for DroppedLogLines {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let lines = self.0.as_ref().map_or(0, ErrorCounter::dropped_lines) as u64;
        let counter = ConstCounter::new(lines);
        let help = "Log lines that were dropped because they were not written fast enough";
        counter.encode(encoder.encode_descriptor("log_lines_dropped", help, None, counter.metric_type())?)
    }
}

/// Returns the label of a method. A client may send any word, so unknown methods are `other`.
fn method_label(method: &http::Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    }
}

const fn status_class(status: u16) -> &'static str {
    match status / 100 {
        1 => "1xx",
        2 => "2xx",
        3 => "3xx",
        4 => "4xx",
        _ => "5xx",
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Metrics").finish_non_exhaustive()
    }
}
