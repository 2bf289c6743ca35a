//! Promises about posts that missed their time: they are not published in a burst.

use std::collections::BTreeMap;
use std::time::Duration;

use contentgen_server_stub::domain::account::WebsiteStatus;
use contentgen_server_stub::domain::article::ArticleStatus;
use contentgen_server_stub::domain::clock::Timestamp;
use contentgen_server_stub::domain::failure::Failure;
use contentgen_server_stub::domain::late_post::{LATE_AFTER, LATE_PUBLICATION_PAUSE};
use contentgen_server_stub::domain::post::{PostChange, PostStatus, ScheduledPost};
use contentgen_server_stub::domain::store::PublishOutcome;

use super::slots::{moments, set_slots, written};
use super::world::{LEASE, World};

const MINUTE: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);

/// Writes an article that is due in `minutes` minutes.
async fn planned(world: &World, minutes: u32) -> ScheduledPost {
    let at = world.now().plus(minutes * MINUTE);
    written(world, ArticleStatus::Scheduled, Some(at)).await
}

/// Claims all due posts, and returns their ids.
async fn due(world: &World) -> Vec<String> {
    let claimed = world.store.claim_posts(10, &[], world.moment(), world.now().plus(100 * HOUR)).await.unwrap();
    claimed.into_iter().map(|claimed| claimed.post.id).collect()
}

async fn publish_at(world: &World, post: &ScheduledPost) -> Option<Timestamp> {
    world.store.find_post(&post.id).await.unwrap().unwrap().publish_at
}

/// Claims the due posts in each of `minutes` minutes. Returns pairs of the minute and the post's number.
async fn due_by_minute(world: &World, posts: &[ScheduledPost], minutes: usize) -> Vec<(usize, usize)> {
    let mut seen = Vec::new();
    for minute in 0..minutes {
        for id in due(world).await {
            seen.push((minute, posts.iter().position(|post| post.id == id).unwrap()));
        }
        world.advance(MINUTE);
    }
    seen
}

pub(crate) async fn whoever_missed_a_later_time_too_is_late_again(world: World) {
    let mut posts = Vec::new();
    for minutes in 1..=4 {
        posts.push(planned(&world, minutes).await);
    }
    world.advance(HOUR);
    assert_eq!(due_by_minute(&world, &posts, 5).await, [(0, 0)]);
    // No post is published for longer than publishing all of them would have taken.
    world.advance(3 * HOUR);
    assert_eq!(due_by_minute(&world, &posts, 25).await, [(0, 1), (10, 2), (20, 3)]);
}

pub(crate) async fn who_was_given_up_holds_up_nobody(world: World) {
    let mut posts = Vec::new();
    for minutes in 1..=6 {
        posts.push(planned(&world, minutes).await);
    }
    world.advance(HOUR);
    assert_eq!(due_by_minute(&world, &posts, 1).await, [(0, 0)]);
    for post in &posts[2..] {
        world.store.change_post(&post.id, PostChange::Cancel, world.moment()).await.unwrap().unwrap();
    }
    // Another post becomes late. It follows the remaining late post after a pause, and ignores those that are no longer late.
    posts.push(planned(&world, 1).await);
    world.advance(17 * MINUTE);
    assert_eq!(due_by_minute(&world, &posts, 30).await, [(0, 1), (10, 6)]);
}

pub(crate) async fn without_slots_they_are_published_in_their_order_with_pauses(world: World) {
    let mut posts = Vec::new();
    for minutes in [3, 1, 2] {
        posts.push(planned(&world, minutes).await);
    }
    world.advance(HOUR);
    let mut times = BTreeMap::new();
    for minute in 0..40 {
        for id in due(&world).await {
            times.insert(id, minute);
        }
        if minute == 12 {
            // This post is planned after the others and is on time.
            posts.push(planned(&world, 1).await);
        }
        world.advance(MINUTE);
    }
    let times: Vec<_> = posts.iter().map(|post| times[&post.id]).collect();
    assert_eq!(times, [20, 0, 10, 13], "a punctual post does not wait");
    for post in &posts {
        assert_eq!(publish_at(&world, post).await, post.publish_at, "a time that was asked for is kept");
    }
    let pause = LATE_PUBLICATION_PAUSE.as_secs() / 60;
    assert_eq!(pause, 10);
}

pub(crate) async fn one_that_is_late_afterwards_comes_behind_the_others(world: World) {
    let first = planned(&world, 1).await;
    let second = planned(&world, 30).await;
    world.advance(2 * MINUTE + LATE_AFTER);
    assert_eq!(due(&world).await, [first.id]);
    world.set_wall_ahead(i64::try_from(HOUR.as_millis()).unwrap());
    world.advance_almost(LATE_PUBLICATION_PAUSE);
    assert!(due(&world).await.is_empty(), "the pause goes by the steady time");
    world.advance(Duration::from_millis(1));
    assert_eq!(due(&world).await, [second.id]);
}

pub(crate) async fn what_is_due_for_less_than_a_quarter_of_an_hour_is_not_late(world: World) {
    let posts = [planned(&world, 1).await, planned(&world, 2).await];
    world.advance_almost(MINUTE + LATE_AFTER);
    assert_eq!(due(&world).await, posts.map(|post| post.id));
}

pub(crate) async fn with_slots_one_is_published_and_the_others_move_on(world: World) {
    set_slots(&world, "daily 09:00").await;
    let mut posts = Vec::new();
    for _ in 0..3 {
        posts.push(written(&world, ArticleStatus::Scheduled, None).await);
    }
    let ordered = planned(&world, 1).await;
    world.advance(4 * 24 * HOUR);
    let taken = written(&world, ArticleStatus::Scheduled, None).await;
    let slots = moments(&world, 4).await;
    assert_eq!(taken.publish_at, Some(slots[0]));
    assert_eq!(due(&world).await, [ordered.id]);
    for (post, slot) in posts.iter().zip(&slots[1..]) {
        assert_eq!(publish_at(&world, post).await, Some(*slot));
    }
    world.advance(2 * LATE_PUBLICATION_PAUSE);
    assert!(due(&world).await.is_empty(), "they wait for their slots");
}

pub(crate) async fn with_slots_none_that_is_late_comes_beside_one_on_time(world: World) {
    set_slots(&world, "daily 09:00,12:00").await;
    let mut posts = Vec::new();
    for _ in 0..3 {
        posts.push(written(&world, ArticleStatus::Scheduled, None).await);
    }
    let third = posts[2].publish_at.unwrap();
    world.advance(Duration::from_millis(u64::try_from(third.millis() - world.now().millis()).unwrap()));
    let slots = moments(&world, 2).await;
    assert_eq!(due(&world).await, [posts[2].id.clone()]);
    assert_eq!(
        (publish_at(&world, &posts[0]).await, publish_at(&world, &posts[1]).await),
        (Some(slots[0]), Some(slots[1]))
    );
}

pub(crate) async fn those_of_a_website_that_is_resumed_come_one_after_the_other(world: World) {
    let posts = [planned(&world, 1).await, planned(&world, 2).await];
    let status = |status| world.store.set_website_status(&world.website_id, status, world.now());
    status(WebsiteStatus::Paused).await.unwrap();
    world.advance(HOUR);
    assert!(due(&world).await.is_empty());
    status(WebsiteStatus::Active).await.unwrap();
    assert_eq!(due(&world).await, [posts[0].id.clone()]);
    world.advance(LATE_PUBLICATION_PAUSE);
    assert_eq!(due(&world).await, [posts[1].id.clone()]);
}

/// A user's request counts at once, and a retry continues as usual.
pub(crate) async fn what_a_user_publishes_or_is_tried_again_is_not_late(world: World) {
    let mut posts = Vec::new();
    for minutes in 1..=4 {
        posts.push(planned(&world, minutes).await);
    }
    let ids: Vec<_> = posts.iter().map(|post| post.id.clone()).collect();
    world.advance(2 * MINUTE);
    let claimed = world.store.claim_posts(10, &[], world.moment(), world.now().plus(LEASE)).await.unwrap();
    let failure = Failure { code: "publish_failed".to_owned(), message: "No.".to_owned(), retryable: true };
    let outcomes = [PublishOutcome::RetryAt(world.now().plus(MINUTE)), PublishOutcome::Failed(failure)];
    for (claimed, outcome) in claimed.iter().zip(outcomes) {
        world.store.record_publish(&claimed.post.id, &claimed.lease_token, outcome, world.moment()).await.unwrap();
    }
    world.advance(HOUR);
    let change = |number: usize, change| world.store.change_post(&ids[number], change, world.moment());
    change(1, PostChange::RetryPublishing).await.unwrap().unwrap();
    change(2, PostChange::Schedule(None)).await.unwrap().unwrap();
    let mut published = due(&world).await;
    published.sort();
    let mut expected = ids.clone();
    expected.sort();
    assert_eq!(published, expected, "the fourth is the only one that is late");
}

/// Queues an article that is planned for that time. Returns the id of its post.
async fn queued(world: &World, website_id: &str, publish_at: Timestamp) -> String {
    let mut submission = world.submission("a topic");
    submission.job.request.publish_at = Some(publish_at);
    submission.post.publish_at = Some(publish_at);
    website_id.clone_into(&mut submission.job.website_id);
    website_id.clone_into(&mut submission.post.website_id);
    let post_id = submission.post.id.clone();
    world.queue(submission).await;
    post_id
}

async fn complete_all(world: &World) {
    for claimed in world.claim().await {
        let mut completion = world.completion(&claimed, "A title");
        completion.article.website_id.clone_from(&claimed.job.website_id);
        world.store.complete_job(completion).await.unwrap();
    }
}

/// Articles whose writing took longer than their planned time.
pub(crate) async fn articles_that_are_written_too_late_come_one_after_the_other(world: World) {
    let first = queued(&world, &world.website_id, world.now().plus(MINUTE)).await;
    let second = queued(&world, &world.website_id, world.now().plus(2 * MINUTE)).await;
    world.advance(HOUR);
    // An article planned for the past is published at once after writing.
    let past = world.now().minus(24 * HOUR);
    let mut expected =
        [first, queued(&world, &world.website_id, past).await, queued(&world, &world.website_id, past).await];
    complete_all(&world).await;
    let mut published = due(&world).await;
    published.sort();
    expected.sort();
    assert_eq!(published, expected);
    world.advance(LATE_PUBLICATION_PAUSE);
    assert_eq!(due(&world).await, [second]);
}

/// A website that cannot be read does not delay other websites.
pub(crate) async fn a_website_that_cannot_be_read_keeps_no_others_waiting(world: World) {
    let ours = planned(&world, 1).await;
    world.store.create_website(&world.website("web_2", WebsiteStatus::Active)).await.unwrap();
    let theirs = queued(&world, "web_2", world.now().plus(MINUTE)).await;
    complete_all(&world).await;
    world.execute("UPDATE websites SET publishing_slots = 'newer' WHERE id = 'web_2'");
    world.advance(HOUR);
    assert_eq!(due(&world).await, [ours.id]);
    assert_eq!(world.store.find_post(&theirs).await.unwrap().unwrap().status, PostStatus::Scheduled);
    world.execute("UPDATE websites SET publishing_slots = NULL WHERE id = 'web_2'");
    world.advance(HOUR);
    assert_eq!(due(&world).await, [theirs]);
}
