//! Promises about deleting websites and accounts: invisible at once, then removed in small batches.

use std::time::Duration;

use contentgen_server_stub::domain::account::{Account, WebsiteStatus};
use contentgen_server_stub::domain::article::{Article, ArticleStatus};
use contentgen_server_stub::domain::audit::{Action, Actor, AuditEntry};
use contentgen_server_stub::domain::event::EventType;
use contentgen_server_stub::domain::failure::Failure;
use contentgen_server_stub::domain::hook::MAX_ENDPOINTS;
use contentgen_server_stub::domain::key::{ApiKey, KeyQuotas, Secret, SecretHash};
use contentgen_server_stub::domain::language_model::ModelUsage;
use contentgen_server_stub::domain::retention::{RecordKind, Retention};
use contentgen_server_stub::domain::retry_schedule::AttemptDecision;
use contentgen_server_stub::domain::store::{
    ArticleFilter, AuditFilter, DeletionCounts, Error, LeadFilter, LeaseOutcome, PageRequest, PostFilter,
    PublishOutcome, Purged, PurgedBatch, Submitted, WebsiteFilter,
};
use contentgen_server_stub::domain::visibility::Visibility;
use contentgen_server_stub::randomness::SystemRandomness;

use super::deliveries::{claim, record};
use super::pipeline::{due, publish, written};
use super::targets::directory;
use super::users::added;
use super::world::World;

const ALL: PageRequest = PageRequest { after: None, limit: 100 };
const OTHER: &str = "web_other";

fn key(world: &World, id: &str, website_ids: Option<&[&str]>) -> ApiKey {
    ApiKey {
        id: id.to_owned(),
        account_id: world.account_id.clone(),
        name: "a key".to_owned(),
        secret_hash: SecretHash::of(Secret::generate(&SystemRandomness).reveal()),
        last4: "last".to_owned(),
        scopes: Vec::new(),
        website_ids: website_ids.map(|ids| ids.iter().map(|id| (*id).to_owned()).collect()),
        quotas: KeyQuotas::default(),
        created_at: world.now(),
        expires_at: None,
        revoked_at: None,
        last_used_at: None,
    }
}

/// Returns the keys that are restricted to the website, to both websites, and to none.
async fn keys(world: &World) -> [ApiKey; 3] {
    world.store.create_website(&world.website(OTHER, WebsiteStatus::Active)).await.unwrap();
    let own = world.website_id.as_str();
    let keys = [key(world, "key_1", Some(&[own])), key(world, "key_2", Some(&[own, OTHER])), key(world, "key_3", None)];
    for key in &keys {
        world.store.create_key(key).await.unwrap();
    }
    keys
}

/// Publishes an article of the website to a folder, and fails another job. Captures a lead. Returns the article.
async fn fill(world: &World) -> Article {
    world.set_target(&world.website_id, &directory("posts")).await.unwrap();
    let (article, _) = written(world, "A title", ArticleStatus::Scheduled).await;
    assert_eq!(publish(world, &due(world).await.remove(0)).await, LeaseOutcome::Recorded);
    let usage = ModelUsage { writer: "one".to_owned(), requests: 1, ..ModelUsage::default() };
    world.store.add_model_usage(article.job_id.as_ref().unwrap(), "report", &usage).await.unwrap();
    world.queue(world.keyed_submission("never written", "key")).await;
    let (lead, event) = world.lead(Some("one@example.org"));
    world.store.capture_lead(&lead, &event, world.now(), world.now()).await.unwrap();
    article
}

pub(crate) async fn a_deleted_website_is_invisible_at_once_and_then_removed_with_all_that_belongs_to_it(world: World) {
    let (store, id) = (&world.store, world.website_id.as_str());
    let [own, both, free] = keys(&world).await;
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let mut restricted = world.endpoint(&EventType::DEFAULT);
    restricted.website_id = Some(id.to_owned());
    let restricted = world.hook(restricted).await;
    let article = fill(&world).await;
    let job_id = article.job_id.clone().unwrap();
    let visibility = Visibility { account_id: world.account_id.clone(), website_ids: None };
    let post = store.list_posts(&visibility, &PostFilter::default(), &ALL).await.unwrap().remove(0);
    let lead = store.list_leads(&visibility, &LeadFilter::default(), &ALL).await.unwrap().remove(0);
    record(&world, &claim(&world, 1, 1).await[0], AttemptDecision::Succeeded).await;
    let counts = DeletionCounts { websites: 1, articles: 1, posts: 2, leads: 1, endpoints: 1 };
    assert_eq!(store.count_to_delete(id).await.unwrap(), counts);

    assert!(store.delete_website(&world.account_id, id, world.now()).await.unwrap());
    assert!(!store.delete_website(&world.account_id, id, world.now()).await.unwrap(), "it was deleted before");
    // A form that was opened before changes nothing.
    assert!(!store.set_website_status(id, WebsiteStatus::Active, world.now()).await.unwrap());
    assert!(!store.set_lead_retention(id, Some(Duration::from_hours(24))).await.unwrap());
    assert!(!world.set_target(id, &directory("more")).await.unwrap());
    // Its endpoint does not count any more.
    let mut others = Vec::new();
    for _ in 0..MAX_ENDPOINTS - 1 {
        others.push(world.hook(world.endpoint(&[EventType::HookTest])).await);
    }
    for endpoint in &others {
        assert!(store.remove_hook_endpoint(endpoint).await.unwrap());
    }
    for is_removed in [false, true] {
        assert_eq!(store.find_website(id).await.unwrap(), None);
        assert_eq!(store.find_site(id).await.unwrap(), None);
        assert_eq!(store.find_job(&job_id).await.unwrap(), None);
        assert!(store.find_article(&article.id).await.unwrap().is_none());
        assert!(store.find_article_of_job(&job_id).await.unwrap().is_none());
        assert_eq!(store.find_post(&post.id).await.unwrap(), None);
        assert_eq!(store.find_lead(&lead.id).await.unwrap(), None);
        assert_eq!(store.list_articles(&visibility, &ArticleFilter::default(), &ALL).await.unwrap(), []);
        assert_eq!(store.list_posts(&visibility, &PostFilter::default(), &ALL).await.unwrap(), []);
        assert_eq!(store.list_leads(&visibility, &LeadFilter::default(), &ALL).await.unwrap(), []);
        assert_eq!(store.count_leads(&visibility, &LeadFilter::default(), None).await.unwrap(), 0);
        let websites = store.list_websites(&visibility, &WebsiteFilter::default(), &ALL).await.unwrap();
        assert_eq!(websites.into_iter().map(|website| website.website_id).collect::<Vec<_>>(), [OTHER]);
        let endpoints = store.list_hook_endpoints(&world.account_id).await.unwrap();
        assert!(endpoints.len() == 1 && endpoints[0].endpoint.id != restricted);
        let since = world.now().plus_millis(-1);
        assert_eq!(
            store.find_idempotency((&world.account_id, &world.website_id), "generate", "key", since).await.unwrap(),
            None
        );
        let refused = store.submit(world.submission("again")).await;
        assert!(matches!(refused, Err(Error::MissingReference)), "{refused:?}");
        assert_eq!(store.find_key(own.secret_hash).await.unwrap(), None);
        let both = store.find_key(both.secret_hash).await.unwrap().unwrap();
        assert_eq!(both.website_ids, Some(vec![OTHER.to_owned()]));
        assert_eq!(store.find_key(free.secret_hash).await.unwrap().as_ref(), Some(&free));
        if !is_removed {
            let purged = Purged {
                idempotency_keys: 1,
                leads: 1,
                posts: 2,
                jobs: 2,
                // One event of the article and one of the lead, for two endpoints each.
                events: 2,
                deliveries: 4,
                attempts: 1,
                websites: 1,
                ..Purged::default()
            };
            assert_eq!(world.purge(&Retention::default()).await, purged);
        }
    }
    assert_eq!(store.count_to_delete(id).await.unwrap(), DeletionCounts::default());
    // Its folder is free.
    assert!(world.set_target(OTHER, &directory("posts")).await.unwrap());
    assert_eq!(world.purge(&Retention::default()).await, Purged::default());
}

pub(crate) async fn work_in_progress_for_a_deleted_website_ends_and_makes_nothing(world: World) {
    let store = &world.store;
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    for title in ["To publish", "To fail"] {
        written(&world, title, ArticleStatus::Scheduled).await;
    }
    let mut publishing = due(&world).await;
    let failing = publishing.remove(1);
    let publishing = publishing.remove(0);
    let (lead, event) = world.lead(None);
    store.capture_lead(&lead, &event, world.now(), world.now()).await.unwrap();
    let sending = claim(&world, 1, 1).await.remove(0);
    for topic in ["written before", "written after", "waits"] {
        world.queue(world.submission(topic)).await;
    }
    let claimed = store.claim_jobs(2, world.moment(), world.now().plus(Duration::from_mins(1))).await.unwrap().claimed;
    for one in &claimed {
        world.begin(one, Duration::from_mins(1)).await.unwrap();
    }
    assert!(store.delete_website(&world.account_id, &world.website_id, world.now()).await.unwrap());
    let failed = Failure { code: "publish_failed".to_owned(), message: "Away.".to_owned(), retryable: true };
    let (post, token) = (&failing.post.id, &failing.lease_token);
    let outcome = store.record_publish(post, token, PublishOutcome::Failed(failed), world.moment()).await.unwrap();
    assert_eq!(outcome, LeaseOutcome::Recorded);
    // This job ends before its row is removed.
    store.complete_job(world.completion(&claimed[0], "Before")).await.unwrap();
    assert!(due(&world).await.is_empty(), "its article is published");
    assert!(world.claim_unbegun().await.is_empty(), "another job begins");
    let purged = world.purge(&Retention::default()).await;
    assert_eq!((purged.websites, purged.posts, purged.jobs), (1, 5, 5));

    let completed = store.complete_job(world.completion(&claimed[1], "After")).await.unwrap();
    assert_eq!(completed, LeaseOutcome::Lost);
    assert_eq!(publish(&world, &publishing).await, LeaseOutcome::Lost);
    let retry = PublishOutcome::RetryAt(world.now());
    let (post, token) = (&publishing.post.id, &publishing.lease_token);
    assert_eq!(store.record_publish(post, token, retry, world.moment()).await.unwrap(), LeaseOutcome::Lost);
    assert_eq!(record(&world, &sending, AttemptDecision::Succeeded).await, LeaseOutcome::Lost);
    let usage = ModelUsage { writer: "one".to_owned(), requests: 1, ..ModelUsage::default() };
    store.add_model_usage(&claimed[1].job.id, "late", &usage).await.unwrap();
    assert_eq!(store.model_usage(&claimed[1].job.id).await.unwrap(), None);
    assert_eq!(world.purge(&Retention::default()).await, Purged::default());
    assert_eq!(store.count_to_delete(&world.account_id).await.unwrap().articles, 0);
}

pub(crate) async fn a_deleted_website_is_removed_in_small_batches(world: World) {
    let store = &world.store;
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    for _ in 0..250 {
        let (lead, event) = world.lead(None);
        store.capture_lead(&lead, &event, world.now(), world.now()).await.unwrap();
        world.queue(world.submission("a topic")).await;
    }
    assert!(store.delete_website(&world.account_id, &world.website_id, world.now()).await.unwrap());
    let (mut batches, mut next) = (0, Some(String::new()));
    while let Some(after) = next {
        let PurgedBatch { purged, next: following } =
            store.purge(RecordKind::DeletedWebsite, world.now(), &after).await.unwrap();
        let largest = [purged.leads, purged.events, purged.jobs].into_iter().max().unwrap();
        assert!(largest <= 100 && purged.posts <= 500, "{purged:?}");
        (batches, next) = (batches + 1, following);
    }
    assert!(batches > 6, "{batches}");
    assert_eq!(store.count_to_delete(&world.website_id).await.unwrap(), DeletionCounts::default());
}

pub(crate) async fn a_deleted_account_leaves_nothing_but_one_entry_of_its_audit_trail(world: World) {
    let (store, id) = (&world.store, world.account_id.as_str());
    let [first, ..] = keys(&world).await;
    let (ada, bob) = (added(&world, "ada@example.com").await, added(&world, "bob@example.com").await);
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    fill(&world).await;
    let entry = |action| {
        let actor = Actor::User(ada.id.clone().into());
        AuditEntry::new(id, &actor, (action, Some(id)), Some("2 websites"), world.now(), &SystemRandomness)
    };
    store.append_audit_entry(&entry(Action::AccountRenamed)).await.unwrap();
    let last = entry(Action::AccountDeleted);
    let recorded = store.audited(last.clone());
    assert!(!recorded.delete_account(id, Some(&ada.id), world.now()).await.unwrap(), "there is another user");
    assert!(store.remove_user(&bob.id).await.unwrap());
    assert!(recorded.delete_account(id, Some(&ada.id), world.now()).await.unwrap());
    let again = recorded.delete_account(id, None, world.now()).await;
    assert!(matches!(again, Err(Error::MissingReference)), "it was deleted before: {again:?}");
    let website = world.website("web_more", WebsiteStatus::Active);
    assert!(matches!(store.create_website(&website).await, Err(Error::MissingReference)));

    assert_eq!(store.find_account(id).await.unwrap(), None);
    assert_eq!(store.list_users(id).await.unwrap(), []);
    assert_eq!(store.find_key(first.secret_hash).await.unwrap(), None);
    assert_eq!(store.find_website(OTHER).await.unwrap(), None);
    assert!(claim(&world, 10, 10).await.is_empty(), "its hooks are sent");
    // Another account may have its name and its user.
    let again = Account { id: "acct_2".to_owned(), name: "first".to_owned(), created_at: world.now() };
    store.create_account(&again).await.unwrap();
    let purged = world.purge(&Retention::default()).await;
    assert_eq!((purged.websites, purged.accounts, purged.jobs, purged.leads), (2, 1, 2, 1));
    assert_eq!(store.list_audit_entries(id, &AuditFilter::default(), &ALL).await.unwrap(), [last]);
    assert_eq!(store.find_account("first").await.unwrap(), Some(again));
    assert_eq!(world.purge(&Retention::default()).await, Purged::default());
    assert!(matches!(store.submit(world.submission("again")).await, Err(Error::MissingReference)));
    world.advance(Duration::from_hours(730 * 24));
    assert_eq!(world.purge(&Retention::default()).await, Purged { audit_entries: 1, ..Purged::default() });
}

pub(crate) async fn a_deleted_website_does_not_reset_the_jobs_of_the_day(world: World) {
    let submit = async |website_id: &str| {
        let mut submission = world.submission("a topic");
        submission.limits.per_day = Some(2);
        for place in [&mut submission.job.website_id, &mut submission.post.website_id] {
            website_id.clone_into(place);
        }
        world.store.submit(submission).await.unwrap()
    };
    assert_eq!(submit(&world.website_id).await, Submitted::Queued);
    world.store.create_website(&world.website(OTHER, WebsiteStatus::Active)).await.unwrap();
    world.store.delete_website(&world.account_id, &world.website_id, world.now()).await.unwrap();
    world.purge(&Retention::default()).await;
    assert_eq!(submit(OTHER).await, Submitted::Queued);
    assert_eq!(submit(OTHER).await, Submitted::DayFull);
    world.advance(Duration::from_hours(24));
    assert_eq!(submit(OTHER).await, Submitted::Queued);
    // A clock that is set back does not begin another day.
    world.set_wall_ahead(-24 * 60 * 60 * 1000);
    assert_eq!(submit(OTHER).await, Submitted::Queued);
    assert_eq!(submit(OTHER).await, Submitted::DayFull);
    // A clock that was a year ahead does not end the next days.
    world.set_wall_ahead(365 * 24 * 60 * 60 * 1000);
    assert_eq!(submit(OTHER).await, Submitted::Queued);
    world.set_wall_ahead(0);
    for expected in [Submitted::Queued, Submitted::Queued, Submitted::DayFull] {
        assert_eq!(submit(OTHER).await, expected);
    }
}
