//! `GET /metrics` on a separate socket, so that metrics are never public. The text is in the format `OpenMetrics` 1.0, which
//! Prometheus has read since its version 2.5.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use prometheus_client::encoding::text::{encode_eof, encode_registry};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};
use tokio::net::TcpListener;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::Metrics;
use crate::domain::clock::{Clock, Timestamp};
use crate::domain::error_chain::ErrorChain;
use crate::domain::store::{Error, Queue, QueueStatistics};
use crate::storage::Store;

/// Maximum time for the database to count the queues. A scraper gives up after ten seconds.
const STATISTICS_TIMEOUT: Duration = Duration::from_secs(5);
/// Media type of the text that [`render`] returns.
const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Sources of a scrape.
#[derive(Debug, Clone)]
pub struct Scrape {
    /// Counts and durations of this process.
    pub metrics: Arc<Metrics>,
    /// Counts the queues.
    pub store: Store,
    /// The time from which the age of waiting work is counted.
    pub clock: Arc<dyn Clock>,
}

/// Serves scrapes until `stop` is cancelled.
pub async fn serve(socket: TcpListener, scrape: Scrape, stop: CancellationToken) {
    let router = Router::new().route("/metrics", get(metrics).fallback(nothing)).fallback(nothing).with_state(scrape);
    let served = axum::serve(socket, router).with_graceful_shutdown(async move { stop.cancelled().await }).await;
    if let Err(error) = served {
        tracing::warn!(error = %ErrorChain(&error), "the listener of metrics failed; restart the server to scrape metrics again");
    }
}

async fn metrics(State(scrape): State<Scrape>) -> Response {
    let counting = async {
        let statistics = scrape.store.queue_statistics(scrape.clock.moment()).await?;
        Ok::<_, Error>((statistics, scrape.store.oldest_transaction_age().await?))
    };
    let counted = timeout(STATISTICS_TIMEOUT, counting).await;
    let statistics = match counted {
        Ok(Ok(statistics)) => Some(statistics),
        Ok(Err(error)) => {
            tracing::warn!(error = %ErrorChain(&error), "cannot count the queues");
            None
        }
        Err(_) => {
            tracing::warn!("counting the queues timed out");
            None
        }
    };
    let queues = queue_registry(statistics.as_ref(), &OwnCounts::of(&scrape.store), scrape.clock.steady());
    let text = render(&[scrape.metrics.registry(), &queues]);
    ([(CONTENT_TYPE, MEDIA_TYPE)], text).into_response()
}

async fn nothing() -> StatusCode {
    StatusCode::NOT_FOUND
}

/// Returns the metrics of all these registries as text. Each metric must be in one registry only.
fn render(registries: &[&Registry]) -> String {
    let mut text = String::new();
    let written = registries.iter().try_for_each(|registry| encode_registry(&mut text, registry));
    written.and_then(|()| encode_eof(&mut text)).expect("writing to a string does not fail");
    text
}

/// This process's counts about its work with the database.
struct OwnCounts {
    tasks_waiting: u64,
    posts_failed: u64,
    rows_set_aside: [(Queue, u64); 3],
}

impl OwnCounts {
    /// Returns the current counts.
    fn of(store: &Store) -> Self {
        let rows_set_aside = Queue::ALL.map(|queue| (queue, store.rows_set_aside(queue)));
        Self { tasks_waiting: store.tasks_waiting(), posts_failed: store.posts_failed(), rows_set_aside }
    }
}

/// Returns the metrics of the queues. They are read from the database, so they include all processes that share it. Without
/// `statistics`, they show that the database did not respond.
fn queue_registry(statistics: Option<&(QueueStatistics, Duration)>, own: &OwnCounts, now: Timestamp) -> Registry {
    let mut registry = Registry::with_prefix("contentgen");
    let set_aside = Family::<[(&'static str, &'static str); 1], Counter>::default();
    for (queue, rows) in own.rows_set_aside {
        set_aside.get_or_create(&[("queue", queue.as_str())]).inc_by(rows);
    }
    registry.register("rows_set_aside", "Rows that this process could not read and set aside", set_aside);
    let posts_failed: Counter = Counter::default();
    posts_failed.inc_by(own.posts_failed);
    registry.register("posts_failed", "Scheduled posts whose article could not be published, for good", posts_failed);
    let mut gauge = |name: &str, help: &str, value: u64| registry.register(name, help, set(value));
    gauge("database_up", "Whether the database answered this scrape", u64::from(statistics.is_some()));
    gauge("database_operations_waiting", "Operations of this process that wait for the database", own.tasks_waiting);
    if let Some((statistics, oldest_transaction)) = statistics {
        gauge("posts_due", "Posts that are due to be published", statistics.posts_due);
        gauge(
            "deliveries_pending",
            "Deliveries to active endpoints that have not ended",
            statistics.deliveries_pending,
        );
        let jobs = Family::<[(&'static str, &'static str); 1], Gauge<u64, AtomicU64>>::default();
        jobs.get_or_create(&[("state", "queued")]).set(statistics.jobs_queued);
        jobs.get_or_create(&[("state", "in_progress")]).set(statistics.jobs_in_progress);
        registry.register("jobs", "Jobs that have not ended", jobs);
        let ages = [
            ("oldest_job_age", "How long the job that waits longest has been due", statistics.oldest_job_due),
            ("oldest_post_age", "How long the post that waits longest has been due", statistics.oldest_post_due),
            (
                "oldest_delivery_age",
                "How long the delivery that waits longest has been due",
                statistics.oldest_delivery_due,
            ),
        ];
        for (name, help, due) in ages {
            registry.register_with_unit(name, help, Unit::Seconds, set(age(due, now)));
        }
        let help = "How long the oldest transaction has been open in the PostgreSQL database";
        let age = set(oldest_transaction.as_secs());
        registry.register_with_unit("oldest_transaction_age", help, Unit::Seconds, age);
    }
    registry
}

fn set(value: u64) -> Gauge<u64, AtomicU64> {
    let gauge = Gauge::default();
    gauge.set(value);
    gauge
}

/// Returns the whole seconds since `due`; 0 for `None` and for a time in the future.
fn age(due: Option<Timestamp>, now: Timestamp) -> u64 {
    due.map_or(0, |due| u64::try_from(now.seconds() - due.seconds()).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_due_later_has_no_age_and_a_database_that_is_away_says_so() {
        let now = Timestamp::from_millis(100_000);
        let statistics = QueueStatistics {
            jobs_queued: 7,
            oldest_job_due: Some(Timestamp::from_millis(58_000)),
            oldest_delivery_due: Some(Timestamp::from_millis(500_000)),
            ..QueueStatistics::default()
        };
        let own = |tasks_waiting, jobs| OwnCounts {
            tasks_waiting,
            posts_failed: 2,
            rows_set_aside: [(Queue::Jobs, jobs), (Queue::Posts, 0), (Queue::Deliveries, 0)],
        };
        let text = render(&[&queue_registry(Some(&(statistics, Duration::from_secs(9))), &own(3, 5), now)]);
        for line in [
            "contentgen_database_up 1",
            "contentgen_database_operations_waiting 3",
            "contentgen_rows_set_aside_total{queue=\"jobs\"} 5",
            "contentgen_rows_set_aside_total{queue=\"posts\"} 0",
            "contentgen_posts_failed_total 2",
            "contentgen_jobs{state=\"queued\"} 7",
            "contentgen_oldest_job_age_seconds 42",
            "contentgen_oldest_post_age_seconds 0",
            "contentgen_oldest_delivery_age_seconds 0",
            "contentgen_oldest_transaction_age_seconds 9",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is not in {text}");
        }
        let away = render(&[&queue_registry(None, &own(0, 0), now)]);
        assert!(away.contains("contentgen_database_up 0") && !away.contains("contentgen_jobs"), "{away}");
    }
}
