//! Checks on jobs, articles, keys and leads. For webhooks see `hooks`.

use std::collections::{BTreeMap, BTreeSet};

use super::super::evidence::Evidence;

/// Counts the occurrences of each value.
pub(super) fn counts<'a>(values: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, usize> {
    let mut counts = BTreeMap::new();
    for value in values {
        *counts.entry(value).or_default() += 1;
    }
    counts
}

pub(super) fn acknowledged_jobs(evidence: &Evidence) -> Vec<String> {
    let stored: BTreeSet<&str> = evidence.state.jobs.iter().map(|job| job.id.as_str()).collect();
    let lost = evidence.acknowledged.iter().filter(|promise| !stored.contains(promise.job_id.as_str()));
    lost.map(|promise| format!("{} (key {}) was acknowledged, but does not exist", promise.job_id, promise.key))
        .collect()
}

pub(super) fn finished_jobs(evidence: &Evidence) -> Vec<String> {
    let with_article: BTreeSet<&str> =
        evidence.state.articles.iter().filter_map(|article| article.job_id.as_deref()).collect();
    let mut faults = Vec::new();
    for job in &evidence.state.jobs {
        if job.status != "completed" {
            let reason = job.error.as_deref().unwrap_or("no error");
            faults.push(format!("{} is {} ({reason})", job.id, job.status));
        } else if !with_article.contains(job.id.as_str()) {
            faults.push(format!("{} is completed and has no article", job.id));
        }
    }
    faults
}

pub(super) fn no_job_twice(evidence: &Evidence) -> Vec<String> {
    let articles = &evidence.state.articles;
    let completed = evidence.state.jobs.iter().filter(|job| job.status == "completed");
    let completed: BTreeSet<&str> = completed.map(|job| job.id.as_str()).collect();
    let twice = counts(articles.iter().filter_map(|article| article.job_id.as_deref()));
    let twice = twice.into_iter().filter(|(_, count)| *count > 1);
    let mut faults: Vec<String> = twice.map(|(job_id, count)| format!("{job_id} has {count} articles")).collect();
    let strays = articles.iter().filter(|article| !article.job_id.as_deref().is_some_and(|id| completed.contains(id)));
    faults.extend(strays.map(|article| format!("{} belongs to no completed job", article.id)));
    faults
}

pub(super) fn one_job_per_key(evidence: &Evidence) -> Vec<String> {
    let state = &evidence.state;
    let mut jobs_of: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for record in &state.keys {
        jobs_of.entry(&record.key).or_default().insert(&record.job_id);
    }
    for promise in &evidence.acknowledged {
        jobs_of.entry(&promise.key).or_default().insert(&promise.job_id);
    }
    let several = jobs_of.iter().filter(|(_, jobs)| jobs.len() > 1);
    let mut faults: Vec<String> = several.map(|(key, jobs)| format!("{key} led to {jobs:?}")).collect();
    let named: BTreeSet<&str> = jobs_of.values().flatten().copied().collect();
    let nameless = state.jobs.iter().filter(|job| !named.contains(job.id.as_str()));
    faults.extend(nameless.map(|job| format!("{} was queued in addition to the job of its key", job.id)));
    faults
}

pub(super) fn published_posts(evidence: &Evidence) -> Vec<String> {
    let state = &evidence.state;
    let late = state.posts.iter().filter(|post| post.status != "published");
    let mut faults: Vec<String> = late.map(|post| format!("{} is {}", post.id, post.status)).collect();
    let with_post = counts(state.posts.iter().filter_map(|post| post.job_id.as_deref()));
    let without = state.jobs.iter().filter(|job| with_post.get(job.id.as_str()) != Some(&1));
    faults.extend(without.map(|job| format!("{} does not have exactly one scheduled post", job.id)));
    let unpublished = state.articles.iter().filter(|article| article.status != "published");
    faults.extend(unpublished.map(|article| format!("{} is {}", article.id, article.status)));
    faults
}

pub(super) fn acknowledged_leads(evidence: &Evidence) -> Vec<String> {
    let stored = counts(evidence.state.leads.iter().map(|lead| lead.email.as_str()));
    let mut faults: Vec<String> = Vec::new();
    for email in &evidence.leads {
        let count = stored.get(email.as_str()).copied().unwrap_or_default();
        if count != 1 {
            faults.push(format!("the lead of {email} is stored {count} times"));
        }
    }
    let several =
        stored.into_iter().filter(|(email, count)| *count > 1 && !evidence.leads.iter().any(|lead| lead == email));
    faults.extend(several.map(|(email, count)| format!("the lead {email} is stored {count} times")));
    faults
}

pub(super) fn nothing_left(evidence: &Evidence) -> Vec<String> {
    let state = &evidence.state;
    let jobs = state.jobs.iter().map(|job| (&job.id, job.is_leased));
    let posts = state.posts.iter().map(|post| (&post.id, post.is_leased));
    let deliveries = state.deliveries.iter().map(|delivery| (&delivery.id, delivery.is_leased));
    let leased = jobs.chain(posts).chain(deliveries).filter(|(_, is_leased)| *is_leased);
    let mut faults: Vec<String> = leased.map(|(id, _)| format!("{id} is still claimed")).collect();
    let pending = state.deliveries.iter().filter(|delivery| delivery.status == "pending");
    faults.extend(pending.map(|delivery| format!("{} is not sent yet", delivery.id)));
    if state.counted_unfinished != 0 {
        faults.push(format!("the queue counts {} unfinished jobs", state.counted_unfinished));
    }
    faults
}

pub(super) fn database_intact(evidence: &Evidence) -> Vec<String> {
    evidence.damage.clone()
}
