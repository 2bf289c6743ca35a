//! The list of checks, each with the sentence that must be true. The checks are in `work` and `hooks`.

use serde::Serialize;

use super::super::evidence::Evidence;
use super::{hooks, work};

/// Result of a check.
#[derive(Debug, Clone, Serialize)]
pub(in crate::crash) struct Verdict {
    /// The check's name.
    pub(in crate::crash) check: &'static str,
    /// The sentence that must be true.
    pub(in crate::crash) sentence: &'static str,
    /// The violations: ids and a few words each.
    pub(in crate::crash) faults: Vec<String>,
}

type Check = (&'static str, &'static str, fn(&Evidence) -> Vec<String>);

const CHECKS: [Check; 15] = [
    ("acknowledged-jobs", "Every acknowledged job exists.", work::acknowledged_jobs),
    ("finished-jobs", "Every job is completed and has its article.", work::finished_jobs),
    ("no-job-twice", "No job has two articles, and every article belongs to a completed job.", work::no_job_twice),
    ("one-job-per-key", "An idempotency key leads to one job, the acknowledged one.", work::one_job_per_key),
    ("published-posts", "Every scheduled post is published.", work::published_posts),
    ("acknowledged-leads", "Every acknowledged lead exists once.", work::acknowledged_leads),
    ("nothing-left", "No row is claimed, pending or counted as unfinished.", work::nothing_left),
    ("database-intact", "The database's own check finds no damage.", work::database_intact),
    ("one-event-per-article", "Every published article has exactly one event.", hooks::one_event_per_article),
    ("one-event-per-lead", "Every lead has exactly one event.", hooks::one_event_per_lead),
    ("delivered", "Every event was delivered to every endpoint that subscribes to it.", hooks::delivered),
    ("one-id-one-body", "All requests of an event contain its id and its stored bytes.", hooks::one_id_one_body),
    ("signatures", "Every request is signed with its endpoint's secret.", hooks::signatures),
    ("timestamps", "Every request was signed within 5 s of its receipt.", hooks::timestamps),
    ("repeats", "Deliveries are repeated no more often than they were interrupted.", hooks::repeats),
];

/// Runs all checks.
pub(in crate::crash) fn judge(evidence: &Evidence) -> Vec<Verdict> {
    CHECKS.iter().map(|(check, sentence, find)| Verdict { check, sentence, faults: find(evidence) }).collect()
}
