//! Promises about a user's changes to posts and articles while the scheduler works.

use std::time::Duration;

use contentgen_server_stub::domain::article::{Article, ArticleStatus};
use contentgen_server_stub::domain::clock::Timestamp;
use contentgen_server_stub::domain::event::Event;
use contentgen_server_stub::domain::failure::Failure;
use contentgen_server_stub::domain::id::{self, Kind};
use contentgen_server_stub::domain::post::{PostChange, PostStatus, ScheduledPost};
use contentgen_server_stub::domain::search::Search;
use contentgen_server_stub::domain::store::{
    ArticleFilter, ClaimedPost, JobFailure, LeaseOutcome, PageRequest, PublishOutcome, QueueLimits, Requeued,
    StoredArticle, Submission,
};
use contentgen_server_stub::domain::visibility::Visibility;
use contentgen_server_stub::randomness::SystemRandomness;
use futures::future::join_all;
use proptest::prelude::*;

use super::world::{LEASE, World};

/// Writes an article. Returns it with the id of its post, which waits for approval unless `status` is `scheduled`.
pub(super) async fn written(world: &World, title: &str, status: ArticleStatus) -> (Article, String) {
    let submission = world.submission(title);
    let post_id = submission.post.id.clone();
    world.queue(submission).await;
    let claimed = world.claim().await.remove(0);
    let mut completion = world.completion(&claimed, title);
    completion.article.status = status;
    let article = completion.article.clone();
    assert_eq!(world.store.complete_job(completion).await.unwrap(), LeaseOutcome::Recorded);
    (article, post_id)
}

async fn change(world: &World, post_id: &str, change: PostChange) -> Option<ScheduledPost> {
    world.store.change_post(post_id, change, world.moment()).await.unwrap()
}

async fn post(world: &World, post_id: &str) -> ScheduledPost {
    world.store.find_post(post_id).await.unwrap().unwrap()
}

async fn stored(world: &World, article_id: &str) -> (StoredArticle, Article) {
    let stored = world.store.find_article(article_id).await.unwrap().unwrap();
    let article = serde_json::from_slice(&stored.body).unwrap();
    (stored, article)
}

pub(super) async fn due(world: &World) -> Vec<ClaimedPost> {
    world.store.claim_posts(100, &[], world.moment(), world.now().plus(LEASE)).await.unwrap()
}

pub(super) async fn publish(world: &World, claimed: &ClaimedPost) -> LeaseOutcome {
    let article = claimed.article.clone().published("https://example.org/here".to_owned(), world.now());
    let event_id = id::new(Kind::Event, world.now(), &SystemRandomness);
    let event = Event::article_published(event_id, &world.account_id, &article, &claimed.post.id, world.now());
    record(world, claimed, PublishOutcome::Published { article: Box::new(article), is_hosted: true, event }).await
}

async fn record(world: &World, claimed: &ClaimedPost, outcome: PublishOutcome) -> LeaseOutcome {
    world.store.record_publish(&claimed.post.id, &claimed.lease_token, outcome, world.moment()).await.unwrap()
}

fn failure(code: &str) -> Failure {
    Failure { code: code.to_owned(), message: "No.".to_owned(), retryable: true }
}

pub(crate) async fn an_approved_post_is_published_at_its_time_with_its_article(world: World) {
    let (article, post_id) = written(&world, "A title", ArticleStatus::Draft).await;
    let (before, _) = stored(&world, &article.id).await;
    assert!(due(&world).await.is_empty(), "it is not approved");
    world.advance(Duration::from_secs(1));
    let at = world.now().plus(Duration::from_hours(1));
    let changed = change(&world, &post_id, PostChange::Schedule(Some(at))).await.unwrap();
    assert_eq!((changed.status, changed.publish_at), (PostStatus::Scheduled, Some(at)));
    assert_eq!(post(&world, &post_id).await, changed);
    let (after, approved) = stored(&world, &article.id).await;
    assert_eq!((after.status, approved.status), (ArticleStatus::Scheduled, ArticleStatus::Scheduled));
    assert_ne!(after.etag, before.etag, "another body needs another entity tag");
    assert_eq!((after.updated_at, approved.updated_at), (world.now(), world.now()));

    let earlier = world.now().plus(Duration::from_mins(1));
    change(&world, &post_id, PostChange::Schedule(Some(earlier))).await.unwrap();
    world.advance_almost(Duration::from_mins(1));
    assert!(due(&world).await.is_empty());
    world.advance(Duration::from_millis(1));
    let claimed = due(&world).await.remove(0);
    assert_eq!(publish(&world, &claimed).await, LeaseOutcome::Recorded);
    assert_eq!(post(&world, &post_id).await.status, PostStatus::Published);
}

pub(crate) async fn what_is_to_go_out_at_once_does_not_wait_for_its_former_time(world: World) {
    let (_, post_id) = written(&world, "A title", ArticleStatus::Draft).await;
    let at = world.now().plus(Duration::from_hours(1));
    change(&world, &post_id, PostChange::Schedule(Some(at))).await.unwrap();
    assert!(due(&world).await.is_empty());
    change(&world, &post_id, PostChange::Schedule(None)).await.unwrap();
    assert_eq!(due(&world).await.len(), 1);
}

pub(crate) async fn a_cancelled_post_is_never_published(world: World) {
    let (article, post_id) = written(&world, "A title", ArticleStatus::Scheduled).await;
    assert_eq!(change(&world, &post_id, PostChange::Cancel).await.unwrap().status, PostStatus::Cancelled);
    world.advance(Duration::from_hours(1));
    assert!(due(&world).await.is_empty());
    assert_eq!(stored(&world, &article.id).await.0.status, ArticleStatus::Draft);
    for again in [PostChange::Cancel, PostChange::Schedule(None), PostChange::Unschedule, PostChange::RetryPublishing] {
        assert_eq!(change(&world, &post_id, again).await, None, "{again:?}");
    }
    assert_eq!(change(&world, "post_nothing", PostChange::Cancel).await, None);
}

pub(crate) async fn what_the_scheduler_has_claimed_is_left_alone(world: World) {
    let (article, post_id) = written(&world, "A title", ArticleStatus::Scheduled).await;
    let claimed = due(&world).await.remove(0);
    for refused in [PostChange::Cancel, PostChange::Schedule(None), PostChange::Unschedule] {
        assert_eq!(change(&world, &post_id, refused).await, None, "{refused:?}");
    }
    assert!(!world.store.archive_article(&article.id, world.now()).await.unwrap());
    assert_eq!(publish(&world, &claimed).await, LeaseOutcome::Recorded);
    assert_eq!(change(&world, &post_id, PostChange::Cancel).await, None);
}

pub(crate) async fn a_publication_that_failed_is_tried_again_with_all_attempts(world: World) {
    let (_, post_id) = written(&world, "A title", ArticleStatus::Scheduled).await;
    let claimed = due(&world).await.remove(0);
    record(&world, &claimed, PublishOutcome::Failed(failure("publish_failed"))).await;
    world.advance(Duration::from_secs(1));
    assert!(due(&world).await.is_empty());
    let retried = change(&world, &post_id, PostChange::RetryPublishing).await.unwrap();
    assert_eq!((retried.status, retried.attempts, retried.error), (PostStatus::Scheduled, 0, None));
    let claimed = due(&world).await.remove(0);
    assert_eq!(claimed.post.attempts, 1);
    assert_eq!(publish(&world, &claimed).await, LeaseOutcome::Recorded);
}

/// Returns another submission for the same request and post.
pub(super) fn again(world: &World, post_id: &str) -> Submission {
    let mut submission = world.submission("a topic");
    post_id.clone_into(&mut submission.post.id);
    post_id.clone_into(&mut submission.job.scheduled_post_id);
    submission
}

pub(crate) async fn a_post_whose_job_failed_gets_another_job(world: World) {
    let submission = world.submission("a topic");
    let (post_id, first) = (submission.post.id.clone(), submission.job.id.clone());
    world.queue(submission).await;
    assert_eq!(world.store.requeue_post(again(&world, &post_id)).await.unwrap(), Requeued::NotFailed);
    let claimed = world.claim().await.remove(0);
    let failed = JobFailure {
        job_id: first.clone(),
        lease_token: claimed.lease_token.clone(),
        failure: failure("internal"),
        retry_at: None,
        event_id: id::new(Kind::Event, world.now(), &SystemRandomness),
        now: world.moment(),
    };
    world.store.fail_job(failed).await.unwrap();
    assert_eq!(change(&world, &post_id, PostChange::RetryPublishing).await, None, "there is nothing to publish");

    let mut full = again(&world, &post_id);
    full.limits = QueueLimits { per_website: 0, per_account: 0, per_day: None };
    assert_eq!(world.store.requeue_post(full).await.unwrap(), Requeued::QueueFull);
    assert_eq!(post(&world, &post_id).await.status, PostStatus::Failed);

    // Two retries by the same user create one job.
    let (one, two) = (again(&world, &post_id), again(&world, &post_id));
    let ids = [one.job.id.clone(), two.job.id.clone()];
    let outcomes = join_all([one, two].map(|submission| world.store.requeue_post(submission))).await;
    let outcomes: Vec<_> = outcomes.into_iter().map(Result::unwrap).collect();
    let winner = outcomes.iter().position(|outcome| *outcome == Requeued::Queued).unwrap();
    assert_eq!(outcomes[1 - winner], Requeued::NotFailed);
    assert!(world.store.find_job(&ids[1 - winner]).await.unwrap().is_none());
    let queued = post(&world, &post_id).await;
    assert_eq!((queued.status, &queued.job_id, queued.error), (PostStatus::Queued, &Some(ids[winner].clone()), None));

    let claimed = world.claim().await.remove(0);
    assert_eq!(claimed.job.id, ids[winner]);
    let completion = world.completion(&claimed, "A title");
    assert_eq!(world.store.complete_job(completion).await.unwrap(), LeaseOutcome::Recorded);
    assert_eq!(post(&world, &post_id).await.status, PostStatus::Scheduled);
    assert_eq!(world.job(&first).await.error, Some(failure("internal")), "what ended stays as it ended");
}

pub(crate) async fn an_archived_article_leaves_its_website_and_can_be_a_draft_again(world: World) {
    let (article, post_id) = written(&world, "A title", ArticleStatus::Scheduled).await;
    let claimed = due(&world).await.remove(0);
    publish(&world, &claimed).await;
    assert!(world.store.find_published(&world.website_id, "a-title").await.unwrap().is_some());
    let (before, _) = stored(&world, &article.id).await;
    world.advance(Duration::from_secs(1));
    assert!(world.store.archive_article(&article.id, world.now()).await.unwrap());
    assert!(!world.store.archive_article(&article.id, world.now()).await.unwrap(), "it is archived already");
    assert!(world.store.find_published(&world.website_id, "a-title").await.unwrap().is_none());
    let (after, archived) = stored(&world, &article.id).await;
    assert_eq!((archived.status, &archived.url, archived.published_at), (ArticleStatus::Archived, &None, None));
    assert_ne!(after.etag, before.etag);
    assert_eq!(archived.updated_at, world.now());
    assert_eq!(post(&world, &post_id).await.status, PostStatus::Published, "that is a fact and final");
    assert!(world.store.restore_article(&article.id, world.now()).await.unwrap());
    assert!(!world.store.restore_article(&article.id, world.now()).await.unwrap());
    assert_eq!(stored(&world, &article.id).await.1.status, ArticleStatus::Draft);

    let (waiting, post_id) = written(&world, "Another", ArticleStatus::Scheduled).await;
    assert!(world.store.archive_article(&waiting.id, world.now()).await.unwrap());
    assert_eq!(post(&world, &post_id).await.status, PostStatus::Cancelled);
    assert!(due(&world).await.is_empty());
    assert!(!world.store.archive_article("art_nothing", world.now()).await.unwrap());
}

/// Posts are cancelled while others claim and publish them.
pub(crate) async fn whoever_is_first_cancels_or_publishes(world: World) {
    let mut post_ids = Vec::new();
    for number in 0..12 {
        post_ids.push(written(&world, &format!("Title {number}"), ArticleStatus::Scheduled).await.1);
    }
    let cancelled = join_all(post_ids.iter().map(|post_id| change(&world, post_id, PostChange::Cancel)));
    let published = async {
        let mut published = Vec::new();
        for _ in 0..12 {
            for claimed in world.store.claim_posts(1, &[], world.moment(), world.now().plus(LEASE)).await.unwrap() {
                assert_eq!(publish(&world, &claimed).await, LeaseOutcome::Recorded);
                published.push(claimed.post.id);
            }
        }
        published
    };
    let (cancelled, published) = futures::join!(cancelled, published);
    for (post_id, cancelled) in post_ids.iter().zip(cancelled) {
        assert_ne!(cancelled.is_some(), published.contains(post_id), "{post_id}");
        let expected = if cancelled.is_some() { PostStatus::Cancelled } else { PostStatus::Published };
        assert_eq!(post(&world, post_id).await.status, expected);
    }
}

pub(crate) async fn titles_are_searched_with_the_other_filters(world: World) {
    for title in ["Bread at 50% off", "Rye BREAD", "Tea_time", "Grüße aus Wien", "Cre\u{300}me bru\u{302}le\u{301}e"]
    {
        written(&world, title, ArticleStatus::Draft).await;
        world.advance(Duration::from_secs(1));
    }
    let visibility = Visibility { account_id: world.account_id.clone(), website_ids: None };
    let found = async |search: &str, status| {
        let (filter, search) = (ArticleFilter { status, ..ArticleFilter::default() }, Search::parse(search).unwrap());
        let page = PageRequest { after: None, limit: 10 };
        let found = world.store.search_articles(&visibility, &filter, &search, &page).await.unwrap();
        assert_eq!(found.next, None);
        found.rows.into_iter().map(|article| article.title).collect::<Vec<_>>()
    };
    assert_eq!(found("bread", None).await, ["Rye BREAD", "Bread at 50% off"]);
    assert_eq!(found("BREAD", Some(ArticleStatus::Draft)).await.len(), 2);
    assert!(found("bread", Some(ArticleStatus::Published)).await.is_empty());
    assert_eq!(found("0%", None).await, ["Bread at 50% off"]);
    assert_eq!(found("a_t", None).await, ["Tea_time"]);
    assert_eq!(found("GRÜSSE", None).await, Vec::<String>::new());
    assert_eq!(found("GRÜ", None).await, ["Grüße aus Wien"]);
    assert_eq!(found("Gru\u{308}", None).await, ["Grüße aus Wien"]);
    assert_eq!(found("crème brûlée", None).await, ["Cre\u{300}me bru\u{302}le\u{301}e"]);
}

/// An action on a post.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Change(PostChange),
    /// Approves it for a time this number of seconds from now.
    ScheduleIn(u64),
    Claim,
    Publish,
    RetryLater,
    Fail,
    Archive,
    Restore,
    Advance(u64),
}

pub(crate) fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        Just(Step::Change(PostChange::Schedule(None))),
        Just(Step::Change(PostChange::Unschedule)),
        Just(Step::Change(PostChange::RetryPublishing)),
        Just(Step::Change(PostChange::Cancel)),
        (1..200_u64).prop_map(Step::ScheduleIn),
        Just(Step::Claim),
        Just(Step::Claim),
        Just(Step::Publish),
        Just(Step::RetryLater),
        Just(Step::Fail),
        Just(Step::Archive),
        Just(Step::Restore),
        (1..200_u64).prop_map(Step::Advance),
    ];
    prop::collection::vec(step, 1..25)
}

pub(crate) async fn a_post_is_published_at_most_once_and_a_cancelled_one_never(world: World, steps: Vec<Step>) {
    let (article, post_id) = written(&world, "A title", ArticleStatus::Draft).await;
    // All claims so far. Expired ones try to record a result, too.
    let mut claims: Vec<ClaimedPost> = Vec::new();
    let (mut publications, mut not_before) = (0, None::<Timestamp>);
    for step in steps {
        let before = post(&world, &post_id).await;
        let seen = stored(&world, &article.id).await.1;
        match step {
            Step::Change(what) => {
                let is_planned = matches!(seen.status, ArticleStatus::Draft | ArticleStatus::Scheduled);
                let expected = before.changed(what, world.now()).filter(|_| is_planned);
                assert_eq!(change(&world, &post_id, what).await, expected, "{what:?} of {before:?}");
                if expected.is_some() && what == PostChange::Schedule(None) {
                    not_before = None;
                }
            }
            Step::ScheduleIn(seconds) => {
                let at = world.now().plus(Duration::from_secs(seconds));
                if change(&world, &post_id, PostChange::Schedule(Some(at))).await.is_some() {
                    not_before = Some(at);
                }
            }
            Step::Claim => {
                for claimed in due(&world).await {
                    assert!(matches!(before.status, PostStatus::Scheduled | PostStatus::Publishing), "{before:?}");
                    assert!(not_before.is_none_or(|at| at <= world.now()), "claimed before its time");
                    claims.push(claimed);
                }
            }
            Step::Publish => {
                for claimed in &claims {
                    publications += i32::from(publish(&world, claimed).await == LeaseOutcome::Recorded);
                }
            }
            Step::RetryLater => {
                if let Some(claimed) = claims.last() {
                    record(&world, claimed, PublishOutcome::RetryAt(world.now().plus_millis(5000))).await;
                }
            }
            Step::Fail => {
                if let Some(claimed) = claims.last() {
                    record(&world, claimed, PublishOutcome::Failed(failure("publish_failed"))).await;
                }
            }
            Step::Archive => drop(world.store.archive_article(&article.id, world.now()).await.unwrap()),
            Step::Restore => drop(world.store.restore_article(&article.id, world.now()).await.unwrap()),
            Step::Advance(seconds) => drop(world.advance(Duration::from_secs(seconds))),
        }
        let (after, article) = (post(&world, &post_id).await, stored(&world, &article.id).await.1);
        assert!(publications <= 1, "published {publications} times");
        let is_final = matches!(before.status, PostStatus::Published | PostStatus::Cancelled);
        assert!(!is_final || after.status == before.status, "{before:?} became {after:?}");
        assert_eq!(after.status == PostStatus::Published, publications == 1);
        let is_public = article.status == ArticleStatus::Published;
        assert_eq!((article.url.is_some(), article.published_at.is_some()), (is_public, is_public));
        assert!(!is_public || after.status == PostStatus::Published, "public without a post: {after:?}");
        assert!(article.updated_at >= seen.updated_at && after.updated_at >= before.updated_at);
    }
}
