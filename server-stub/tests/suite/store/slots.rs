//! Promises about publishing slots: each article gets a different slot.

use std::collections::BTreeSet;
use std::time::Duration;

use contentgen_server_stub::domain::account::{Website, WebsiteStatus};
use contentgen_server_stub::domain::article::{Article, ArticleStatus};
use contentgen_server_stub::domain::clock::Timestamp;
use contentgen_server_stub::domain::post::{PostChange, PostStatus, ScheduledPost};
use contentgen_server_stub::domain::store::{ClaimedJob, LeaseOutcome};
use contentgen_server_stub::domain::time_zone::TimeZone;
use contentgen_server_stub::storage::Store;
use futures::future::join_all;

use super::world::{LEASE, World};

/// Sets the slots of the world's website.
pub(super) async fn set_slots(world: &World, slots: &str) {
    let slots = slots.parse().unwrap();
    assert!(world.store.set_publishing_slots(&world.website_id, &slots, world.now()).await.unwrap());
}

/// Reads the stored website.
async fn website(world: &World) -> Website {
    world.store.find_website(&world.website_id).await.unwrap().unwrap()
}

/// Returns the next `count` times of the website's slots.
pub(super) async fn moments(world: &World, count: usize) -> Vec<Timestamp> {
    let website = website(world).await;
    let zone = TimeZone::parse(&website.time_zone).unwrap();
    website.publishing_slots.after(zone, world.moment().wall).take(count).collect()
}

/// Queues an article and claims its job. Returns the id of its post with the claim.
async fn claimed(world: &World, publish_at: Option<Timestamp>) -> (String, ClaimedJob) {
    let mut submission = world.submission("a topic");
    submission.job.request.publish_at = publish_at;
    submission.post.publish_at = publish_at;
    let post_id = submission.post.id.clone();
    world.queue(submission).await;
    (post_id, world.claim().await.remove(0))
}

/// Writes an article, which waits for approval unless `status` is `scheduled`. Returns its post.
pub(super) async fn written(world: &World, status: ArticleStatus, publish_at: Option<Timestamp>) -> ScheduledPost {
    let (post_id, claimed) = claimed(world, publish_at).await;
    let mut completion = world.completion(&claimed, "A title");
    completion.article.status = status;
    assert_eq!(world.store.complete_job(completion).await.unwrap(), LeaseOutcome::Recorded);
    post(world, &post_id).await
}

async fn scheduled(world: &World) -> ScheduledPost {
    written(world, ArticleStatus::Scheduled, None).await
}

async fn post(world: &World, post_id: &str) -> ScheduledPost {
    world.store.find_post(post_id).await.unwrap().unwrap()
}

pub(crate) async fn a_website_keeps_the_slots_that_were_set(world: World) {
    let mut website = world.website("web_2", WebsiteStatus::Active);
    assert!(website.publishing_slots.is_empty());
    website.publishing_slots = "Tue,Thu 09:00".parse().unwrap();
    world.store.create_website(&website).await.unwrap();
    let stored = || async { world.store.find_website("web_2").await.unwrap().unwrap() };
    assert_eq!(stored().await, website);
    website.publishing_slots = "daily 07:30".parse().unwrap();
    assert!(world.update_website(&website).await);
    assert_eq!(stored().await, website);
    world.advance(Duration::from_secs(1));
    let none = "".parse().unwrap();
    assert!(world.store.set_publishing_slots("web_2", &none, world.now()).await.unwrap());
    assert_eq!((stored().await.publishing_slots, stored().await.updated_at), (none.clone(), world.now()));
    assert!(!world.store.set_publishing_slots("web_none", &none, world.now()).await.unwrap());
}

pub(crate) async fn an_article_gets_the_next_free_slot(world: World) {
    let at_once = scheduled(&world).await;
    assert_eq!(at_once.publish_at, None, "the website has no slots yet");
    set_slots(&world, "Tue,Thu 09:00").await;
    let slots = moments(&world, 6).await;
    assert_eq!(slots[0].to_string(), "2026-09-22T07:00:00.000Z", "nine in Berlin, in summer");
    for slot in &slots[..2] {
        let post = scheduled(&world).await;
        assert_eq!((post.status, post.publish_at), (PostStatus::Scheduled, Some(*slot)));
    }
    // A slot is taken by an article with exactly this requested time, also before the article is written.
    written(&world, ArticleStatus::Scheduled, Some(slots[3].plus_millis(1))).await;
    let (ordered, job) = claimed(&world, Some(slots[2])).await;
    assert_eq!(scheduled(&world).await.publish_at, Some(slots[3]));
    world.store.complete_job(world.completion(&job, "A title")).await.unwrap();
    assert_eq!(post(&world, &ordered).await.publish_at, Some(slots[2]), "a time that was asked for is kept");
    // An article that waits for approval takes no slot, and a cancelled one frees its slot.
    let waiting = written(&world, ArticleStatus::Draft, None).await;
    assert_eq!((waiting.status, waiting.publish_at), (PostStatus::Ready, None));
    let kept = written(&world, ArticleStatus::Draft, Some(slots[4])).await;
    assert_eq!((kept.status, kept.publish_at), (PostStatus::Ready, Some(slots[4])));
    assert_eq!(scheduled(&world).await.publish_at, Some(slots[4]));
    world.store.change_post(&ordered, PostChange::Cancel, world.moment()).await.unwrap().unwrap();
    assert_eq!(scheduled(&world).await.publish_at, Some(slots[2]));
    // A change of the slots does not move scheduled posts.
    set_slots(&world, "").await;
    assert_eq!(post(&world, &waiting.id).await, waiting);
    assert_eq!(scheduled(&world).await.publish_at, None);
}

pub(crate) async fn an_article_in_a_slot_is_published_then_and_not_before(world: World) {
    set_slots(&world, "Tue 09:00").await;
    let slot = scheduled(&world).await.publish_at.unwrap();
    let due = || world.store.claim_posts(10, &[], world.moment(), world.now().plus(LEASE));
    world.advance(Duration::from_millis(u64::try_from(slot.millis() - world.now().millis() - 1).unwrap()));
    assert!(due().await.unwrap().is_empty());
    world.advance(Duration::from_millis(1));
    assert_eq!(due().await.unwrap()[0].post.publish_at, Some(slot));
    assert_eq!(scheduled(&world).await.publish_at, moments(&world, 1).await.first().copied());
}

pub(crate) async fn an_approved_post_gets_the_next_free_slot(world: World) {
    set_slots(&world, "daily 09:00").await;
    let slots = moments(&world, 3).await;
    assert_eq!(scheduled(&world).await.publish_at, Some(slots[0]));
    let waiting = written(&world, ArticleStatus::Draft, None).await;
    let in_slot = || world.store.schedule_in_slot(&waiting.id, world.moment());
    let approved = in_slot().await.unwrap().unwrap();
    assert_eq!((approved.status, approved.publish_at), (PostStatus::Scheduled, Some(slots[1])));
    assert_eq!(post(&world, &waiting.id).await, approved);
    let article = world.store.find_article(approved.article_id.as_deref().unwrap()).await.unwrap().unwrap();
    let article: Article = serde_json::from_slice(&article.body).unwrap();
    assert_eq!(article.status, ArticleStatus::Scheduled);
    assert_eq!(in_slot().await.unwrap(), Some(approved), "it has the first that is free for it");
    world.store.change_post(&waiting.id, PostChange::Cancel, world.moment()).await.unwrap().unwrap();
    assert_eq!(in_slot().await.unwrap(), None);
    assert_eq!(world.store.schedule_in_slot("post_none", world.moment()).await.unwrap(), None);
    let other = written(&world, ArticleStatus::Draft, None).await;
    set_slots(&world, "").await;
    assert_eq!(world.store.schedule_in_slot(&other.id, world.moment()).await.unwrap(), None);
    assert_eq!(post(&world, &other.id).await, other);
}

/// All slots within the search limit are taken.
pub(crate) async fn where_all_slots_are_taken_an_article_waits_for_approval(world: World) {
    set_slots(&world, "Mon,Wed,Fri 12:00").await;
    let slots = moments(&world, 1001).await;
    let planned: Vec<_> = slots[..999]
        .iter()
        .enumerate()
        .map(|(number, slot)| {
            format!(
                "('post_{number}', '{}', '{}', 'a topic', 'queued', {}, 1, 0, 0, 0)",
                world.account_id,
                world.website_id,
                slot.millis()
            )
        })
        .collect();
    let columns =
        "id, account_id, website_id, topic, status, publish_at, auto_publish, attempts, created_at, updated_at";
    world.execute(&format!("INSERT INTO scheduled_posts ({columns}) VALUES {}", planned.join(", ")));
    assert_eq!(scheduled(&world).await.publish_at, Some(slots[999]));
    let waiting = scheduled(&world).await;
    assert_eq!((waiting.status, waiting.publish_at), (PostStatus::Ready, None));
    let article = world.store.find_article(waiting.article_id.as_deref().unwrap()).await.unwrap().unwrap();
    assert_eq!(serde_json::from_slice::<Article>(&article.body).unwrap().status, ArticleStatus::Draft);
    assert_eq!(world.store.schedule_in_slot(&waiting.id, world.moment()).await.unwrap(), None);
}

pub(crate) async fn articles_that_are_ready_at_once_get_slots_of_their_own(world: World) {
    let store = world.store.clone();
    slots_of_their_own(&world, &store).await;
}

/// Two processes, which may be the same, complete jobs and plan approved and late posts concurrently.
pub(super) async fn slots_of_their_own(world: &World, other: &Store) {
    const EACH: usize = 8;
    set_slots(world, "daily 09:00").await;
    let mut approved = Vec::new();
    for _ in 0..EACH {
        approved.push(written(world, ArticleStatus::Draft, None).await.id);
    }
    let mut late = Vec::new();
    for minute in 0..EACH {
        let at = world.now().plus(Duration::from_mins(minute as u64 + 1));
        late.push(written(world, ArticleStatus::Scheduled, Some(at)).await.id);
    }
    let mut jobs = Vec::new();
    for _ in 0..EACH {
        jobs.push(claimed(world, None).await);
    }
    world.advance(Duration::from_hours(1));
    let mut renewed = Vec::new();
    for (post_id, job) in &jobs {
        // The leases expired meanwhile, and no other worker claimed the jobs.
        let token = &job.lease_token;
        world.store.renew_job(&job.job.id, token, world.now().plus(LEASE)).await.unwrap();
        renewed.push(post_id.clone());
    }
    let stores = [&world.store, other];
    let complete = |(number, (_, job)): (usize, &(String, ClaimedJob))| {
        let completion = world.completion(job, "A title");
        async move { assert_eq!(stores[number % 2].complete_job(completion).await.unwrap(), LeaseOutcome::Recorded) }
    };
    let approve = |(number, post_id): (usize, &String)| {
        let post_id = post_id.clone();
        async move { assert!(stores[number % 2].schedule_in_slot(&post_id, world.moment()).await.unwrap().is_some()) }
    };
    let claim = |number: usize| async move {
        stores[number % 2].claim_posts(100, &[], world.moment(), world.now().plus(LEASE)).await.unwrap()
    };
    let (_, _, claims) = tokio::join!(
        join_all(jobs.iter().enumerate().map(complete)),
        join_all(approved.iter().enumerate().map(approve)),
        join_all((0..4).map(claim)),
    );
    let published: Vec<_> = claims.into_iter().flatten().map(|claimed| claimed.post.id).collect();
    assert_eq!(published, [late[0].clone()], "one of those that are late");
    let mut taken = BTreeSet::new();
    for post_id in renewed.iter().chain(&approved).chain(&late[1..]) {
        taken.insert(post(world, post_id).await.publish_at.unwrap());
    }
    let expected = moments(world, 3 * EACH - 1).await;
    assert_eq!(taken.into_iter().collect::<Vec<_>>(), expected, "no slot twice, and none left free");
}
