//! Promises about jobs between their claim and the start of their work.

use std::time::Duration;

use contentgen_server_stub::domain::failure::Failure;
use contentgen_server_stub::domain::job::{Job, JobStatus, PROGRESS_DEADLINE, QUEUED_DEADLINE};
use contentgen_server_stub::domain::post::PostStatus;
use contentgen_server_stub::domain::store::{Cancelled, ClaimedJob, JobFailure, LeaseOutcome, PageRequest, PostFilter};
use contentgen_server_stub::domain::visibility::Visibility;
use futures::future::join_all;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::world::{LEASE, World, both};

/// Longer than any retry delay and any lease of these jobs.
const LATER: Duration = Duration::from_mins(2);

/// History of a job before it is claimed again.
#[derive(Debug, Clone, Copy)]
pub(crate) enum History {
    Queued,
    Failed,
    Lapsed,
}

/// Change of the job afterwards.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Action {
    Read,
    Cancel,
    Begin,
    Expire,
}

/// A job that is claimed and released, each time after this number of milliseconds.
#[derive(Debug, Clone)]
pub(crate) struct ClaimCase {
    history: History,
    held: Vec<u64>,
    /// True if the last claim is still held at the action. Then no other worker can claim the job.
    is_held: bool,
    action: Action,
}

pub(crate) fn cases() -> impl Strategy<Value = ClaimCase> {
    let history = prop::sample::select(vec![History::Queued, History::Failed, History::Lapsed]);
    let action = prop::sample::select(vec![Action::Read, Action::Cancel, Action::Begin, Action::Expire]);
    let held = prop::collection::vec(0..90_000_u64, 1..4);
    (history, held, any::<bool>(), action).prop_map(|(history, held, is_held, action)| ClaimCase {
        history,
        held,
        is_held: is_held && !matches!(action, Action::Begin),
        action,
    })
}

/// A claim that is released or still held has no visible effect. The job behaves like one that was never claimed.
pub(crate) async fn a_claim_that_is_released_leaves_no_trace(world: World, case: ClaimCase) {
    let claimed = told(&world, &case, true).await;
    let unclaimed = told(&world, &case, false).await;
    assert_eq!(claimed, unclaimed);
}

/// Returns the view of a caller and another worker of a job and its neighbour, with times relative to its submission.
async fn told(world: &World, case: &ClaimCase, is_claimed: bool) -> Value {
    let start = world.now();
    let job_id = world.queue(world.submission("a topic")).await;
    world.advance(Duration::from_millis(1));
    pass_history(world, case.history).await;
    let neighbour = world.queue(world.submission("its neighbour")).await;
    for (number, millis) in case.held.iter().enumerate() {
        let claims = if is_claimed { world.claim_unbegun().await } else { Vec::new() };
        world.advance(Duration::from_millis(*millis));
        if !case.is_held || number + 1 < case.held.len() {
            release(world, claims).await;
        }
    }
    let before = seen(world, &job_id).await;
    let mut next = Vec::new();
    match case.action {
        Action::Read => {}
        Action::Cancel => {
            let cancelled = world.store.cancel_job(&job_id, world.now()).await.unwrap();
            assert!(matches!(cancelled, Cancelled::Done(_)), "{cancelled:?}");
        }
        Action::Begin => next = world.claim().await.into_iter().map(|claimed| claimed.job.request.topic).collect(),
        Action::Expire => {
            world.advance(QUEUED_DEADLINE);
            let mut ended = world.store.fail_overdue_jobs(world.moment()).await.unwrap();
            ended.retain(|change| change.job_id == job_id);
            next = ended.into_iter().map(|change| format!("{:?}", change.status)).collect();
        }
    }
    let after = seen(world, &job_id).await;
    for job_id in [job_id, neighbour] {
        world.store.cancel_job(&job_id, world.now()).await.unwrap();
    }
    let mut told = json!([before, after, next]);
    since(&mut told, start.millis());
    told
}

async fn pass_history(world: &World, history: History) {
    if matches!(history, History::Queued) {
        return;
    }
    let claimed = world.claim().await.remove(0);
    if matches!(history, History::Failed) {
        let failure = Failure { code: "internal".to_owned(), message: "Broken.".to_owned(), retryable: true };
        let retry_at = Some(world.now().plus(Duration::from_secs(1)));
        let (job_id, lease_token) = (claimed.job.id, claimed.lease_token);
        let event_id = "evt_unused".to_owned();
        let failed = JobFailure { job_id, lease_token, failure, retry_at, event_id, now: world.moment() };
        assert_eq!(world.store.fail_job(failed).await.unwrap(), LeaseOutcome::Recorded);
    }
    world.advance(LATER);
}

async fn release(world: &World, claims: Vec<ClaimedJob>) {
    // The last claim is released first, so that the order among them is not kept by chance.
    for ClaimedJob { job, lease_token, due_at, .. } in claims.into_iter().rev() {
        let released = world.store.release_job(&job.id, &lease_token, due_at).await.unwrap();
        assert_eq!(released, LeaseOutcome::Recorded);
    }
}

/// Returns the job and its post as the API shows them, without their ids.
async fn seen(world: &World, job_id: &str) -> Value {
    let visibility = Visibility { account_id: world.account_id.clone(), website_ids: None };
    let newest = PageRequest { after: None, limit: 2 };
    let posts = world.store.list_posts(&visibility, &PostFilter::default(), &newest).await.unwrap();
    let post = posts.iter().find(|post| post.job_id.as_deref() == Some(job_id)).unwrap();
    let mut seen = json!([world.job(job_id).await.view(), post]);
    for (record, ids) in [(0, ["job_id", "scheduled_post_id"]), (1, ["id", "job_id"])] {
        for id in ids {
            seen[record].as_object_mut().unwrap().remove(id).unwrap();
        }
    }
    seen
}

/// Replaces each time by the milliseconds since `start`.
fn since(told: &mut Value, start: i64) {
    match told {
        Value::Array(values) => values.iter_mut().for_each(|value| since(value, start)),
        Value::Object(members) => members.values_mut().for_each(|value| since(value, start)),
        Value::String(text) => {
            if let Ok(moment) = chrono::DateTime::parse_from_rfc3339(text) {
                *told = json!(moment.timestamp_millis() - start);
            }
        }
        _ => {}
    }
}

pub(crate) async fn the_time_of_a_job_runs_from_its_start(world: World) {
    let queued_at = world.now();
    let job_id = world.queue(world.submission("a topic")).await;
    let long = 2 * PROGRESS_DEADLINE;
    let claims = world.store.claim_jobs(1, world.moment(), world.now().plus(2 * long)).await.unwrap();
    // No worker begins the job for twice the maximum time in progress.
    world.advance(long);
    assert!(world.store.fail_overdue_jobs(world.moment()).await.unwrap().is_empty());
    let waiting = world.job(&job_id).await;
    assert_eq!((waiting.status, waiting.attempts, waiting.progress), (JobStatus::Queued, 0, 0));
    assert_eq!((waiting.started_at, waiting.deadline_at), (None, queued_at.plus(QUEUED_DEADLINE)));

    let begun = world.begin(&claims.claimed[0], long).await.unwrap();
    assert_eq!(begun, world.job(&job_id).await);
    assert_eq!((begun.status, begun.attempts), (JobStatus::InProgress, 1));
    assert_eq!((begun.started_at, begun.deadline_at), (Some(world.now()), world.now().plus(PROGRESS_DEADLINE)));
    world.advance_almost(PROGRESS_DEADLINE);
    assert!(world.store.fail_overdue_jobs(world.moment()).await.unwrap().is_empty());
    world.advance(Duration::from_millis(1));
    assert_eq!(world.store.fail_overdue_jobs(world.moment()).await.unwrap()[0].job_id, job_id);
}

pub(crate) async fn a_job_that_a_worker_holds_is_cancelled_like_any_other(world: World) {
    let job_id = world.queue(world.submission("a topic")).await;
    let held = world.claim_unbegun().await.remove(0);
    let Cancelled::Done(job) = world.store.cancel_job(&job_id, world.now()).await.unwrap() else { panic!("not done") };
    assert_eq!((job.status, job.attempts, job.progress, job.started_at), (JobStatus::Cancelled, 0, 0, None));
    assert_eq!(world.begin(&held, LEASE).await, None);
    let released = world.store.release_job(&job_id, &held.lease_token, held.due_at).await.unwrap();
    assert_eq!(released, LeaseOutcome::Lost);
    assert_eq!(world.store.complete_job(world.completion(&held, "Too late")).await.unwrap(), LeaseOutcome::Lost);
    assert_eq!(world.job(&job_id).await, job);
    world.advance(LATER);
    assert!(world.claim_unbegun().await.is_empty());
}

pub(crate) async fn a_claim_that_lapsed_before_its_job_began_is_no_interruption(world: World) {
    let job_id = world.queue(world.submission("a topic")).await;
    let died = world.claim_unbegun().await.remove(0);
    world.advance(LATER);
    let taken = world.claim_unbegun().await.remove(0);
    assert_eq!((died.has_lapsed, taken.has_lapsed), (false, true));
    assert_eq!(world.begin(&died, LEASE).await, None, "another worker holds it");
    let begun = world.begin(&taken, LEASE).await.unwrap();
    assert_eq!((begun.attempts, begun.interruptions), (1, 0));
    assert_eq!(begun, world.job(&job_id).await);
}

/// Simulates a connection that broke when the start was committed. The worker does not have the result and stores the start again.
pub(crate) async fn a_start_that_is_stored_again_begins_nothing_anew(world: World) {
    let job_id = world.queue(world.submission("a topic")).await;
    let claimed = world.claim_unbegun().await.remove(0);
    let begun = world.begin(&claimed, LEASE).await;
    world.advance(Duration::from_secs(5));
    assert_eq!(world.begin(&claimed, LEASE).await, begun);
    assert_eq!(Some(world.job(&job_id).await), begun);
    world.advance(LATER);
    world.claim_unbegun().await;
    assert_eq!(world.begin(&claimed, LEASE).await, None, "another worker holds it");
}

pub(crate) async fn whoever_claims_a_job_holds_it_although_the_last_holder_comes_back(world: World) {
    let job_id = world.queue(world.submission("a topic")).await;
    let stalled = world.claim().await.remove(0);
    let renew = |claimed: &ClaimedJob| {
        let (job_id, token) = (job_id.clone(), claimed.lease_token.clone());
        let (store, until) = (&world.store, world.now().plus(LEASE));
        async move { store.renew_job(&job_id, &token, until).await.unwrap() }
    };
    world.advance(LEASE);
    let newer = world.claim_unbegun().await.remove(0);
    assert_eq!(renew(&stalled).await, LeaseOutcome::Lost);
    // After the newer worker has released the job, the former worker may continue it, until another worker claims it.
    let released = world.store.release_job(&job_id, &newer.lease_token, newer.due_at).await.unwrap();
    assert_eq!((released, renew(&stalled).await), (LeaseOutcome::Recorded, LeaseOutcome::Recorded));
    world.advance(LEASE);
    let newer = world.claim_unbegun().await.remove(0);
    assert_eq!(renew(&stalled).await, LeaseOutcome::Lost);
    let begun = world.begin(&newer, LEASE).await.unwrap();
    assert_eq!((begun.attempts, begun.interruptions), (2, 1));
    assert_eq!((renew(&stalled).await, renew(&newer).await), (LeaseOutcome::Lost, LeaseOutcome::Recorded));
}

pub(crate) async fn a_failed_attempt_that_is_told_late_still_has_its_pause(world: World) {
    // So the two deadlines of the job differ.
    world.set_wall_ahead(3_600_000);
    let job_id = world.queue(world.submission("a topic")).await;
    let stalled = world.claim().await.remove(0);
    world.advance(LEASE);
    let newer = world.claim_unbegun().await.remove(0);
    let failed = JobFailure {
        job_id: job_id.clone(),
        lease_token: stalled.lease_token,
        failure: Failure { code: "generator_unavailable".to_owned(), message: "Away.".to_owned(), retryable: true },
        retry_at: Some(world.now().plus(LEASE)),
        event_id: "evt_1".to_owned(),
        now: world.moment(),
    };
    assert_eq!(world.store.fail_job(failed).await.unwrap(), LeaseOutcome::Recorded);
    assert_eq!(world.begin(&newer, LEASE).await, None, "it waits for its next attempt");
    assert_eq!(world.job(&job_id).await.expires_at, stalled.job.expires_at);
    world.advance_almost(LEASE);
    assert!(world.claim().await.is_empty());
    world.advance(Duration::from_millis(1));
    assert_eq!(world.claim().await[0].job.interruptions, 0);
}

pub(crate) async fn jobs_begin_together_under_their_own_claims(world: World) {
    for number in 0..8 {
        world.queue(world.submission(&format!("topic {number}"))).await;
    }
    let mut claimed = world.claim_unbegun().await;
    "another".clone_into(&mut claimed[5].lease_token);
    let (now, lease_until) = (world.now(), world.now().plus(LEASE));
    let starts = claimed.iter().map(|claimed| world.store.begin_job(claimed.start(both(now), lease_until)));
    let begun: Vec<Option<Job>> = join_all(starts).await.into_iter().map(Result::unwrap).collect();
    let visibility = Visibility { account_id: world.account_id.clone(), website_ids: None };
    let filter = PostFilter { website_id: None, status: Some(PostStatus::Generating) };
    let page = PageRequest { after: None, limit: 10 };
    assert_eq!(world.store.list_posts(&visibility, &filter, &page).await.unwrap().len(), 7);
    for (number, (claimed, begun)) in claimed.iter().zip(begun).enumerate() {
        let stored = world.job(&claimed.job.id).await;
        assert_eq!(begun, (number != 5).then_some(stored));
    }
}
