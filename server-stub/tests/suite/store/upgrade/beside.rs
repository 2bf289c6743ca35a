//! What an older process must still be able to do, whichever database it is.

use contentgen_server_stub::domain::account::Scope;
use contentgen_server_stub::domain::clock::Timestamp;
use contentgen_server_stub::domain::event::EventType;
use contentgen_server_stub::domain::job::JobStatus;
use contentgen_server_stub::domain::store::{LeadFilter, LeaseOutcome, PageRequest};
use contentgen_server_stub::storage::Store;

use crate::store::deliveries;
use crate::store::world::World;

/// Milliseconds: the time of [`World`], which has the account and the website that the older process made.
pub(super) const NOW: i64 = 1_790_000_000_000;
pub(super) const ACCOUNT: &str = "acc_older";
pub(super) const WEBSITE: &str = "web_older";

/// JSON as the older process writes it.
pub(super) const REQUEST: &str = r#"{"topic":"a topic","language":"en","keywords":[],"target_word_count":1200,
    "auto_publish":true,"publish_at":null,"metadata":{}}"#;

/// The JSON of a lead.
pub(super) fn lead(lead_id: &str) -> String {
    format!(
        r#"{{"id":"{lead_id}","website_id":"{WEBSITE}","article_id":null,"email":"{lead_id}@example.com","name":null,
            "company":null,"phone":null,"message":null,"fields":{{}},"source":{{"page_url":null,"referrer":null,
            "form_id":null,"utm":{{}}}},"consent":{{"given":true,"text":null,"at":null}},
            "captured_at":"2026-09-21T14:13:20.000Z"}}"#
    )
}

/// The JSON of a lead that was confirmed a minute after [`NOW`].
pub(super) fn confirmed_lead(lead_id: &str) -> String {
    let confirmation = r#""confirmation":{"status":"confirmed","confirmed_at":"2026-09-21T14:14:20.123Z"}"#;
    lead(lead_id).replacen('{', &format!("{{{confirmation},"), 1)
}

/// The ids of the leads that changed since so many milliseconds after [`NOW`].
pub(super) async fn changed_leads(store: &Store, since: i64) -> Vec<String> {
    let scope = Scope { account_id: ACCOUNT.to_owned(), website_ids: None };
    let filter = LeadFilter { updated_since: Some(Timestamp::from_millis(NOW + since)), ..LeadFilter::default() };
    let leads = store.list_leads(&scope, &filter, &PageRequest { after: None, limit: 10 }).await.unwrap();
    assert!(leads.iter().all(|lead| lead.updated_at.millis() >= NOW + since));
    leads.into_iter().map(|lead| lead.id).collect()
}

/// A process of the version before, with one connection on which it prepares each statement once.
pub(super) trait OlderProcess {
    /// Makes the account `first` and its website.
    async fn register(&mut self);
    /// Queues a job with its post.
    async fn queue(&mut self, job_id: &str);
    /// Claims all jobs that are due; their ids in order.
    async fn claim(&mut self) -> Vec<String>;
    /// Completes a job that it claimed; the article's id.
    async fn complete(&mut self, job_id: &str) -> String;
    /// Stores a lead with its event and the event's deliveries.
    async fn capture(&mut self, lead_id: &str);
    /// Confirms a lead a minute after [`NOW`]: version 13 of PostgreSQL and version 14 of SQLite do so.
    async fn confirm(&mut self, lead_id: &str);
}

/// `open` brings the schema up to date.
pub(super) async fn both_go_on(mut older: impl OlderProcess, open: impl FnOnce() -> Store) {
    older.register().await;
    older.queue("job_1").await;
    older.queue("job_2").await;
    assert_eq!(older.claim().await, ["job_1", "job_2"]);
    older.complete("job_1").await;
    older.capture("lead_1").await;
    older.confirm("lead_1").await;

    let world = World::new(open()).await;
    assert_eq!(world.account_id, ACCOUNT);
    let article_id = older.complete("job_2").await;
    assert_eq!(world.job("job_2").await.status, JobStatus::Completed);
    assert!(world.store.find_article(&article_id).await.unwrap().is_some());

    // Each takes what the other queued.
    older.queue("job_3").await;
    let claimed = world.claim().await.remove(0);
    assert_eq!(claimed.job.id, "job_3");
    let completion = world.completion(&claimed, "A title");
    assert_eq!(world.store.complete_job(completion).await.unwrap(), LeaseOutcome::Recorded);
    let job_id = world.queue(world.submission("a topic")).await;
    assert_eq!(older.claim().await, [job_id.as_str()]);
    older.complete(&job_id).await;
    assert_eq!(world.job(&job_id).await.status, JobStatus::Completed);

    // What the older one captures is announced to an endpoint that this one registered.
    world.hook(world.endpoint(&[EventType::LeadCaptured])).await;
    older.capture("lead_2").await;
    for lead_id in ["lead_1", "lead_2"] {
        assert!(world.store.find_lead(lead_id).await.unwrap().is_some(), "{lead_id}");
    }
    assert_eq!(changed_leads(&world.store, 0).await, ["lead_2", "lead_1"]);
    assert_eq!(changed_leads(&world.store, 60_123).await, ["lead_1"]);
    assert_eq!(changed_leads(&world.store, 60_124).await, [""; 0]);
    let claimed = deliveries::claim(&world, 10, 10).await;
    assert_eq!(claimed.iter().map(|delivery| delivery.event_id.as_str()).collect::<Vec<_>>(), ["evt_lead_2"]);
}
