//! Promises about publishing a finished article.

use std::time::Duration;

use contentgen_server_stub::domain::account::WebsiteStatus;
use contentgen_server_stub::domain::article::{Article, ArticleStatus, ArticleSummary};
use contentgen_server_stub::domain::clock::Timestamp;
use contentgen_server_stub::domain::event::{Event, EventType};
use contentgen_server_stub::domain::failure::Failure;
use contentgen_server_stub::domain::id::{self, Kind};
use contentgen_server_stub::domain::job::MAX_INTERRUPTIONS;
use contentgen_server_stub::domain::post::{PostChange, PostStatus, ScheduledPost};
use contentgen_server_stub::domain::store::{
    ArticlePart, ClaimedPost, LeaseOutcome, PageRequest, PostFilter, PublishOutcome, Submission,
};
use contentgen_server_stub::domain::visibility::Visibility;
use contentgen_server_stub::randomness::SystemRandomness;

use super::world::{LEASE, World, both, capacity};

async fn write(world: &World, submission: Submission) -> Article {
    world.queue(submission).await;
    let claimed = world.claim().await.remove(0);
    let completion = world.completion(&claimed, "A title");
    let article = completion.article.clone();
    assert_eq!(world.store.complete_job(completion).await.unwrap(), LeaseOutcome::Recorded);
    article
}

async fn due(world: &World) -> Vec<ClaimedPost> {
    world.store.claim_posts(10, &[], world.moment(), world.now().plus(LEASE)).await.unwrap()
}

async fn only_post(world: &World) -> ScheduledPost {
    let visibility = Visibility { account_id: world.account_id.clone(), website_ids: None };
    let page = PageRequest { after: None, limit: 2 };
    world.store.list_posts(&visibility, &PostFilter::default(), &page).await.unwrap().remove(0)
}

fn published(world: &World, claimed: &ClaimedPost) -> PublishOutcome {
    let article = claimed.article.clone().published("https://example.org/here".to_owned(), world.now());
    let event_id = id::new(Kind::Event, world.now(), &SystemRandomness);
    let event = Event::article_published(event_id, &world.account_id, &article, &claimed.post.id, world.now());
    PublishOutcome::Published { article: Box::new(article), is_hosted: true, event }
}

pub(crate) async fn a_post_is_due_at_its_time_and_not_before(world: World) {
    let mut submission = world.submission("a topic");
    submission.job.request.publish_at = Some(world.now().plus(Duration::from_hours(1)));
    write(&world, submission).await;
    world.advance_almost(Duration::from_hours(1));
    assert!(due(&world).await.is_empty());
    world.advance(Duration::from_millis(1));
    let claimed = due(&world).await.remove(0);
    assert_eq!((claimed.post.status, claimed.post.attempts), (PostStatus::Publishing, 1));
    assert_eq!(claimed.website.website_id, world.website_id);
    assert!(due(&world).await.is_empty());
}

pub(crate) async fn article_post_event_and_deliveries_are_published_together(world: World) {
    let endpoint = world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let article = write(&world, world.submission("a topic")).await;
    assert!(world.store.find_published(&world.website_id, "a-title").await.unwrap().is_none());
    let before = world.store.find_article(&article.id).await.unwrap().unwrap();
    world.advance(Duration::from_secs(1));
    let claimed = due(&world).await.remove(0);
    let outcome = published(&world, &claimed);
    let recorded = world.store.record_publish(&claimed.post.id, &claimed.lease_token, outcome, world.moment()).await;
    assert_eq!(recorded.unwrap(), LeaseOutcome::Recorded);

    let found = world.store.find_published(&world.website_id, "a-title").await.unwrap().unwrap();
    assert_eq!((found.status, found.published_at), (ArticleStatus::Published, Some(world.now())));
    let stored = world.store.find_article(&article.id).await.unwrap().unwrap();
    assert_eq!(serde_json::from_slice::<Article>(&stored.body).unwrap(), found);
    assert_ne!(stored.etag, before.etag, "another body needs another entity tag");
    let post = only_post(&world).await;
    assert_eq!((post.status, post.published_at), (PostStatus::Published, Some(world.now())));
    let now = world.now();
    let deliveries = world.store.claim_deliveries(10, &capacity(5), both(now), now.plus(LEASE)).await.unwrap();
    assert_eq!(deliveries.len(), 1);
    assert_eq!(deliveries[0].endpoint_id, endpoint);
    let body: serde_json::Value = serde_json::from_slice(&deliveries[0].body).unwrap();
    assert_eq!(body["id"], serde_json::json!(deliveries[0].event_id));
    assert_eq!(body["data"]["article"]["id"], serde_json::json!(article.id));
    assert_eq!(body["data"].get("content_html"), None);
}

pub(crate) async fn only_the_last_claim_may_publish(world: World) {
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    write(&world, world.submission("a topic")).await;
    let stale = due(&world).await.remove(0);
    world.advance(LEASE);
    let fresh = due(&world).await.remove(0);
    let store = &world.store;
    let late = published(&world, &stale);
    assert_eq!(
        store.record_publish(&stale.post.id, &stale.lease_token, late, world.moment()).await.unwrap(),
        LeaseOutcome::Lost
    );
    let now = world.now();
    assert!(store.claim_deliveries(10, &capacity(5), both(now), now.plus(LEASE)).await.unwrap().is_empty());
    let outcome = published(&world, &fresh);
    assert_eq!(
        store.record_publish(&fresh.post.id, &fresh.lease_token, outcome, both(now)).await.unwrap(),
        LeaseOutcome::Recorded
    );
    assert_eq!(store.claim_deliveries(10, &capacity(5), both(now), now.plus(LEASE)).await.unwrap().len(), 1);
}

pub(crate) async fn a_failed_attempt_waits_and_a_final_one_is_announced(world: World) {
    let endpoint = world.hook(world.endpoint(&[EventType::ScheduledPostFailed])).await;
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let article = write(&world, world.submission("a topic")).await;
    let claimed = due(&world).await.remove(0);
    let retry = PublishOutcome::RetryAt(world.now().plus_millis(5000));
    world.store.record_publish(&claimed.post.id, &claimed.lease_token, retry, world.moment()).await.unwrap();
    assert_eq!(only_post(&world).await.status, PostStatus::Scheduled);
    world.advance(Duration::from_millis(4999));
    assert!(due(&world).await.is_empty());
    world.advance(Duration::from_millis(1));
    let claimed = due(&world).await.remove(0);
    let failure = Failure { code: "publish_rejected".to_owned(), message: "No.".to_owned(), retryable: false };
    let failed = PublishOutcome::Failed(failure.clone());
    world.store.record_publish(&claimed.post.id, &claimed.lease_token, failed, world.moment()).await.unwrap();
    let post = only_post(&world).await;
    assert_eq!((post.status, post.attempts, post.error.as_ref()), (PostStatus::Failed, 2, Some(&failure)));
    assert_eq!(announced(&world).await, [(endpoint.clone(), post.clone())]);
    // A user publishes it again, and it fails again.
    world.store.change_post(&post.id, PostChange::RetryPublishing, world.moment()).await.unwrap().unwrap();
    let claimed = due(&world).await.remove(0);
    let failed = PublishOutcome::Failed(failure.clone());
    for outcome in [LeaseOutcome::Recorded, LeaseOutcome::Lost] {
        let recorded =
            world.store.record_publish(&claimed.post.id, &claimed.lease_token, failed.clone(), world.moment()).await;
        assert_eq!(recorded.unwrap(), outcome);
    }
    assert_eq!(announced(&world).await, [(endpoint, only_post(&world).await)]);
    assert_eq!(world.store.posts_failed(), 2);
    let stored = world.store.find_article(&article.id).await.unwrap().unwrap();
    assert_eq!(stored.status, ArticleStatus::Scheduled);
}

/// Returns the posts in the events that are due, each with its endpoint.
async fn announced(world: &World) -> Vec<(String, ScheduledPost)> {
    let due = world.store.claim_deliveries(10, &capacity(5), world.moment(), world.now().plus(LEASE)).await.unwrap();
    let post = |body: &[u8]| {
        let body: serde_json::Value = serde_json::from_slice(body).unwrap();
        assert_eq!(body["type"], "scheduled_post.failed");
        let post: ScheduledPost = serde_json::from_value(body["data"]["scheduled_post"].clone()).unwrap();
        ScheduledPost { account_id: world.account_id.clone(), ..post }
    };
    due.iter().map(|one| (one.endpoint_id.clone(), post(&one.body))).collect()
}

pub(crate) async fn a_post_whose_publishing_crashes_again_and_again_fails(world: World) {
    let endpoint = world.hook(world.endpoint(&[EventType::ScheduledPostFailed])).await;
    write(&world, world.submission("a topic")).await;
    // A crash does not count as an attempt, and the number of crashes is limited.
    for _ in 0..=MAX_INTERRUPTIONS {
        assert_eq!(due(&world).await[0].post.attempts, 1);
        world.advance(LEASE);
    }
    assert!(due(&world).await.is_empty());
    let post = only_post(&world).await;
    assert_eq!((post.status, post.error.as_ref().unwrap().code.as_str()), (PostStatus::Failed, "publish_failed"));
    assert_eq!((announced(&world).await, world.store.posts_failed()), (vec![(endpoint, post)], 1));
}

pub(crate) async fn an_endpoint_that_asked_for_content_gets_it(world: World) {
    world.store.create_website(&world.website("web_2", WebsiteStatus::Active)).await.unwrap();
    let mut endpoint = world.endpoint(&EventType::DEFAULT);
    endpoint.include_content = true;
    world.hook(endpoint).await;
    let mut elsewhere = world.endpoint(&EventType::DEFAULT);
    elsewhere.website_id = Some("web_2".to_owned());
    world.hook(elsewhere).await;
    write(&world, world.submission("a topic")).await;
    let claimed = due(&world).await.remove(0);
    let outcome = published(&world, &claimed);
    let now = world.now();
    world.store.record_publish(&claimed.post.id, &claimed.lease_token, outcome, both(now)).await.unwrap();
    let deliveries = world.store.claim_deliveries(10, &capacity(5), both(now), now.plus(LEASE)).await.unwrap();
    assert_eq!(deliveries.len(), 1, "the endpoint of another website gets nothing");
    let body: serde_json::Value = serde_json::from_slice(&deliveries[0].body).unwrap();
    assert_eq!(body["data"]["content_html"], serde_json::json!(claimed.article.content.content_html));
}

pub(crate) async fn a_site_has_the_time_of_its_latest_change_and_knows_where_articles_are(world: World) {
    let visibility =
        Visibility { account_id: world.account_id.clone(), website_ids: Some(vec![world.website_id.clone()]) };
    let site = async || world.store.find_site(&world.website_id).await.unwrap().unwrap();
    assert_eq!(site().await.1, None);
    let mut ids = Vec::new();
    for hosted in [true, false] {
        world.advance(Duration::from_secs(1));
        let former = site().await.1;
        ids.push(write(&world, world.submission("a topic")).await.id);
        assert_eq!(site().await.1, former, "nothing is shown yet");
        world.advance(Duration::from_secs(1));
        let claimed = due(&world).await.remove(0);
        let PublishOutcome::Published { article, event, .. } = published(&world, &claimed) else { unreachable!() };
        let outcome = PublishOutcome::Published { article, is_hosted: hosted, event };
        world.store.record_publish(&claimed.post.id, &claimed.lease_token, outcome, world.moment()).await.unwrap();
        assert_eq!(site().await.1, Some(world.now()));
    }
    let page = PageRequest { after: None, limit: 3 };
    let summaries =
        world.store.list_published::<ArticleSummary>(&visibility, ArticlePart::Summary, &page).await.unwrap();
    let wholes = world.store.list_published::<Article>(&visibility, ArticlePart::Whole, &page).await.unwrap();
    let listed: Vec<_> = summaries.iter().map(|row| (row.article.id.clone(), row.is_hosted)).collect();
    assert_eq!(listed, [(ids[1].clone(), false), (ids[0].clone(), true)]);
    assert_eq!(wholes.iter().map(|row| (row.article.id.clone(), row.is_hosted)).collect::<Vec<_>>(), listed);
    let slug = |number: usize| wholes[number].article.content.slug.clone();
    assert!(world.store.find_published(&world.website_id, &slug(0)).await.unwrap().is_none(), "it is elsewhere");
    assert!(world.store.find_published(&world.website_id, &slug(1)).await.unwrap().is_some());

    // A list without an article is a change, too, and stays one when the article is a draft again.
    world.advance(Duration::from_secs(1));
    assert!(world.store.archive_article(&ids[0], world.now()).await.unwrap());
    assert_eq!(site().await.1, Some(world.now()));
    world.advance(Duration::from_secs(1));
    assert!(world.store.restore_article(&ids[0], world.now()).await.unwrap());
    assert_eq!(site().await.1, Some(world.now()));

    world.advance(Duration::from_secs(1));
    assert!(world.store.set_site(&world.website_id, (Some(true), None), world.now()).await.unwrap());
    assert!(!world.store.set_site("web_other", (Some(true), Some(true)), world.now()).await.unwrap());
    let website = site().await.0;
    assert_eq!((website.pages_at_url, website.full_text_feed, website.updated_at), (true, false, world.now()));
    // A clock was set back. The time of the last change never decreases, or readers with a copy would miss the change.
    let earlier = Timestamp::from_millis(world.now().millis() - 60_000);
    assert!(world.store.set_site(&world.website_id, (None, Some(true)), earlier).await.unwrap());
    assert!(world.store.set_website_status(&world.website_id, WebsiteStatus::Paused, earlier).await.unwrap());
    let website = site().await.0;
    assert_eq!((website.pages_at_url, website.full_text_feed, website.updated_at), (true, true, world.now()));
    assert!(world.store.find_site("web_other").await.unwrap().is_none());
}
