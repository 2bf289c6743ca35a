//! Each change that makes work due or ends a job wakes the tasks that wait for it, in every process. Other calls wake
//! no task, except that a result is announced again if it is recorded again.

use std::fmt::Debug;
use std::time::Duration;

use contentgen_server_stub::domain::account::WebsiteStatus;
use contentgen_server_stub::domain::article::ArticleStatus;
use contentgen_server_stub::domain::delivery::DeliveryState;
use contentgen_server_stub::domain::event::{Event, EventType};
use contentgen_server_stub::domain::failure::Failure;
use contentgen_server_stub::domain::hook::{EndpointStatus, HookEndpoint, HookSecret};
use contentgen_server_stub::domain::id::{self, Kind};
use contentgen_server_stub::domain::job::MAX_INTERRUPTIONS;
use contentgen_server_stub::domain::lead::LeadConfirmation;
use contentgen_server_stub::domain::post::PostChange;
use contentgen_server_stub::domain::publishing_target::PublishingTarget;
use contentgen_server_stub::domain::retry_schedule::AttemptDecision;
use contentgen_server_stub::domain::store::{ClaimedJob, ClaimedPost, DeliveryFilter, PageRequest, PublishOutcome};
use contentgen_server_stub::randomness::SystemRandomness;
use contentgen_server_stub::wakeups::Announcement::{self, DeliveryDue, JobDue, JobEnded, PostDue};
use contentgen_server_stub::wakeups::Wakeups;
use futures::FutureExt as _;

use super::deliveries::{claim, record_all};
use super::jobs::failure;
use super::pipeline::again;
use super::slots::set_slots;
use super::targets::directory;
use super::world::{LEASE, World};
use crate::waiting::ended;

const MINUTE: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);

/// Calls that record a result: after the first one, the response may have been lost.
const REPEATED: std::ops::Range<u8> = 0..2;

/// The processes in which changes are announced.
pub(super) struct Processes<'w> {
    /// The process that makes the changes.
    pub(super) own: &'w Wakeups,
    /// Another process on the same database.
    pub(super) other: Option<&'w Wakeups>,
}

impl Processes<'_> {
    /// Checks that `change` announces exactly `expected`. Only the end of `job_id` is watched.
    async fn expect<T, E: Debug>(
        &self,
        expected: &[Announcement],
        job_id: &str,
        change: impl Future<Output = Result<T, E>>,
    ) -> T {
        let watches: Vec<_> = [self.own].into_iter().chain(self.other).map(|one| one.watch_job(job_id)).collect();
        let mut ends: Vec<_> = watches.iter().map(|watch| Box::pin(watch.ended())).collect();
        for end in &mut ends {
            end.as_mut().enable();
        }
        take(self.own);
        if let Some(other) = self.other {
            take(other);
        }
        let outcome = change.await.unwrap();
        let mut announced = take(self.own);
        announced.extend(ends.remove(0).now_or_never().map(|()| JobEnded(job_id.to_owned())));
        let Some(other) = self.other else {
            assert_eq!(announced, expected);
            return outcome;
        };
        // Announcements of earlier changes come back to their own process at any time.
        assert!(expected.iter().all(|one| announced.contains(one)), "{announced:?} lacks some of {expected:?}");
        for announcement in expected {
            let what = format!("{announcement:?} reaches the other process");
            match announcement {
                JobDue => ended(&what, other.jobs.notified()).await,
                PostDue => ended(&what, other.posts.notified()).await,
                DeliveryDue => ended(&what, other.deliveries.notified()).await,
                JobEnded(_) => ended(&what, ends.remove(0)).await,
            }
        }
        outcome
    }
}

/// Returns the queues that were announced since the last call.
pub(super) fn take(wakeups: &Wakeups) -> Vec<Announcement> {
    let queues = [(&wakeups.jobs, JobDue), (&wakeups.posts, PostDue), (&wakeups.deliveries, DeliveryDue)];
    let is_announced = |queue: &tokio::sync::Notify| queue.notified().now_or_never().is_some();
    queues.into_iter().filter(|(queue, _)| is_announced(queue)).map(|(_, announcement)| announcement).collect()
}

/// Makes every change that is announced.
pub(super) async fn every_change_is_announced(world: &World, processes: &Processes<'_>) {
    changes_of_jobs(world, processes).await;
    changes_of_posts(world, processes).await;
    changes_of_leads(world, processes).await;
    changes_of_deliveries(world, processes).await;
}

async fn changes_of_jobs(world: &World, processes: &Processes<'_>) {
    let store = &world.store;
    let submission = world.keyed_submission("a topic", "key");
    let (job_id, post_id) = (submission.job.id.clone(), submission.post.id.clone());
    processes.expect(&[JobDue], &job_id, store.submit(submission)).await;
    processes.expect(&[], &job_id, store.submit(world.keyed_submission("a topic", "key"))).await;

    let claimed = world.claim_unbegun().await.remove(0);
    let release = || store.release_job(&job_id, &claimed.lease_token, claimed.due_at);
    processes.expect(&[JobDue], &job_id, release()).await;
    processes.expect(&[], &job_id, release()).await;

    let claimed = world.claim().await.remove(0);
    processes.expect(&[], &job_id, store.fail_job(failure(world, &claimed, Some(MINUTE)))).await;
    world.advance(MINUTE);
    let claimed = world.claim().await.remove(0);
    let fail = || store.fail_job(failure(world, &claimed, None));
    for _ in REPEATED {
        processes.expect(&[DeliveryDue, JobEnded(job_id.clone())], &job_id, fail()).await;
    }

    let submission = again(world, &post_id);
    let job_id = submission.job.id.clone();
    processes.expect(&[JobDue], &job_id, store.requeue_post(submission)).await;
    processes.expect(&[], &job_id, store.requeue_post(again(world, &post_id))).await;
    for _ in REPEATED {
        processes.expect(&[JobEnded(job_id.clone())], &job_id, store.cancel_job(&job_id, world.now())).await;
    }

    let claimed = queued_and_claimed(world).await;
    let job_id = &claimed.job.id;
    let complete = || store.complete_job(world.completion(&claimed, "A title"));
    for _ in REPEATED {
        processes.expect(&[PostDue, JobEnded(job_id.clone())], job_id, complete()).await;
    }
    processes.expect(&[], job_id, store.cancel_job(job_id, world.now())).await;

    let job_id = world.queue(world.submission("a topic")).await;
    store.set_website_status(&world.website_id, WebsiteStatus::Paused, world.now()).await.unwrap();
    let claim_all = || store.claim_jobs(10, world.moment(), world.now().plus(LEASE));
    processes.expect(&[DeliveryDue, JobEnded(job_id.clone())], &job_id, claim_all()).await;
    processes.expect(&[], &job_id, claim_all()).await;
    store.set_website_status(&world.website_id, WebsiteStatus::Active, world.now()).await.unwrap();

    let job_id = world.queue(world.submission("a topic")).await;
    world.advance(100 * HOUR);
    processes.expect(&[DeliveryDue, JobEnded(job_id.clone())], &job_id, store.fail_overdue_jobs(world.moment())).await;
    processes.expect(&[], &job_id, store.fail_overdue_jobs(world.moment())).await;
}

async fn changes_of_posts(world: &World, processes: &Processes<'_>) {
    let store = &world.store;
    let claimed = queued_and_claimed(world).await;
    let mut completion = world.completion(&claimed, "A title");
    completion.article.status = ArticleStatus::Draft;
    store.complete_job(completion).await.unwrap();
    let post_id = &claimed.job.scheduled_post_id;

    processes.expect(&[], "", store.schedule_in_slot(post_id, world.moment())).await;
    set_slots(world, "mon 09:00").await;
    processes.expect(&[PostDue], "", store.schedule_in_slot(post_id, world.moment())).await;
    let at_once = PostChange::Schedule(None);
    processes.expect(&[PostDue], "", store.change_post(post_id, at_once, world.moment())).await;
    processes.expect(&[], "", store.change_post("post_nothing", at_once, world.moment())).await;

    let claim = || store.claim_posts(10, &[], world.moment(), world.now().plus(LEASE));
    let record = |claimed: &ClaimedPost, outcome| {
        let (post_id, lease_token) = (claimed.post.id.clone(), claimed.lease_token.clone());
        async move { store.record_publish(&post_id, &lease_token, outcome, world.moment()).await }
    };
    let due = processes.expect(&[], "", claim()).await.remove(0);
    processes.expect(&[], "", record(&due, PublishOutcome::RetryAt(world.now()))).await;
    let due = processes.expect(&[], "", claim()).await.remove(0);
    let article = due.article.clone().published("https://example.org/here".to_owned(), world.now());
    let event_id = id::new(Kind::Event, world.now(), &SystemRandomness);
    let event = Event::article_published(event_id, &world.account_id, &article, &due.post.id, world.now());
    let published = PublishOutcome::Published { article: Box::new(article), is_hosted: true, event };
    for _ in REPEATED {
        processes.expect(&[DeliveryDue], "", record(&due, published.clone())).await;
    }
    let article = &due.article;
    let edit = |opened| {
        let edit = (opened, article.content.clone());
        store.edit_article(&world.account_id, &article.id, edit, world.moment())
    };
    processes.expect(&[DeliveryDue], "", edit(1)).await.unwrap();
    processes.expect(&[], "", edit(1)).await.unwrap_err();

    let claimed = queued_and_claimed(world).await;
    store.complete_job(world.completion(&claimed, "A title")).await.unwrap();
    store.change_post(&claimed.job.scheduled_post_id, at_once, world.moment()).await.unwrap();
    let due = processes.expect(&[], "", claim()).await.remove(0);
    let failure = Failure { code: "publish_failed".to_owned(), message: "Away.".to_owned(), retryable: true };
    for _ in REPEATED {
        processes.expect(&[DeliveryDue], "", record(&due, PublishOutcome::Failed(failure.clone()))).await;
    }
    store.change_post(&due.post.id, PostChange::RetryPublishing, world.moment()).await.unwrap().unwrap();
    for _ in 0..=MAX_INTERRUPTIONS {
        processes.expect(&[], "", claim()).await;
        world.advance(LEASE);
    }
    processes.expect(&[DeliveryDue], "", claim()).await;

    let (id, files) = (world.website_id.as_str(), directory("posts"));
    let set = || store.set_target(id, &PublishingTarget::Hosted, &files, world.moment());
    processes.expect(&[PostDue], "", set()).await;
    processes.expect(&[], "", set()).await;
}

async fn changes_of_leads(world: &World, processes: &Processes<'_>) {
    let store = &world.store;
    let (mut lead, event) = world.lead(Some("someone@example.org"));
    lead.confirmation = LeadConfirmation::of_new_lead(true);
    let since = world.now();
    processes.expect(&[DeliveryDue], "", store.capture_lead(&lead, &event, since, since)).await;
    let (same, event) = world.lead(Some("someone@example.org"));
    processes.expect(&[], "", store.capture_lead(&same, &event, since, since)).await;
    let confirmed = lead.confirmed(since);
    let event = Event::lead_confirmed(id::new(Kind::Event, since, &SystemRandomness), &confirmed, since);
    processes.expect(&[DeliveryDue], "", store.confirm_lead(&confirmed, &event, since)).await;
    processes.expect(&[], "", store.confirm_lead(&confirmed, &event, since)).await;
}

async fn changes_of_deliveries(world: &World, processes: &Processes<'_>) {
    let (store, since) = (&world.store, world.now());
    let endpoint_id = &world.hook(world.endpoint(&[EventType::LeadCaptured])).await;
    let event_id = || id::new(Kind::Event, world.now(), &SystemRandomness);
    let test = Event::hook_test(event_id(), &world.account_id, world.now());
    processes.expect(&[DeliveryDue], "", store.send_test(endpoint_id, &test, world.now())).await;
    let test = Event::hook_test(event_id(), &world.account_id, world.now());
    processes.expect(&[], "", store.send_test("hook_nothing", &test, world.now())).await;
    record_all(world, &claim(world, 10, 10).await, AttemptDecision::Succeeded).await;

    let (lead, event) = world.lead(None);
    store.capture_lead(&lead, &event, world.now(), world.now()).await.unwrap();
    let claimed = claim(world, 10, 10).await;
    let delivery_id = &claimed[0].id.clone();
    let release = || store.release_deliveries(claimed.clone().into(), world.now());
    processes.expect(&[DeliveryDue], "", release()).await;
    processes.expect(&[], "", release()).await;
    let give_up = async || record_all(world, &claim(world, 10, 10).await, AttemptDecision::Exhausted).await;
    processes.expect(&[], "", async { Ok::<_, ()>(give_up().await) }).await;

    processes.expect(&[DeliveryDue], "", store.redeliver(delivery_id, world.now())).await;
    processes.expect(&[], "", store.redeliver(delivery_id, world.now())).await;
    give_up().await;
    let page = PageRequest { after: None, limit: 10 };
    let filter = DeliveryFilter { state: Some(DeliveryState::Exhausted), ..DeliveryFilter::default() };
    let redeliver_all = || store.redeliver_matching(&world.account_id, &filter, &page, world.now());
    processes.expect(&[DeliveryDue], "", redeliver_all()).await;
    processes.expect(&[], "", redeliver_all()).await;
    give_up().await;
    let recover = || store.recover_deliveries(endpoint_id, since, world.moment());
    processes.expect(&[DeliveryDue], "", recover()).await;
    processes.expect(&[], "", recover()).await;

    let former = store.list_hook_endpoints(&world.account_id).await.unwrap();
    let former = former.into_iter().find(|state| state.endpoint.id == *endpoint_id).unwrap().with_secret(()).endpoint;
    let wanted = HookEndpoint { url: "https://right.example.org/".to_owned(), ..former.clone() };
    let update = |retry_at| store.update_hook_endpoint(&former, &wanted, retry_at);
    processes.expect(&[DeliveryDue], "", update(Some(world.now()))).await;
    processes.expect(&[], "", update(Some(world.now()))).await;
    let (secret, times) = (HookSecret::generate(&SystemRandomness), (world.now(), world.now()));
    processes.expect(&[], "", store.rotate_hook_secret(endpoint_id, &secret, times, None)).await;
    let corrected = store.rotate_hook_secret(endpoint_id, &secret, times, Some(world.now()));
    processes.expect(&[DeliveryDue], "", corrected).await;
    processes.expect(&[], "", store.set_hook_status(endpoint_id, EndpointStatus::Paused, world.now())).await;
    processes.expect(&[DeliveryDue], "", store.set_hook_status(endpoint_id, EndpointStatus::Active, world.now())).await;
    processes.expect(&[], "", store.set_hook_status("hook_nothing", EndpointStatus::Active, world.now())).await;
}

async fn queued_and_claimed(world: &World) -> ClaimedJob {
    world.queue(world.submission("a topic")).await;
    world.claim().await.remove(0)
}
