//! Promises about deleting expired records, with a separate setting for each kind.

use std::time::Duration;

use contentgen_server_stub::domain::account::WebsiteStatus;
use contentgen_server_stub::domain::article::ArticleStatus;
use contentgen_server_stub::domain::audit::{Action, Actor, AuditEntry};
use contentgen_server_stub::domain::event::{Event, EventType};
use contentgen_server_stub::domain::failure::Failure;
use contentgen_server_stub::domain::hook::EndpointStatus;
use contentgen_server_stub::domain::lead::{Lead, LeadConfirmation};
use contentgen_server_stub::domain::retention::{
    MIN_EVENT_RETENTION, RecordKind, Retention, UNCONFIRMED_LEAD_RETENTION,
};
use contentgen_server_stub::domain::retry_schedule::AttemptDecision;
use contentgen_server_stub::domain::store::{
    AuditFilter, JobFailure, LeaseOutcome, PageRequest, PublishOutcome, Purged, Submitted,
};
use contentgen_server_stub::randomness::SystemRandomness;
use futures::future::{join_all, try_join_all};

use super::deliveries::{capture, claim, later, record, record_all};
use super::pipeline::{due, publish, written};
use super::world::World;

const DAY: Duration = Duration::from_hours(24);
const MILLISECOND: Duration = Duration::from_millis(1);

fn defaults() -> Retention {
    Retention::default()
}

pub(crate) async fn purging_deletes_expired_keys_and_no_other(world: World) {
    let store = &world.store;
    let old = (0..1203).map(|number| store.submit(world.keyed_submission("old", &format!("old-{number}"))));
    join_all(old).await;
    world.advance(DAY);
    world.queue(world.keyed_submission("young", "young")).await;
    let longer = Retention { idempotency_keys: DAY + MILLISECOND, ..defaults() };
    assert_eq!(world.purge(&longer).await, Purged::default());
    assert_eq!(world.purge(&defaults()).await, Purged { idempotency_keys: 1203, ..Purged::default() });
    assert_eq!(world.purge(&defaults()).await, Purged::default());
    let repeated = store.submit(world.keyed_submission("young", "young")).await.unwrap();
    assert!(matches!(repeated, Submitted::Replayed(_)));
}

/// Captures many leads at once.
async fn capture_many(world: &World, count: usize) {
    let captures = (0..count).map(|_| {
        let (lead, event) = world.lead(None);
        async move { world.store.capture_lead(&lead, &event, world.now(), world.now()).await }
    });
    try_join_all(captures).await.unwrap();
}

pub(crate) async fn events_are_purged_after_thirty_days_and_nothing_younger(world: World) {
    const OLD: usize = 1250;
    let id = world.hook(world.endpoint(&EventType::DEFAULT)).await;
    capture_many(&world, OLD).await;
    let old = claim(&world, 2, 5).await;
    record(&world, &old[0], AttemptDecision::Succeeded).await;
    record(&world, &old[1], later(&world, Duration::from_secs(5))).await;
    world.advance(MILLISECOND);
    capture(&world, 3).await;
    world.advance((30 * DAY).saturating_sub(2 * MILLISECOND));
    assert_eq!(world.purge(&defaults()).await, Purged::default());
    world.advance(MILLISECOND);
    let longer = Retention { events: 31 * DAY, deliveries: 31 * DAY, attempts: 31 * DAY, ..defaults() };
    assert_eq!(world.purge(&longer).await, Purged::default());
    let all = OLD as u64;
    assert_eq!(
        world.purge(&defaults()).await,
        Purged { events: all, deliveries: all, attempts: 2, ..Purged::default() }
    );
    for delivery in &old {
        assert_eq!(world.store.find_delivery(&delivery.id).await.unwrap(), None);
        assert!(world.store.list_attempts(&delivery.id).await.unwrap().is_empty());
    }
    let page = PageRequest { after: None, limit: 100 };
    assert_eq!(world.store.list_deliveries(&id, &page).await.unwrap().len(), 3);
    assert_eq!(world.purge(&defaults()).await, Purged::default());
    assert_eq!(claim(&world, 100, 100).await.len(), 3, "younger deliveries are still sent");
}

pub(crate) async fn deliveries_that_have_ended_are_purged_and_none_that_waits(world: World) {
    // Created in turn, so that the kinds of deliveries alternate.
    let id = world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let paused = world.hook(world.endpoint(&EventType::DEFAULT)).await;
    capture_many(&world, 600).await;
    world.store.set_hook_status(&paused, EndpointStatus::Paused, world.now()).await.unwrap();
    let claimed = claim(&world, 5000, 5000).await;
    assert_eq!(claimed.len(), 600);
    record_all(&world, &claimed[..300], AttemptDecision::Succeeded).await;
    record_all(&world, &claimed[300..], AttemptDecision::Exhausted).await;
    world.advance(20 * DAY);
    capture(&world, 1).await;
    record(&world, &claim(&world, 1, 1).await[0], AttemptDecision::Exhausted).await;
    let shorter = Retention { deliveries: 20 * DAY, ..defaults() };
    let expected = Purged { deliveries: 600, attempts: 600, ..Purged::default() };
    assert_eq!(world.purge(&shorter).await, expected, "events are kept longer");
    let page = PageRequest { after: None, limit: 1000 };
    assert_eq!(world.store.list_deliveries(&id, &page).await.unwrap().len(), 1, "it is younger");
    world.store.set_hook_status(&paused, EndpointStatus::Active, world.now()).await.unwrap();
    assert_eq!(claim(&world, 5000, 5000).await.len(), 600, "they wait");
    assert_eq!(world.purge(&shorter).await, Purged::default());
}

pub(crate) async fn attempts_are_purged_before_their_deliveries(world: World) {
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    capture_many(&world, 1100).await;
    let claimed = claim(&world, 5000, 5000).await;
    record_all(&world, &claimed, later(&world, DAY)).await;
    let shorter = Retention { attempts: DAY, ..defaults() };
    world.advance(DAY.saturating_sub(MILLISECOND));
    assert_eq!(world.purge(&shorter).await, Purged::default());
    world.advance(MILLISECOND);
    let second = claim(&world, 1, 5000).await.remove(0);
    record(&world, &second, AttemptDecision::Exhausted).await;
    assert_eq!(world.purge(&shorter).await, Purged { attempts: 1100, ..Purged::default() });
    let kept: Vec<_> = world.store.list_attempts(&second.id).await.unwrap();
    assert_eq!(kept.iter().map(|attempt| attempt.number).collect::<Vec<_>>(), [2]);
    let delivery = world.store.find_delivery(&second.id).await.unwrap().unwrap();
    assert_eq!(delivery.attempts, 2, "how often it was tried is known all the same");
}

/// Captures a lead of this website now. Returns its id.
async fn lead_of(world: &World, website_id: &str) -> String {
    let (mut lead, event) = world.lead(None);
    website_id.clone_into(&mut lead.website_id);
    world.store.capture_lead(&lead, &event, world.now(), world.now()).await.unwrap();
    lead.id
}

pub(crate) async fn leads_are_kept_for_ever_or_as_long_as_their_website_says(world: World) {
    let mut website_ids = vec![world.website_id.clone()];
    for (name, retention) in [("web_a", Some(DAY)), ("web_b", None), ("web_c", Some(2 * DAY)), ("web_d", Some(DAY))] {
        let website = world.website(name, WebsiteStatus::Active);
        world.store.create_website(&website).await.unwrap();
        assert!(world.store.set_lead_retention(name, retention).await.unwrap());
        assert_eq!(world.store.find_website(name).await.unwrap().unwrap().lead_retention, retention);
        website_ids.push(name.to_owned());
    }
    assert!(!world.store.set_lead_retention("web_none", None).await.unwrap());
    let mut leads = Vec::new();
    for website_id in &website_ids {
        leads.push(lead_of(&world, website_id).await);
    }
    let kept = async || {
        let found = join_all(leads.iter().map(|id| world.store.find_lead(id))).await;
        found.into_iter().map(|lead| lead.unwrap().is_some()).collect::<Vec<_>>()
    };
    let purged = |leads| Purged { leads, events: leads, ..Purged::default() };
    world.advance_almost(DAY);
    assert_eq!(world.purge(&defaults()).await, purged(0));
    world.advance(MILLISECOND);
    assert_eq!(world.purge(&defaults()).await, purged(2));
    assert_eq!(kept().await, [true, false, true, true, false]);
    world.advance(DAY);
    assert_eq!(world.purge(&defaults()).await, purged(1));
    // Events expire after 30 days, leads do not.
    world.advance(1000 * DAY);
    assert_eq!(world.purge(&defaults()).await, Purged { events: 2, ..Purged::default() });
    assert_eq!(kept().await, [true, false, true, false, false]);
    // The owner's change also applies to existing leads.
    world.store.set_lead_retention("web_b", Some(DAY)).await.unwrap();
    world.store.set_lead_retention("web_a", None).await.unwrap();
    assert_eq!(world.purge(&defaults()).await, Purged { leads: 1, ..Purged::default() });
    assert_eq!(kept().await, [true, false, false, false, false]);
}

/// Captures leads that wait for confirmation. Returns them.
async fn pending_leads(world: &World, count: usize) -> Vec<Lead> {
    let mut leads = Vec::new();
    for _ in 0..count {
        let (mut lead, event) = world.lead(None);
        lead.confirmation = LeadConfirmation::of_new_lead(true);
        world.store.capture_lead(&lead, &event, world.now(), world.now()).await.unwrap();
        leads.push(lead);
    }
    leads
}

pub(crate) async fn leads_that_nobody_confirmed_are_purged_after_thirty_days_and_no_others(world: World) {
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let retention = Retention { events: 100 * DAY, deliveries: 100 * DAY, attempts: 100 * DAY, ..defaults() };
    capture_many(&world, 3).await;
    let pending = pending_leads(&world, 251).await;
    let confirmed = pending[0].clone().confirmed(world.now());
    let event = Event::lead_confirmed("evt_confirmed".to_owned(), &confirmed, world.now());
    assert!(world.store.confirm_lead(&confirmed, &event, world.now()).await.unwrap());
    world.advance(MILLISECOND);
    let young = pending_leads(&world, 1).await.remove(0);
    world.advance(UNCONFIRMED_LEAD_RETENTION.saturating_sub(2 * MILLISECOND));
    assert_eq!(world.purge(&retention).await, Purged::default());
    world.advance(MILLISECOND);
    let longer = Retention { unconfirmed_leads: 31 * DAY, ..retention };
    assert_eq!(world.purge(&longer).await, Purged::default());
    let purged = Purged { unconfirmed_leads: 250, events: 250, deliveries: 250, ..Purged::default() };
    assert_eq!(world.purge(&retention).await, purged);
    for (lead, expected) in [(&pending[0], Some(&confirmed)), (&pending[1], None), (&young, Some(&young))] {
        assert_eq!(world.store.find_lead(&lead.id).await.unwrap().as_ref(), expected);
    }
    assert_eq!(world.purge(&retention).await, Purged::default());
}

pub(crate) async fn an_expired_lead_takes_all_that_was_made_of_it_and_nothing_else(world: World) {
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    world.store.set_lead_retention(&world.website_id, Some(DAY)).await.unwrap();
    capture_many(&world, 250).await;
    let old = claim(&world, 5000, 5000).await;
    assert_eq!(old.len(), 500);
    // Some wait for another attempt, some have ended, some are in flight.
    record_all(&world, &old[..200], later(&world, 3 * DAY)).await;
    record_all(&world, &old[200..400], AttemptDecision::Succeeded).await;
    world.advance(DAY);
    let (young, event) = world.lead(None);
    world.store.capture_lead(&young, &event, world.now(), world.now()).await.unwrap();
    let expected = Purged { leads: 250, events: 250, deliveries: 500, attempts: 400, ..Purged::default() };
    assert_eq!(world.purge(&defaults()).await, expected);
    let lost = record_all(&world, &old[400..], AttemptDecision::Succeeded).await;
    assert!(lost.into_iter().all(|outcome| outcome == LeaseOutcome::Lost));
    assert_eq!(world.store.find_lead(&young.id).await.unwrap(), Some(young));
    let left = claim(&world, 5000, 5000).await;
    assert!(left.len() == 2 && left.iter().all(|delivery| delivery.event_id == event.id));
}

pub(crate) async fn jobs_and_posts_are_purged_ninety_days_after_their_end_and_articles_stay(world: World) {
    let store = &world.store;
    world.hook(world.endpoint(&[EventType::JobFailed])).await;
    let kept = Retention { events: 100 * DAY, deliveries: 100 * DAY, attempts: 100 * DAY, ..defaults() };
    let (published, published_post) = written(&world, "Published", ArticleStatus::Scheduled).await;
    publish(&world, &due(&world).await.remove(0)).await;
    let (_, refused_post) = written(&world, "Refused", ArticleStatus::Scheduled).await;
    let refused = due(&world).await.remove(0);
    let failure = Failure { code: "publish_failed".to_owned(), message: "No.".to_owned(), retryable: true };
    let outcome = PublishOutcome::Failed(failure);
    store.record_publish(&refused_post, &refused.lease_token, outcome, world.moment()).await.unwrap();
    let (waiting, waiting_post) = written(&world, "Waits for approval", ArticleStatus::Draft).await;
    world.queue(world.submission("fails")).await;
    let failed = world.claim().await.remove(0);
    let failure = JobFailure {
        job_id: failed.job.id.clone(),
        lease_token: failed.lease_token.clone(),
        failure: Failure { code: "internal_error".to_owned(), message: "No.".to_owned(), retryable: true },
        retry_at: None,
        event_id: "evt_failed".to_owned(),
        now: world.moment(),
    };
    assert_eq!(store.fail_job(failure).await.unwrap(), LeaseOutcome::Recorded);
    let unfinished = world.queue(world.submission("not written yet")).await;
    world.advance_almost(90 * DAY);
    assert_eq!(world.purge(&kept).await, Purged::default());
    world.advance(MILLISECOND);
    let expected = Purged { posts: 2, jobs: 2, events: 1, deliveries: 1, ..Purged::default() };
    assert_eq!(world.purge(&kept).await, expected);
    assert_eq!(world.purge(&kept).await, Purged::default());

    let job_id = published.job_id.as_ref().unwrap();
    assert_eq!(store.find_job(job_id).await.unwrap(), None);
    assert_eq!(store.find_post(&published_post).await.unwrap(), None);
    assert!(store.find_article(&published.id).await.unwrap().is_some());
    assert_eq!(store.find_article_of_job(job_id).await.unwrap().unwrap().id, published.id);
    assert!(store.archive_article(&published.id, world.now()).await.unwrap(), "it can be taken down");
    assert!(store.restore_article(&published.id, world.now()).await.unwrap());
    assert_eq!(store.find_job(&failed.job.id).await.unwrap(), None);
    for job_id in [waiting.job_id.as_ref().unwrap(), &unfinished] {
        assert!(store.find_job(job_id).await.unwrap().is_some());
    }
    assert!(store.find_post(&waiting_post).await.unwrap().is_some());
    assert!(store.find_post(&refused_post).await.unwrap().is_some(), "its article can be published again");
}

pub(crate) async fn the_audit_trail_is_purged_after_two_years(world: World) {
    let append = async |count: usize| {
        for _ in 0..count {
            let change = (Action::LeadErased, Some("lead_1"));
            let entry =
                AuditEntry::new(&world.account_id, &Actor::Operator, change, None, world.now(), &SystemRandomness);
            world.store.append_audit_entry(&entry).await.unwrap();
        }
    };
    append(501).await;
    world.advance(MILLISECOND);
    append(2).await;
    world.advance_almost((730 * DAY).saturating_sub(MILLISECOND));
    assert_eq!(world.purge(&defaults()).await, Purged::default());
    world.advance(MILLISECOND);
    assert_eq!(world.purge(&defaults()).await, Purged { audit_entries: 501, ..Purged::default() });
    let page = PageRequest { after: None, limit: 100 };
    let left = world.store.list_audit_entries(&world.account_id, &AuditFilter::default(), &page).await.unwrap();
    assert_eq!(left.len(), 2);
}

pub(crate) async fn what_was_purged_was_not_missed(world: World) {
    let id = world.hook(world.endpoint(&EventType::DEFAULT)).await;
    capture(&world, 3).await;
    record_all(&world, &claim(&world, 10, 10).await, AttemptDecision::Succeeded).await;
    let shortest = Retention { deliveries: MIN_EVENT_RETENTION, ..defaults() };
    // Deliveries that are older than 14 days cannot be recovered.
    world.advance(14 * DAY);
    assert_eq!(world.purge(&shortest).await, Purged::default());
    let since = world.now().minus(14 * DAY);
    assert_eq!(world.store.recover_deliveries(&id, since, world.moment()).await.unwrap(), 0);
    world.advance(DAY);
    assert_eq!(world.purge(&shortest).await.deliveries, 3);
    let since = world.now().minus(14 * DAY);
    assert_eq!(world.store.recover_deliveries(&id, since, world.moment()).await.unwrap(), 0);
}

pub(crate) async fn a_batch_is_small_however_much_hangs_on_its_records(world: World) {
    for _ in 0..10 {
        world.hook(world.endpoint(&EventType::DEFAULT)).await;
    }
    world.store.set_lead_retention(&world.website_id, Some(31 * DAY)).await.unwrap();
    for kind in [RecordKind::Event, RecordKind::Lead] {
        capture_many(&world, 120).await;
        record_all(&world, &claim(&world, 5000, 5000).await, AttemptDecision::Succeeded).await;
        let (mut next, mut batches, now) = (Some(String::new()), 0, world.advance(31 * DAY));
        while let Some(after) = next {
            let batch = world.store.purge(kind, now, &after).await.unwrap();
            let rows: u64 = RecordKind::ALL.into_iter().map(|kind| batch.purged.count(kind)).sum();
            assert!((1..=1200).contains(&rows), "{rows} rows at once");
            next = batch.next;
            batches += 1;
        }
        assert!(batches >= 3, "2,520 rows in {batches} batches");
    }
    assert_eq!(world.purge(&defaults()).await, Purged::default());
}

pub(crate) async fn two_that_purge_at_once_delete_nothing_twice(world: World) {
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    capture_many(&world, 700).await;
    record_all(&world, &claim(&world, 5000, 5000).await, AttemptDecision::Succeeded).await;
    world.advance(30 * DAY);
    let mut purged = Purged::default();
    let retention = defaults();
    for one in join_all((0..4).map(|_| world.purge(&retention))).await {
        purged += one;
    }
    purged += world.purge(&retention).await;
    assert_eq!(purged, Purged { events: 700, deliveries: 700, attempts: 700, ..Purged::default() });
}
