//! Promises about queueing: job and post together, idempotency keys, limits.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use contentgen_server_stub::domain::account::WebsiteStatus;
use contentgen_server_stub::domain::job::JobStatus;
use contentgen_server_stub::domain::retention::MIN_IDEMPOTENCY_RETENTION as DAY;
use contentgen_server_stub::domain::store::{Cancelled, Error, PageRequest, PostFilter, QueueLimits, Submitted};
use contentgen_server_stub::domain::visibility::Visibility;
use contentgen_server_stub::storage::Store;
use futures::future::join_all;

use super::world::World;

async fn post_count(world: &World) -> usize {
    let visibility = Visibility { account_id: world.account_id.clone(), website_ids: None };
    let page = PageRequest { after: None, limit: 1000 };
    world.store.list_posts(&visibility, &PostFilter::default(), &page).await.unwrap().len()
}

pub(crate) async fn a_submission_is_readable_at_once_with_its_post(world: World) {
    let submission = world.submission("a topic \u{1f4a1}\n'; DROP TABLE jobs; --");
    let expected = submission.clone();
    let job_id = world.queue(submission).await;
    assert_eq!(world.job(&job_id).await, expected.job);
    let visibility = Visibility { account_id: world.account_id.clone(), website_ids: None };
    let page = PageRequest { after: None, limit: 10 };
    let posts = world.store.list_posts(&visibility, &PostFilter::default(), &page).await.unwrap();
    assert_eq!(posts, [expected.post]);
}

pub(crate) async fn requests_with_one_idempotency_key_queue_one_job(world: World) {
    let world = Arc::new(world);
    let submissions: Vec<_> = (0..64).map(|_| world.keyed_submission("a topic", "key-1")).collect();
    let submit = |submission| {
        let store: Store = world.store.clone();
        async move { store.submit(submission).await.unwrap() }
    };
    let outcomes = join_all(submissions.into_iter().map(submit)).await;
    let queued = outcomes.iter().filter(|outcome| matches!(outcome, Submitted::Queued)).count();
    let replayed: HashSet<_> = outcomes
        .iter()
        .filter_map(|outcome| match outcome {
            Submitted::Replayed(record) => Some(record.job_id.clone()),
            _ => None,
        })
        .collect();
    assert_eq!((queued, replayed.len(), post_count(&world).await), (1, 1, 1));
    let job_id = replayed.into_iter().next().unwrap();
    assert_eq!(world.job(&job_id).await.status, JobStatus::Queued);
    let kept = world
        .store
        .find_idempotency((&world.account_id, &world.website_id), "generate", "key-1", world.now().plus_millis(-1))
        .await;
    assert_eq!(kept.unwrap().unwrap().job_id, job_id);
}

pub(crate) async fn an_idempotency_key_is_free_again_after_a_day(world: World) {
    let first = world.queue(world.keyed_submission("a topic", "k")).await;
    world.advance_almost(DAY);
    let repeated = world.store.submit(world.keyed_submission("a topic", "k")).await.unwrap();
    assert!(matches!(repeated, Submitted::Replayed(record) if record.job_id == first));
    world.advance(Duration::from_millis(1));
    let second = world.queue(world.keyed_submission("a topic", "k")).await;
    assert_ne!(first, second);
    let repeated = world.store.submit(world.keyed_submission("a topic", "k")).await.unwrap();
    assert!(matches!(repeated, Submitted::Replayed(record) if record.job_id == second));
}

pub(crate) async fn a_response_is_repeated_for_as_long_as_the_operator_wants(world: World) {
    let first = world.queue(world.keyed_submission("a topic", "k")).await;
    world.advance(2 * DAY);
    let submit = async |since| {
        let mut again = world.keyed_submission("a topic", "k");
        again.replays_since = world.now().minus(since);
        world.store.submit(again).await.unwrap()
    };
    assert!(matches!(submit(3 * DAY).await, Submitted::Replayed(record) if record.job_id == first));
    assert_eq!(submit(2 * DAY).await, Submitted::Queued);
}

pub(crate) async fn a_full_queue_refuses_until_a_job_ends(world: World) {
    let limits = QueueLimits { per_website: 2, per_account: 3, per_day: None };
    let submit = async |website_id: &str| {
        let mut submission = world.submission("a topic");
        submission.limits = limits;
        website_id.clone_into(&mut submission.job.website_id);
        let job_id = submission.job.id.clone();
        (world.store.submit(submission).await.unwrap(), job_id)
    };
    world.store.create_website(&world.website("web_2", WebsiteStatus::Active)).await.unwrap();
    let (_, first) = submit(&world.website_id).await;
    assert_eq!(submit(&world.website_id).await.0, Submitted::Queued);
    assert_eq!(submit(&world.website_id).await.0, Submitted::QueueFull);
    assert_eq!(submit("web_2").await.0, Submitted::Queued);
    assert_eq!(submit("web_2").await.0, Submitted::QueueFull);
    assert!(matches!(world.store.cancel_job(&first, world.now()).await.unwrap(), Cancelled::Done(_)));
    assert_eq!(submit("web_2").await.0, Submitted::Queued);
    assert_eq!(submit(&world.website_id).await.0, Submitted::QueueFull);
    assert_eq!(post_count(&world).await, 4);
}

pub(crate) async fn a_failing_submission_leaves_nothing_and_spoils_no_other(world: World) {
    let first = world.submission("a topic");
    let taken = first.post.id.clone();
    world.store.submit(first).await.unwrap();
    let submissions = (0..100).map(|number| {
        let mut submission = world.keyed_submission("a topic", &format!("key-{number}"));
        if number % 2 == 1 {
            // The job could be stored, but its post could not.
            submission.post.id.clone_from(&taken);
        }
        world.store.submit(submission)
    });
    let outcomes = join_all(submissions).await;
    for (number, outcome) in outcomes.iter().enumerate() {
        match outcome {
            Ok(Submitted::Queued) => assert_eq!(number % 2, 0, "number {number}"),
            Err(Error::AlreadyExists) => assert_eq!(number % 2, 1, "number {number}"),
            other => panic!("number {number}: {other:?}"),
        }
    }
    assert_eq!((post_count(&world).await, world.claim().await.len()), (51, 51));
    let kept = world
        .store
        .find_idempotency((&world.account_id, &world.website_id), "generate", "key-1", world.now().plus_millis(-1))
        .await;
    assert_eq!(kept.unwrap(), None);
}
