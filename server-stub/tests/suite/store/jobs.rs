//! Promises about claiming, finishing, failing and cancelling jobs.

use std::collections::HashSet;
use std::time::Duration;

use contentgen_server_stub::domain::account::WebsiteStatus;
use contentgen_server_stub::domain::article::{Article, ArticleStatus};
use contentgen_server_stub::domain::event::EventType;
use contentgen_server_stub::domain::failure::Failure;
use contentgen_server_stub::domain::id::{self, Kind};
use contentgen_server_stub::domain::job::{JobStatus, MAX_INTERRUPTIONS, PROGRESS_DEADLINE, QUEUED_DEADLINE};
use contentgen_server_stub::domain::post::{PostStatus, ScheduledPost};
use contentgen_server_stub::domain::store::{Cancelled, ClaimedJob, JobFailure, LeaseOutcome, PageRequest, PostFilter};
use contentgen_server_stub::domain::visibility::Visibility;
use contentgen_server_stub::randomness::SystemRandomness;
use futures::future::join_all;

use super::world::{LEASE, World, both, capacity};

async fn only_post(world: &World) -> ScheduledPost {
    let visibility = Visibility { account_id: world.account_id.clone(), website_ids: None };
    let page = PageRequest { after: None, limit: 2 };
    let mut posts = world.store.list_posts(&visibility, &PostFilter::default(), &page).await.unwrap();
    assert_eq!(posts.len(), 1);
    posts.remove(0)
}

pub(super) fn failure(world: &World, claimed: &ClaimedJob, retry_after: Option<Duration>) -> JobFailure {
    JobFailure {
        job_id: claimed.job.id.clone(),
        lease_token: claimed.lease_token.clone(),
        failure: Failure { code: "generator_unavailable".to_owned(), message: "Away.".to_owned(), retryable: true },
        retry_at: retry_after.map(|pause| world.now().plus(pause)),
        event_id: id::new(Kind::Event, world.now(), &SystemRandomness),
        now: world.moment(),
    }
}

pub(crate) async fn a_claimed_job_is_in_progress_and_its_completion_shows_everywhere(world: World) {
    let job_id = world.queue(world.submission("a topic")).await;
    world.advance(Duration::from_secs(3));
    let claimed = world.claim().await.remove(0);
    let job = world.job(&job_id).await;
    assert_eq!(job, claimed.job);
    assert_eq!((job.status, job.attempts, job.started_at), (JobStatus::InProgress, 1, Some(world.now())));
    assert_eq!(job.deadline_at, world.now().plus(PROGRESS_DEADLINE));
    assert_eq!(only_post(&world).await.status, PostStatus::Generating);

    world.advance(Duration::from_secs(3));
    let completion = world.completion(&claimed, "A title");
    let article = completion.article.clone();
    assert_eq!(world.store.complete_job(completion).await.unwrap(), LeaseOutcome::Recorded);
    let job = world.job(&job_id).await;
    assert_eq!((job.status, job.progress, job.finished_at), (JobStatus::Completed, 100, Some(world.now())));
    assert_eq!(job.article_id.as_ref(), Some(&article.id));
    let post = only_post(&world).await;
    assert_eq!((post.status, post.article_id), (PostStatus::Scheduled, Some(article.id.clone())));
    let stored = world.store.find_article(&article.id).await.unwrap().unwrap();
    assert_eq!(serde_json::from_slice::<Article>(&stored.body).unwrap(), article);
    assert!(stored.etag.starts_with('"') && stored.etag.ends_with('"') && stored.etag.len() == 34);
}

pub(crate) async fn those_of_many_jobs_that_have_ended_are_told(world: World) {
    let mut job_ids = Vec::new();
    for number in 0..4 {
        job_ids.push(world.queue(world.submission(&format!("topic {number}"))).await);
    }
    let claimed = world.claim().await;
    let of = |job_id: &str| claimed.iter().find(|claimed| claimed.job.id == job_id).unwrap();
    // The first job keeps its claim. The last but one is never claimed, and the last does not exist.
    world.store.complete_job(world.completion(of(&job_ids[1]), "A title")).await.unwrap();
    world.store.fail_job(failure(&world, of(&job_ids[2]), None)).await.unwrap();
    world.store.cancel_job(&job_ids[3], world.now()).await.unwrap();
    job_ids.push(world.queue(world.submission("the fifth topic")).await);
    job_ids.push("job_unknown".to_owned());
    let mut ended = world.store.ended_jobs(&job_ids).await.unwrap();
    ended.sort();
    let mut expected = job_ids[1..4].to_vec();
    expected.sort();
    assert_eq!(ended, expected);
    assert!(world.store.ended_jobs(&[]).await.unwrap().is_empty());
}

pub(crate) async fn an_article_that_needs_approval_waits_as_a_draft(world: World) {
    world.queue(world.submission("a topic")).await;
    let claimed = world.claim().await.remove(0);
    let mut completion = world.completion(&claimed, "A title");
    completion.article.status = ArticleStatus::Draft;
    world.store.complete_job(completion).await.unwrap();
    assert_eq!(only_post(&world).await.status, PostStatus::Ready);
    let due =
        world.store.claim_posts(10, &[], both(world.now().plus(LEASE)), world.now().plus(2 * LEASE)).await.unwrap();
    assert!(due.is_empty());
}

pub(crate) async fn no_job_is_claimed_twice_while_its_lease_holds(world: World) {
    for number in 0..60 {
        world.queue(world.submission(&format!("topic {number}"))).await;
    }
    let now = world.now();
    let claims = join_all((0..20).map(|_| world.store.claim_jobs(7, both(now), now.plus(LEASE)))).await;
    let claimed: Vec<_> = claims.into_iter().flat_map(|claim| claim.unwrap().claimed).collect();
    let ids: HashSet<_> = claimed.iter().map(|claimed| &claimed.job.id).collect();
    let tokens: HashSet<_> = claimed.iter().map(|claimed| &claimed.lease_token).collect();
    assert_eq!((claimed.len(), ids.len(), tokens.len()), (60, 60, 60));
}

pub(crate) async fn only_the_last_claim_may_finish_a_job(world: World) {
    let job_id = world.queue(world.submission("a topic")).await;
    let stale = world.claim().await.remove(0);
    world.advance(LEASE);
    let fresh = world.claim().await.remove(0);
    assert_eq!(fresh.job.attempts, 2);
    let until = world.now().plus(LEASE);
    let store = &world.store;
    assert_eq!(store.renew_job(&job_id, &stale.lease_token, until).await.unwrap(), LeaseOutcome::Lost);
    assert_eq!(world.begin(&stale, LEASE).await, None);
    assert_eq!(store.release_job(&job_id, &stale.lease_token, stale.due_at).await.unwrap(), LeaseOutcome::Lost);
    assert_eq!(store.fail_job(failure(&world, &stale, None)).await.unwrap(), LeaseOutcome::Lost);
    let late = world.completion(&stale, "The late one");
    let late_id = late.article.id.clone();
    assert_eq!(store.complete_job(late).await.unwrap(), LeaseOutcome::Lost);
    assert!(store.find_article(&late_id).await.unwrap().is_none());
    assert_eq!(world.job(&job_id).await.status, JobStatus::InProgress);
    assert_eq!(store.complete_job(world.completion(&fresh, "The one")).await.unwrap(), LeaseOutcome::Recorded);
    assert_eq!(store.complete_job(world.completion(&fresh, "Again")).await.unwrap(), LeaseOutcome::Lost);
}

pub(crate) async fn a_renewed_lease_holds(world: World) {
    let job_id = world.queue(world.submission("a topic")).await;
    let claimed = world.claim().await.remove(0);
    world.advance(LEASE / 2);
    let until = world.now().plus(LEASE);
    assert_eq!(world.store.renew_job(&job_id, &claimed.lease_token, until).await.unwrap(), LeaseOutcome::Recorded);
    world.advance_almost(LEASE);
    assert!(world.claim().await.is_empty());
    world.advance(Duration::from_millis(1));
    assert_eq!(world.claim().await[0].job.attempts, 2);
}

pub(crate) async fn a_retry_waits_for_its_time_and_the_end_is_told_in_job_and_post(world: World) {
    let job_id = world.queue(world.submission("a topic")).await;
    let claimed = world.claim().await.remove(0);
    let pause = Duration::from_secs(4);
    world.store.fail_job(failure(&world, &claimed, Some(pause))).await.unwrap();
    let job = world.job(&job_id).await;
    assert_eq!((job.status, job.error), (JobStatus::InProgress, None));
    world.advance_almost(pause);
    assert!(world.claim().await.is_empty());
    world.advance(Duration::from_millis(1));
    let claimed = world.claim().await.remove(0);
    world.store.fail_job(failure(&world, &claimed, None)).await.unwrap();
    let job = world.job(&job_id).await;
    assert_eq!((job.status, job.finished_at), (JobStatus::Failed, Some(world.now())));
    let post = only_post(&world).await;
    assert_eq!((post.status, post.error), (PostStatus::Failed, job.error));
    world.advance(Duration::from_hours(1));
    assert!(world.claim().await.is_empty());
}

pub(crate) async fn a_job_whose_workers_crash_again_and_again_fails(world: World) {
    let job_id = world.queue(world.submission("a topic")).await;
    let lease = Duration::from_secs(5);
    let mut claimed = None;
    for attempt in 1..=MAX_INTERRUPTIONS + 1 {
        world.advance(lease);
        let mut taken = world.claim_unbegun().await.remove(0);
        taken.job = world.begin(&taken, lease).await.unwrap();
        assert_eq!((taken.job.attempts, taken.job.interruptions), (attempt, attempt - 1));
        claimed = Some(taken);
    }
    // The last attempt recorded its failure, so it was not a crash. But the job has no attempts left.
    world.store.fail_job(failure(&world, &claimed.unwrap(), Some(Duration::from_secs(1)))).await.unwrap();
    world.advance(Duration::from_secs(1));
    let claim = world.store.claim_jobs(10, world.moment(), world.now().plus(LEASE)).await.unwrap();
    assert_eq!((claim.claimed.len(), claim.ended.len()), (0, 1));
    let job = world.job(&job_id).await;
    assert_eq!((job.status, job.error.unwrap().code), (JobStatus::Failed, "internal".to_owned()));
}

pub(crate) async fn a_job_of_a_website_that_is_not_active_fails_when_it_is_claimed(world: World) {
    world.store.create_website(&world.website("web_paused", WebsiteStatus::Paused)).await.unwrap();
    let mut submission = world.submission("a topic");
    "web_paused".clone_into(&mut submission.job.website_id);
    let job_id = world.queue(submission).await;
    let claim = world.store.claim_jobs(10, world.moment(), world.now().plus(LEASE)).await.unwrap();
    assert_eq!((claim.claimed.len(), claim.ended[0].job_id.as_str()), (0, job_id.as_str()));
    assert_eq!(world.job(&job_id).await.error.unwrap().code, "website_inactive");
}

pub(crate) async fn overdue_jobs_fail_whether_they_wait_or_run(world: World) {
    let waiting = world.queue(world.submission("waits")).await;
    world.advance(QUEUED_DEADLINE);
    let running = world.queue(world.submission("runs")).await;
    let claimed = world.claim().await;
    assert_eq!(claimed.len(), 1, "an overdue job is not begun");
    let failed = world.store.fail_overdue_jobs(world.moment()).await.unwrap();
    assert_eq!(failed.iter().map(|change| &change.job_id).collect::<Vec<_>>(), [&waiting]);
    let until = world.now().plus(PROGRESS_DEADLINE + LEASE);
    world.store.renew_job(&running, &claimed[0].lease_token, until).await.unwrap();
    world.advance(PROGRESS_DEADLINE);
    assert_eq!(world.store.fail_overdue_jobs(world.moment()).await.unwrap()[0].job_id, running);
    assert!(world.store.fail_overdue_jobs(world.moment()).await.unwrap().is_empty());
    assert_eq!(world.job(&running).await.error.unwrap().code, "generation_timeout");
    let late = world.completion(&claimed[0], "Too late");
    assert_eq!(world.store.complete_job(late).await.unwrap(), LeaseOutcome::Lost);
}

pub(crate) async fn a_long_time_without_any_worker_costs_no_job(world: World) {
    let dead = world.queue(world.submission("dies")).await;
    world.claim().await;
    let stopped = world.queue(world.submission("stops")).await;
    let put_back = world.claim_unbegun().await.remove(0);
    world.store.release_job(&stopped, &put_back.lease_token, put_back.due_at).await.unwrap();
    world.advance(PROGRESS_DEADLINE * 4);
    assert!(world.store.fail_overdue_jobs(world.moment()).await.unwrap().is_empty());
    let again = world.claim().await;
    let ids: HashSet<_> = again.iter().map(|claimed| claimed.job.id.clone()).collect();
    assert_eq!(ids, HashSet::from([dead, stopped]));
    assert!(again.iter().all(|claimed| claimed.job.deadline_at == world.now().plus(PROGRESS_DEADLINE)));
}

pub(crate) async fn a_cancelled_job_never_gets_an_article(world: World) {
    let job_id = world.queue(world.submission("a topic")).await;
    let claimed = world.claim().await.remove(0);
    let Cancelled::Done(job) = world.store.cancel_job(&job_id, world.now()).await.unwrap() else { panic!("not done") };
    assert_eq!(job, world.job(&job_id).await);
    assert_eq!(only_post(&world).await.status, PostStatus::Cancelled);
    let completion = world.completion(&claimed, "Too late");
    let article_id = completion.article.id.clone();
    assert_eq!(world.store.complete_job(completion).await.unwrap(), LeaseOutcome::Lost);
    assert!(world.store.find_article(&article_id).await.unwrap().is_none());
    world.advance(LEASE);
    let again = world.store.cancel_job(&job_id, world.now()).await.unwrap();
    assert!(matches!(&again, Cancelled::AlreadyDone(unchanged) if *unchanged == job), "{again:?}");
    assert!(matches!(world.store.cancel_job("job_none", world.now()).await.unwrap(), Cancelled::NotFound));
}

pub(crate) async fn a_completed_job_is_not_cancelled(world: World) {
    let job_id = world.queue(world.submission("a topic")).await;
    let claimed = world.claim().await.remove(0);
    world.store.complete_job(world.completion(&claimed, "A title")).await.unwrap();
    let outcome = world.store.cancel_job(&job_id, world.now()).await.unwrap();
    assert!(matches!(outcome, Cancelled::TooLate(job) if job.status == JobStatus::Completed));
}

pub(crate) async fn articles_with_one_title_get_slugs_of_their_own(world: World) {
    let mut slugs = HashSet::new();
    let title = "The very same title that is rather long and goes on until nothing more fits into it";
    for number in 1..=40 {
        world.queue(world.submission("a topic")).await;
        let claimed = world.claim().await.remove(0);
        let completion = world.completion(&claimed, title);
        let article_id = completion.article.id.clone();
        world.store.complete_job(completion).await.unwrap();
        let body = world.store.find_article(&article_id).await.unwrap().unwrap().body;
        let article: Article = serde_json::from_slice(&body).unwrap();
        let slug = article.content.slug;
        assert!(slug.len() <= 80 && (number == 1 || slug.ends_with(&format!("-{number}"))), "{slug}");
        slugs.insert(slug);
    }
    assert_eq!(slugs.len(), 40);
}

pub(crate) async fn a_failed_job_is_announced_only_where_somebody_asked(world: World) {
    let now = world.now();
    let fail = async || {
        world.queue(world.submission("a topic")).await;
        let claimed = world.claim().await.remove(0);
        world.store.fail_job(failure(&world, &claimed, None)).await.unwrap();
        world.store.claim_deliveries(10, &capacity(10), both(now), now.plus(LEASE)).await.unwrap()
    };
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    assert!(fail().await.is_empty());
    let asking = world.hook(world.endpoint(&[EventType::JobFailed])).await;
    let deliveries = fail().await;
    assert_eq!(deliveries.iter().map(|delivery| &delivery.endpoint_id).collect::<Vec<_>>(), [&asking]);
    let body: serde_json::Value = serde_json::from_slice(&deliveries[0].body).unwrap();
    assert_eq!(body["data"]["job"]["error"]["code"], "generator_unavailable");
}
