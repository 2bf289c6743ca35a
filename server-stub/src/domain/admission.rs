//! Admission of submissions to the queue, as a pure decision. The store reads its input and writes admitted submissions.

use std::collections::HashMap;

use super::clock::Timestamp;
use super::idempotency::IdempotencyRecord;
use super::store::{Error, Result, Submission, Submitted};

/// Decides on submissions in order: each admitted one counts towards the limits of the next ones. The caller must keep the rows
/// locked until its transaction commits.
#[derive(Debug, Default)]
pub struct Admission {
    websites: HashMap<String, WebsiteQueue>,
    /// Number of unfinished jobs of each account. One decision may cover jobs of several accounts.
    unfinished_of_accounts: HashMap<String, u64>,
    /// Number of jobs that each account has queued on this day; empty if no submission has a daily limit.
    queued_by_accounts: HashMap<String, u64>,
    stored_responses: HashMap<(String, String, String, String), IdempotencyRecord>,
}

#[derive(Debug)]
struct WebsiteQueue {
    account_id: String,
    /// Number of its unfinished jobs.
    unfinished: u64,
}

impl Admission {
    /// Adds the number of unfinished jobs of a website, and of all websites of its account.
    pub fn add_queue_depth(
        &mut self,
        website_id: &str,
        account_id: &str,
        unfinished_of_website: u64,
        unfinished_of_account: u64,
    ) {
        let website = WebsiteQueue { account_id: account_id.to_owned(), unfinished: unfinished_of_website };
        self.websites.insert(website_id.to_owned(), website);
        self.unfinished_of_accounts.insert(account_id.to_owned(), unfinished_of_account);
    }

    /// Adds the number of jobs that an account has queued on this day.
    pub fn add_queued_on_day(&mut self, account_id: &str, jobs: u64) {
        self.queued_by_accounts.insert(account_id.to_owned(), jobs);
    }

    /// Adds a response that is still stored for its idempotency key.
    pub fn add_stored_response(&mut self, record: IdempotencyRecord) {
        self.stored_responses.insert(name(&record), record);
    }

    /// Decides on a submission. A retry with the same idempotency key gets the first response, even if the queue is full. Returns
    /// [`Error::MissingReference`] if the account has no such website.
    pub fn decide(&mut self, submission: &Submission) -> Result<Submitted> {
        let Submission { job, idempotency, limits, .. } = submission;
        if let Some(first) =
            idempotency.as_ref().and_then(|record| self.first_response(record, submission.replays_since))
        {
            return Ok(Submitted::Replayed(first.clone()));
        }
        let website = self.websites.get_mut(&job.website_id).filter(|website| website.account_id == job.account_id);
        let website = website.ok_or(Error::MissingReference)?;
        let of_account = self.unfinished_of_accounts.get_mut(&job.account_id).ok_or(Error::MissingReference)?;
        if website.unfinished >= limits.per_website.into() || *of_account >= limits.per_account.into() {
            return Ok(Submitted::QueueFull);
        }
        let of_day = self.queued_by_accounts.entry(job.account_id.clone()).or_default();
        if limits.per_day.is_some_and(|limit| *of_day >= limit.into()) {
            return Ok(Submitted::DayFull);
        }
        *of_day += 1;
        website.unfinished += 1;
        *of_account += 1;
        if let Some(record) = idempotency {
            self.add_stored_response(record.clone());
        }
        Ok(Submitted::Queued)
    }

    /// Returns the stored response for the key of `new`, if it is newer than `since`.
    fn first_response(&self, new: &IdempotencyRecord, since: Timestamp) -> Option<&IdempotencyRecord> {
        self.stored_responses.get(&name(new)).filter(|first| first.created_at > since)
    }
}

fn name(record: &IdempotencyRecord) -> (String, String, String, String) {
    (record.account_id.clone(), record.website_id.clone(), record.operation.to_owned(), record.key.clone())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bytes::Bytes;

    use super::*;
    use crate::domain::article::Metadata;
    use crate::domain::clock::Moment;
    use crate::domain::job::{Job, JobRequest};
    use crate::domain::randomness::Randomness;
    use crate::domain::store::QueueLimits;

    const KEPT_FOR: Duration = Duration::from_hours(24);

    #[derive(Debug)]
    struct NoRandomness;

    impl Randomness for NoRandomness {
        fn fill(&self, _: &mut [u8]) {}
    }

    fn submission(website_id: &str, key: Option<&str>) -> Submission {
        submission_at(Timestamp::from_millis(1), website_id, key)
    }

    fn submission_at(now: Timestamp, website_id: &str, key: Option<&str>) -> Submission {
        let request = JobRequest {
            topic: "a topic".to_owned(),
            language: "en".to_owned(),
            keywords: Vec::new(),
            target_word_count: 1200,
            auto_publish: true,
            publish_at: None,
            metadata: Metadata::new(),
        };
        let (job, post) =
            Job::new_queued(request, "acct_1", website_id, Moment { wall: now, steady: now }, &NoRandomness);
        let idempotency = key.map(|key| IdempotencyRecord {
            account_id: "acct_1".to_owned(),
            website_id: website_id.to_owned(),
            operation: "generate",
            key: key.to_owned(),
            fingerprint: [7; 32],
            job_id: job.id.clone(),
            body: Bytes::new(),
            created_at: now,
        });
        let limits = QueueLimits { per_website: 2, per_account: 3, per_day: None };
        Submission { job, post, due_at: now, idempotency, replays_since: now.minus(KEPT_FOR), limits }
    }

    #[test]
    fn what_was_admitted_counts_for_the_next_one() {
        let mut admission = Admission::default();
        admission.add_queue_depth("web_1", "acct_1", 1, 1);
        admission.add_queue_depth("web_2", "acct_1", 0, 1);
        let mut decide = |website_id| admission.decide(&submission(website_id, None)).unwrap();
        assert_eq!(decide("web_1"), Submitted::Queued);
        assert_eq!(decide("web_1"), Submitted::QueueFull, "the website's queue has two");
        assert_eq!(decide("web_2"), Submitted::Queued);
        assert_eq!(decide("web_2"), Submitted::QueueFull, "the account's queues have three");
    }

    #[test]
    fn an_account_queues_no_more_than_its_jobs_of_a_day() {
        let mut admission = Admission::default();
        admission.add_queue_depth("web_1", "acct_1", 0, 0);
        admission.add_queued_on_day("acct_1", 1);
        let mut limited = submission("web_1", None);
        limited.limits = QueueLimits { per_website: 9, per_account: 9, per_day: Some(2) };
        assert_eq!(admission.decide(&limited).unwrap(), Submitted::Queued);
        assert_eq!(admission.decide(&limited).unwrap(), Submitted::DayFull);
        limited.limits.per_day = None;
        assert_eq!(admission.decide(&limited).unwrap(), Submitted::Queued);
    }

    #[test]
    fn a_repeat_gets_the_first_answer_even_when_the_queue_is_full() {
        let mut admission = Admission::default();
        admission.add_queue_depth("web_1", "acct_1", 1, 1);
        let first = submission("web_1", Some("key"));
        assert_eq!(admission.decide(&first).unwrap(), Submitted::Queued);
        let replayed = Submitted::Replayed(first.idempotency.unwrap());
        assert_eq!(admission.decide(&submission("web_1", Some("key"))).unwrap(), replayed);
        assert_eq!(admission.decide(&submission("web_1", Some("another"))).unwrap(), Submitted::QueueFull);
    }

    #[test]
    fn a_key_that_was_used_for_one_website_is_free_for_another() {
        let mut admission = Admission::default();
        admission.add_queue_depth("web_1", "acct_1", 0, 0);
        admission.add_queue_depth("web_2", "acct_1", 0, 0);
        assert_eq!(admission.decide(&submission("web_1", Some("key"))).unwrap(), Submitted::Queued);
        assert_eq!(admission.decide(&submission("web_2", Some("key"))).unwrap(), Submitted::Queued);
    }

    #[test]
    fn a_response_is_repeated_until_it_expires() {
        let first = submission("web_1", Some("key"));
        let stored = first.idempotency.unwrap();
        let expiry = stored.created_at.plus(KEPT_FOR);
        let at = |now| submission_at(now, "web_1", Some("key"));
        let mut admission = Admission::default();
        admission.add_queue_depth("web_1", "acct_1", 0, 0);
        admission.add_stored_response(stored.clone());
        let just_before = at(expiry.plus_millis(-1));
        assert_eq!(admission.decide(&just_before).unwrap(), Submitted::Replayed(stored.clone()));
        assert_eq!(admission.decide(&at(expiry)).unwrap(), Submitted::Queued);
    }

    #[test]
    fn a_website_of_another_account_is_refused_also_beside_that_accounts_own_jobs() {
        let mut admission = Admission::default();
        admission.add_queue_depth("web_1", "acct_1", 0, 0);
        admission.add_queue_depth("web_2", "acct_2", 0, 0);
        assert!(matches!(admission.decide(&submission("web_2", None)), Err(Error::MissingReference)));
        assert_eq!(admission.decide(&submission("web_1", None)).unwrap(), Submitted::Queued);
    }

    #[test]
    fn a_website_that_is_not_known_is_refused() {
        let refused = Admission::default().decide(&submission("web_1", None));
        assert!(matches!(refused, Err(Error::MissingReference)));
    }
}
