//! Promises about a wall clock that differs from the steady time, because it was set.

use std::sync::Arc;
use std::time::Duration;

use contentgen_server_stub::domain::clock::Timestamp;
use contentgen_server_stub::domain::event::EventType;
use contentgen_server_stub::domain::failure::Failure;
use contentgen_server_stub::domain::job::{JobStatus, PROGRESS_DEADLINE};
use contentgen_server_stub::domain::post::{PostStatus, ScheduledPost};
use contentgen_server_stub::domain::store::{ClaimedPost, LeaseOutcome, PageRequest, PostFilter, PublishOutcome};
use contentgen_server_stub::domain::visibility::Visibility;
use contentgen_server_stub::publishing::{HostedSite, Scheduler};
use contentgen_server_stub::randomness::SystemRandomness;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::world::{LEASE, World, capacity};
use crate::hooks::harness::WorldClock;
use crate::waiting::until_ok;

const MINUTE: Duration = Duration::from_mins(1);
/// Change of the wall clock, in milliseconds.
const HOUR: i64 = 3_600_000;

/// Writes an article that is to be published at that time.
async fn write(world: &World, publish_at: Option<Timestamp>) {
    let mut submission = world.submission("a topic");
    submission.job.request.publish_at = publish_at;
    submission.post.publish_at = publish_at;
    world.queue(submission).await;
    let claimed = world.claim().await.remove(0);
    let outcome = world.store.complete_job(world.completion(&claimed, "A title")).await.unwrap();
    assert_eq!(outcome, LeaseOutcome::Recorded);
}

async fn due(world: &World) -> Vec<ClaimedPost> {
    let due = world.store.queue_statistics(world.moment()).await.unwrap().posts_due;
    let claimed = world.store.claim_posts(10, &[], world.moment(), world.now().plus(LEASE)).await.unwrap();
    assert_eq!(due, claimed.len() as u64, "the count equals the claimed posts");
    claimed
}

/// The machine starts an hour ahead. Then its clock is corrected, and the steady time stays ahead for hours.
pub(crate) async fn nothing_is_published_early_after_the_clock_was_an_hour_ahead(world: World) {
    let (ahead, right) = (0, -HOUR);
    let true_time = world.now().plus_millis(-HOUR);
    // One post is planned before the clock is set back, and one afterwards.
    world.set_wall_ahead(ahead);
    write(&world, Some(true_time.plus(2 * MINUTE))).await;
    let early = due(&world).await;
    assert_eq!(early.len(), 1, "for a clock that is an hour ahead, that was long ago");
    world.store.record_publish(&early[0].post.id, &early[0].lease_token, failed(), world.moment()).await.unwrap();

    write(&world, Some(true_time.plus(70 * MINUTE))).await;
    world.set_wall_ahead(right);
    write(&world, Some(true_time.plus(5 * MINUTE))).await;
    world.advance_almost(5 * MINUTE);
    assert!(due(&world).await.is_empty());
    world.advance(Duration::from_millis(1));
    assert_eq!(due(&world).await.len(), 1);
    world.advance(MINUTE);
    assert!(due(&world).await.is_empty(), "it is leased");
    world.advance_almost(64 * MINUTE);
    // The lease of the other post expired long ago.
    assert_eq!(due(&world).await.len(), 1);
    world.advance(Duration::from_millis(1));
    assert_eq!(due(&world).await.len(), 1);
}

fn failed() -> PublishOutcome {
    PublishOutcome::Failed(Failure {
        code: "publish_rejected".to_owned(),
        message: "Refused.".to_owned(),
        retryable: false,
    })
}

/// The clock is set forward, and the steady time stays behind for hours.
pub(crate) async fn posts_are_published_on_time_after_the_clock_was_set_forward(world: World) {
    write(&world, Some(world.now().plus(90 * MINUTE))).await;
    world.set_wall_ahead(HOUR);
    write(&world, Some(world.moment().wall.plus(40 * MINUTE))).await;
    assert!(due(&world).await.is_empty());
    world.advance_almost(30 * MINUTE);
    assert!(due(&world).await.is_empty());
    world.advance(Duration::from_millis(1));
    assert_eq!(due(&world).await.len(), 1);
    world.advance_almost(10 * MINUTE);
    assert_eq!(due(&world).await.len(), 1, "only the one whose lease lapsed");
    world.advance(Duration::from_millis(1));
    assert_eq!(due(&world).await.len(), 1);
}

/// A retry waits by the steady time, and for its `publish_at` by the wall clock.
pub(crate) async fn a_publication_that_is_tried_again_waits_for_both_clocks(world: World) {
    let publish_at = world.now();
    write(&world, Some(publish_at)).await;
    let claimed = due(&world).await.remove(0);
    let retry = PublishOutcome::RetryAt(world.now().plus(MINUTE));
    world.store.record_publish(&claimed.post.id, &claimed.lease_token, retry, world.moment()).await.unwrap();
    world.set_wall_ahead(HOUR);
    world.advance_almost(MINUTE);
    assert!(due(&world).await.is_empty(), "a jump of the wall clock ends no pause");
    world.set_wall_ahead(-HOUR);
    world.advance(Duration::from_millis(1));
    assert!(due(&world).await.is_empty(), "its time has not come any more");
    world.set_wall_ahead(0);
    assert_eq!(due(&world).await.len(), 1);
}

/// Jobs and deliveries are claimed at once, leases hold, and deadlines do not move, whatever the wall clock shows.
pub(crate) async fn leases_and_queues_go_by_the_steady_time(world: World) {
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    for ahead in [HOUR, -HOUR] {
        world.set_wall_ahead(ahead);
        let job_id = world.queue(world.submission("a topic")).await;
        let claimed = world.claim().await.remove(0);
        let job = world.job(&job_id).await;
        let wall = world.moment().wall;
        assert_eq!((job.created_at, job.started_at), (wall, Some(wall)), "people see the wall clock");
        for jump in [HOUR, -HOUR] {
            world.set_wall_ahead(ahead + jump);
            world.advance_almost(LEASE / 2);
            assert!(world.claim().await.is_empty(), "the lease holds");
            assert!(world.store.fail_overdue_jobs(world.moment()).await.unwrap().is_empty());
        }
        let until = world.now().plus(2 * PROGRESS_DEADLINE);
        let renewed = world.store.renew_job(&job_id, &claimed.lease_token, until).await.unwrap();
        assert_eq!(renewed, LeaseOutcome::Recorded);
        world.advance(PROGRESS_DEADLINE);
        assert_eq!(world.store.fail_overdue_jobs(world.moment()).await.unwrap().len(), 1);
        let job = world.job(&job_id).await;
        let times = [Some(job.created_at), job.started_at, job.finished_at, Some(job.deadline_at)];
        assert!(job.status == JobStatus::Failed && times.is_sorted(), "{times:?}");

        let (lead, event) = world.lead(None);
        world.store.capture_lead(&lead, &event, lead.captured_at, world.now()).await.unwrap();
        let at_most = capacity(10);
        let claim = || world.store.claim_deliveries(10, &at_most, world.moment(), world.now().plus(LEASE));
        assert_eq!(claim().await.unwrap().len(), 1, "a hook is due at once");
        world.set_wall_ahead(ahead);
        world.advance_almost(LEASE);
        assert!(claim().await.unwrap().is_empty(), "the lease holds");
        world.advance(Duration::from_millis(1));
        let again = claim().await.unwrap();
        assert_eq!(again.len(), 1);
        world.advance(10 * LEASE);
        world.store.release_deliveries(again.into(), world.now().plus_millis(1_000 * HOUR)).await.unwrap();
    }
}

/// Each change may come from a machine with another wall clock.
pub(crate) async fn times_that_people_see_are_in_order_whoever_wrote_them(world: World) {
    for (begun, ended) in [(-HOUR, -2 * HOUR), (HOUR, 2 * HOUR), (2 * HOUR, -HOUR)] {
        for is_cancelled in [false, true] {
            world.set_wall_ahead(0);
            let job_id = world.queue(world.submission("a topic")).await;
            world.set_wall_ahead(begun);
            let claimed = world.claim().await.remove(0);
            world.set_wall_ahead(ended);
            if is_cancelled {
                world.store.cancel_job(&job_id, world.moment().wall).await.unwrap();
            } else {
                world.store.complete_job(world.completion(&claimed, "A title")).await.unwrap();
            }
            let job = world.job(&job_id).await;
            let times = [Some(job.created_at), job.started_at, job.finished_at, Some(job.deadline_at)];
            assert!(times.is_sorted(), "{times:?}");
        }
    }
}

/// The scheduler of a server whose clock was an hour ahead when it started.
pub(crate) async fn the_scheduler_publishes_by_the_wall_clock(world: World) {
    let world = Arc::new(world);
    world.set_wall_ahead(-HOUR);
    let publish_at = world.moment().wall.plus(5 * MINUTE);
    write(&world, Some(publish_at)).await;
    let wakeups = world.store.wakeups();
    let scheduler = Scheduler::new(
        world.store.clone(),
        Arc::new(WorldClock(Arc::clone(&world))),
        Arc::new(SystemRandomness),
        Arc::new(HostedSite::new("http://localhost:8080/".parse().unwrap())),
    );
    let stop = CancellationToken::new();
    let mut running = JoinSet::new();
    running.spawn(scheduler.run(stop.clone()));
    world.advance_almost(5 * MINUTE);
    // A post that is due at once shows that the scheduler has polled.
    write(&world, None).await;
    let posts = wait_until_published(&world, 1).await;
    assert_eq!(posts[0].publish_at, None);
    world.advance(Duration::from_millis(1));
    wakeups.posts.notify_one();
    let posts = wait_until_published(&world, 2).await;
    let planned = posts.iter().find(|post| post.publish_at.is_some()).unwrap();
    assert_eq!(planned.published_at, Some(publish_at));
    stop.cancel();
    running.join_next().await.unwrap().unwrap();
}

/// Waits until `count` posts are published, and returns them.
async fn wait_until_published(world: &World, count: usize) -> Vec<ScheduledPost> {
    let visibility = Visibility { account_id: world.account_id.clone(), website_ids: None };
    let filter = PostFilter { website_id: None, status: Some(PostStatus::Published) };
    until_ok(&format!("{count} posts are published"), async || {
        let page = PageRequest { after: None, limit: 10 };
        let posts = world.store.list_posts(&visibility, &filter, &page).await.unwrap();
        if posts.len() >= count { Ok(posts) } else { Err(posts.len()) }
    })
    .await
}
