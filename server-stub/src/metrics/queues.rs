//! The queues at the moment of a scrape. They are read from the database, so they include all processes that share it.

use std::sync::atomic::AtomicU64;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};

use crate::domain::clock::Timestamp;
use crate::domain::store::{Queue, QueueStatistics};
use crate::storage::Store;

/// This process's counts about its work with the database.
pub(super) struct OwnCounts {
    tasks_waiting: u64,
    rows_set_aside: [(Queue, u64); 3],
}

impl OwnCounts {
    /// Returns the current counts.
    pub(super) fn of(store: &Store) -> Self {
        let rows_set_aside = Queue::ALL.map(|queue| (queue, store.rows_set_aside(queue)));
        Self { tasks_waiting: store.tasks_waiting(), rows_set_aside }
    }
}

/// Returns the metrics of the queues. Without `statistics`, they show that the database did not respond.
pub(super) fn registry(statistics: Option<&QueueStatistics>, own: &OwnCounts, now: Timestamp) -> Registry {
    let mut registry = Registry::with_prefix("contentgen");
    let set_aside = Family::<[(&'static str, &'static str); 1], Counter>::default();
    for (queue, rows) in own.rows_set_aside {
        set_aside.get_or_create(&[("queue", queue.as_str())]).inc_by(rows);
    }
    registry.register("rows_set_aside", "Rows that this process could not read and set aside", set_aside);
    let mut gauge = |name: &str, help: &str, value: u64| registry.register(name, help, set(value));
    gauge("database_up", "Whether the database answered this scrape", u64::from(statistics.is_some()));
    gauge("database_operations_waiting", "Operations of this process that wait for the database", own.tasks_waiting);
    if let Some(statistics) = statistics {
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
    use crate::metrics::listener::render;

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
            rows_set_aside: [(Queue::Jobs, jobs), (Queue::Posts, 0), (Queue::Deliveries, 0)],
        };
        let text = render(&[&registry(Some(&statistics), &own(3, 5), now)]);
        for line in [
            "contentgen_database_up 1",
            "contentgen_database_operations_waiting 3",
            "contentgen_rows_set_aside_total{queue=\"jobs\"} 5",
            "contentgen_rows_set_aside_total{queue=\"posts\"} 0",
            "contentgen_jobs{state=\"queued\"} 7",
            "contentgen_oldest_job_age_seconds 42",
            "contentgen_oldest_post_age_seconds 0",
            "contentgen_oldest_delivery_age_seconds 0",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is not in {text}");
        }
        let away = render(&[&registry(None, &own(0, 0), now)]);
        assert!(away.contains("contentgen_database_up 0") && !away.contains("contentgen_jobs"), "{away}");
    }
}
