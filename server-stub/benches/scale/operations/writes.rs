//! Writes of jobs, leads and webhooks, with many concurrent callers as in a busy server.

use std::sync::Arc;
use std::time::Duration;

use anyhow::ensure;
use bytes::Bytes;
use contentgen_server_stub::clock::SystemClock;
use contentgen_server_stub::domain::clock::{Clock as _, Moment, Timestamp};
use contentgen_server_stub::domain::endpoint_capacity::EndpointCapacity;
use contentgen_server_stub::domain::event::Event;
use contentgen_server_stub::domain::hook::Attempt;
use contentgen_server_stub::domain::id::{self, Kind};
use contentgen_server_stub::domain::idempotency::IdempotencyRecord;
use contentgen_server_stub::domain::job::Job;
use contentgen_server_stub::domain::lead::SAME_LEAD_WINDOW;
use contentgen_server_stub::domain::retry_schedule::AttemptDecision;
use contentgen_server_stub::domain::store::{
    AttemptRecord, Captured, ClaimedJob, JobCompletion, LeaseOutcome, PublishOutcome, QueueLimits, Submission,
    Submitted,
};
use contentgen_server_stub::randomness::SystemRandomness;
use futures::future::try_join_all;

use super::Subject;
use crate::shapes;

/// Jobs of a round, and leads of a round.
const AT_ONCE: u64 = 256;
/// Records of a claim.
const CLAIMED_AT_ONCE: u32 = 64;
const LEASE: Duration = Duration::from_mins(10);
const NO_LIMITS: QueueLimits = QueueLimits { per_website: u32::MAX, per_account: u32::MAX, per_day: None };

fn now() -> Timestamp {
    SystemClock.wall()
}

fn new_id(kind: Kind) -> String {
    id::new(kind, now(), &SystemRandomness)
}

impl Subject {
    pub(super) async fn generate(&mut self) -> anyhow::Result<usize> {
        let numbers: Vec<_> = (0..AT_ONCE).map(|_| self.next()).collect();
        let submissions = numbers.into_iter().map(|number| self.store.submit(self.submission(number)));
        let submitted = try_join_all(submissions).await?;
        ensure!(submitted.iter().all(|one| *one == Submitted::Queued), "a job was not queued");
        Ok(submitted.len())
    }

    fn submission(&self, number: u64) -> Submission {
        let (owner, website_id) = (self.population.owner(number), self.population.website(number));
        let request = shapes::request(number);
        let (job, post) =
            Job::new_queued(request, &owner.account_id, website_id, SystemClock.moment(), &SystemRandomness);
        let record = IdempotencyRecord {
            account_id: owner.account_id.clone(),
            website_id: website_id.to_owned(),
            operation: "generate",
            key: new_id(Kind::Request),
            fingerprint: [7; 32],
            job_id: job.id.clone(),
            body: Bytes::from_static(b"{\"status\":\"queued\"}"),
            created_at: now(),
        };
        let replays_since = now().minus(Duration::from_hours(24));
        Submission { job, post, due_at: now(), idempotency: Some(record), replays_since, limits: NO_LIMITS }
    }

    pub(super) async fn claim_jobs(&mut self) -> anyhow::Result<usize> {
        while self.jobs.len() < usize::try_from(AT_ONCE)? {
            let claimed =
                self.store.claim_jobs(CLAIMED_AT_ONCE, SystemClock.moment(), now().plus(LEASE)).await?.claimed;
            ensure!(!claimed.is_empty(), "there are no jobs to claim");
            let start = |claimed: &ClaimedJob| claimed.start(SystemClock.moment(), now().plus(LEASE));
            let starts = claimed.iter().map(|claimed| self.store.begin_job(start(claimed)));
            ensure!(try_join_all(starts).await?.iter().all(Option::is_some), "a claim was lost");
            self.jobs.extend(claimed);
        }
        Ok(self.jobs.len())
    }

    pub(super) async fn complete_jobs(&mut self) -> anyhow::Result<usize> {
        let jobs = std::mem::take(&mut self.jobs);
        let mut completions = Vec::with_capacity(jobs.len());
        for claimed in jobs {
            let (job, number) = (claimed.job, self.next());
            let article = shapes::article(number, new_id(Kind::Article), job.id.clone(), &job.website_id, now());
            completions.push(JobCompletion {
                job_id: job.id,
                lease_token: claimed.lease_token,
                article,
                finished_at: SystemClock.moment(),
            });
        }
        let completions = completions.into_iter().map(|completion| self.store.complete_job(completion));
        let completed = try_join_all(completions).await?;
        ensure!(completed.iter().all(|one| *one == LeaseOutcome::Recorded), "a lease was lost");
        Ok(completed.len())
    }

    pub(super) async fn claim_posts(&mut self) -> anyhow::Result<usize> {
        while self.posts.len() < usize::try_from(AT_ONCE)? {
            let claimed = self.store.claim_posts(CLAIMED_AT_ONCE, &[], SystemClock.moment(), now().plus(LEASE)).await?;
            ensure!(!claimed.is_empty(), "there are no posts to claim");
            self.posts.extend(claimed);
        }
        Ok(self.posts.len())
    }

    pub(super) async fn publish_posts(&mut self) -> anyhow::Result<usize> {
        let posts = std::mem::take(&mut self.posts);
        let store = &self.store;
        let published = try_join_all(posts.into_iter().map(|claimed| async move {
            let (at, url) = (now(), shapes::url(&claimed.article));
            let article = claimed.article.published(url, at);
            let account_id = &claimed.post.account_id;
            let event = Event::article_published(new_id(Kind::Event), account_id, &article, &claimed.post.id, at);
            let outcome = PublishOutcome::Published { article: Box::new(article), is_hosted: true, event };
            store.record_publish(&claimed.post.id, &claimed.lease_token, outcome, Moment { wall: at, steady: at }).await
        }))
        .await?;
        ensure!(published.iter().all(|one| *one == LeaseOutcome::Recorded), "a lease was lost");
        Ok(published.len())
    }

    pub(super) async fn capture(&mut self) -> anyhow::Result<usize> {
        let numbers: Vec<_> = (0..AT_ONCE).map(|_| self.next()).collect();
        let (store, population) = (&self.store, &self.population);
        let captured = try_join_all(numbers.into_iter().map(|number| async move {
            let whose = (population.owner(number), population.website(number));
            let lead = shapes::lead(number, new_id(Kind::Lead), whose, None, now());
            let event = Event::lead_captured(new_id(Kind::Event), &lead, None);
            store.capture_lead(&lead, &event, now().minus(SAME_LEAD_WINDOW), now()).await
        }))
        .await?;
        ensure!(captured.iter().all(|one| *one == Captured::New), "a lead was taken for another one");
        Ok(captured.len())
    }

    pub(super) async fn claim_deliveries(&mut self) -> anyhow::Result<usize> {
        let capacity = EndpointCapacity::at_most(u32::MAX);
        while self.deliveries.len() < usize::try_from(2 * AT_ONCE)? {
            let claimed = self
                .store
                .claim_deliveries(CLAIMED_AT_ONCE, &capacity, SystemClock.moment(), now().plus(LEASE))
                .await?;
            ensure!(!claimed.is_empty(), "there are no deliveries to claim");
            self.deliveries.extend(claimed);
        }
        Ok(self.deliveries.len())
    }

    pub(super) async fn record_attempts(&mut self) -> anyhow::Result<usize> {
        let deliveries = std::mem::take(&mut self.deliveries);
        let records: Vec<_> = deliveries
            .into_iter()
            .map(|delivery| AttemptRecord {
                delivery,
                attempt: attempt(),
                decision: AttemptDecision::Succeeded,
                decided_at: SystemClock.moment(),
            })
            .collect();
        for some in records.chunks(CLAIMED_AT_ONCE as usize) {
            let recorded = self.store.record_attempts(Arc::from(some)).await?;
            ensure!(recorded.iter().all(|one| *one == LeaseOutcome::Recorded), "a lease was lost");
        }
        Ok(records.len())
    }
}

fn attempt() -> Attempt {
    Attempt {
        started_at: now(),
        request_headers: vec![
            ("webhook-id".to_owned(), "evt_019324a0c7d27c21a4b1000000000000".to_owned()),
            ("webhook-timestamp".to_owned(), "1790000000".to_owned()),
            ("webhook-signature".to_owned(), "v1,4yXQ0VYfYh0vJY1v7wE9e3v0oQ2m4W1kq0dJzv8bR1s=".to_owned()),
            ("user-agent".to_owned(), "contentgen-hooks/0.1.0".to_owned()),
            ("content-type".to_owned(), "application/json".to_owned()),
        ],
        duration_ms: 35,
        response_status: Some(200),
        error: None,
        retry_after: None,
        timed_out: false,
        response_head: Some("ok".to_owned().into()),
        response_headers: vec![("content-type".to_owned(), "text/plain".to_owned())].into(),
    }
}
