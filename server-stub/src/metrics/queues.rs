//! The queues at the moment of a scrape. They are read from the database, which knows them for all processes that share it.

use std::sync::atomic::AtomicU64;

use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};

use super::exposition;
use crate::domain::clock::Timestamp;
use crate::domain::store::QueueStatistics;

/// The queues' part of a scrape; without `statistics` it says only that the database did not respond.
pub(super) fn render(statistics: Option<&QueueStatistics>, tasks_waiting: u64, now: Timestamp) -> String {
    let mut registry = Registry::with_prefix("contentgen");
    let mut gauge = |name: &str, help: &str, value: u64| registry.register(name, help, set(value));
    gauge("database_up", "Whether the database answered this scrape", u64::from(statistics.is_some()));
    gauge("database_operations_waiting", "Operations of this process that wait for the database", tasks_waiting);
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
    exposition::render(&registry)
}

fn set(value: u64) -> Gauge<u64, AtomicU64> {
    let gauge = Gauge::default();
    gauge.set(value);
    gauge
}

/// Whole seconds since then; 0 for nothing and for what lies ahead.
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
        let text = render(Some(&statistics), 3, now);
        for line in [
            "contentgen_database_up 1",
            "contentgen_database_operations_waiting 3",
            "contentgen_jobs{state=\"queued\"} 7",
            "contentgen_oldest_job_age_seconds 42",
            "contentgen_oldest_post_age_seconds 0",
            "contentgen_oldest_delivery_age_seconds 0",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is not in {text}");
        }
        let away = render(None, 0, now);
        assert!(away.contains("contentgen_database_up 0") && !away.contains("contentgen_jobs"), "{away}");
    }
}
