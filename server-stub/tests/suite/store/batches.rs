//! Promises about statements for many records at once. SQLite runs such a statement once for each record, PostgreSQL once for all of them.
//! Every record here differs from its neighbours, to detect a value in the wrong record.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use contentgen_server_stub::domain::account::{Account, WebsiteStatus};
use contentgen_server_stub::domain::article::{Article, ArticleStatus};
use contentgen_server_stub::domain::delivery::AttemptKind;
use contentgen_server_stub::domain::event::EventType;
use contentgen_server_stub::domain::hook::{Attempt, DeliveryStatus, EndpointStatus};
use contentgen_server_stub::domain::job::JobStatus;
use contentgen_server_stub::domain::post::{PostStatus, ScheduledPost};
use contentgen_server_stub::domain::retry_schedule::AttemptDecision;
use contentgen_server_stub::domain::store::{
    AttemptRecord, ClaimedDelivery, ClaimedJob, LeaseOutcome, PageRequest, PostFilter,
};
use contentgen_server_stub::domain::visibility::Visibility;
use contentgen_server_stub::domain::voice::BrandVoice;
use futures::future::join_all;

use super::deliveries::{capture, claim, later};
use super::world::{World, both};

const MINUTE: Duration = Duration::from_mins(1);

/// Returns the posts of an account, by the id of their job.
async fn posts(world: &World, account_id: &str) -> HashMap<String, ScheduledPost> {
    let visibility = Visibility { account_id: account_id.to_owned(), website_ids: None };
    let page = PageRequest { after: None, limit: 100 };
    let posts = world.store.list_posts(&visibility, &PostFilter::default(), &page).await.unwrap();
    posts.into_iter().map(|post| (post.job_id.clone().unwrap(), post)).collect()
}

/// Creates two accounts with three websites and a different voice for each. Returns the ids of account and website by the name of the
/// voice.
async fn websites(world: &World) -> BTreeMap<String, (String, String)> {
    let voice = |id: &str, is_default| {
        let (id, name) = (format!("voice_{id}"), id.to_owned());
        BrandVoice { id, name, is_default, ..BrandVoice::default() }
    };
    world.store.put_voice(&world.account_id, &world.saved(&voice("house", true))).await.unwrap();
    world.store.put_voice(&world.account_id, &world.saved(&voice("own", false))).await.unwrap();
    let other = Account { id: "acct_other".to_owned(), name: "other".to_owned(), created_at: world.now() };
    world.store.create_account(&other).await.unwrap();
    let mut own = world.website("web_own", WebsiteStatus::Active);
    own.brand_voice_id = Some("voice_own".to_owned());
    let mut plain = world.website("web_plain", WebsiteStatus::Active);
    plain.account_id.clone_from(&other.id);
    let mut websites = BTreeMap::new();
    websites.insert("house".to_owned(), (world.account_id.clone(), world.website_id.clone()));
    for (name, website) in [("own".to_owned(), own), (BrandVoice::default().name, plain)] {
        world.store.create_website(&website).await.unwrap();
        websites.insert(name, (website.account_id, website.website_id));
    }
    websites
}

pub(crate) async fn jobs_of_several_websites_are_claimed_and_completed_at_once(world: World) {
    let websites = websites(&world).await;
    let mut voices = HashMap::new();
    for (voice, (account_id, website_id)) in &websites {
        for number in 0..4 {
            let mut submission = world.submission(&format!("{voice} {number}"));
            for (account, website) in [
                (&mut submission.job.account_id, &mut submission.job.website_id),
                (&mut submission.post.account_id, &mut submission.post.website_id),
            ] {
                account.clone_from(account_id);
                website.clone_from(website_id);
            }
            voices.insert(world.queue(submission).await, (voice.clone(), website_id.clone()));
            world.advance(MINUTE);
        }
    }
    let mut claimed = world.claim().await;
    assert_eq!(claimed.len(), 12);
    for ClaimedJob { job, voice, website, .. } in &claimed {
        assert_eq!(voices[&job.id], (voice.name.clone(), website.website_id.clone()));
        assert_eq!(world.job(&job.id).await, *job);
        assert_eq!(posts(&world, &job.account_id).await[&job.id].status, PostStatus::Generating);
    }

    let lost = claimed[5].job.id.clone();
    "another".clone_into(&mut claimed[5].lease_token);
    let completions: Vec<_> = claimed
        .iter()
        .enumerate()
        .map(|(number, claimed)| {
            // Each two neighbours have the same title, so that their slugs compete.
            let mut completion = world.completion(claimed, &format!("Title {}", number / 2));
            completion.article.website_id.clone_from(&claimed.job.website_id);
            completion.article.status = if number % 3 == 0 { ArticleStatus::Draft } else { ArticleStatus::Scheduled };
            completion.finished_at = both(world.advance(MINUTE));
            completion
        })
        .collect();
    let outcomes = join_all(completions.iter().map(|completion| world.store.complete_job(completion.clone()))).await;
    let mut slugs = HashSet::new();
    for (completion, outcome) in completions.iter().zip(outcomes) {
        let job = world.job(&completion.job_id).await;
        if job.id == lost {
            assert_eq!((outcome.unwrap(), job.status), (LeaseOutcome::Lost, JobStatus::InProgress));
            assert!(world.store.find_article(&completion.article.id).await.unwrap().is_none());
            continue;
        }
        assert_eq!((outcome.unwrap(), job.status), (LeaseOutcome::Recorded, JobStatus::Completed));
        assert_eq!(
            (&job.article_id, job.finished_at),
            (&Some(completion.article.id.clone()), Some(completion.finished_at.wall))
        );
        let stored = world.store.find_article(&completion.article.id).await.unwrap().unwrap();
        assert_eq!((&stored.account_id, &stored.website_id), (&job.account_id, &job.website_id));
        let article: Article = serde_json::from_slice(&stored.body).unwrap();
        assert_eq!((article.content.title, stored.status), (completion.article.content.title.clone(), article.status));
        assert_eq!(article.job_id, Some(job.id.clone()));
        assert!(slugs.insert((job.website_id.clone(), article.content.slug)), "a slug twice");
        let post = &posts(&world, &job.account_id).await[&job.id];
        let expected = if article.status == ArticleStatus::Draft { PostStatus::Ready } else { PostStatus::Scheduled };
        assert_eq!((post.status, &post.article_id), (expected, &job.article_id));
        assert_eq!(post.updated_at, completion.finished_at.wall);
    }
}

/// Returns an attempt that differs from all others.
fn attempt(world: &World, number: u16) -> Attempt {
    Attempt {
        started_at: world.advance(MINUTE),
        request_headers: vec![("webhook-timestamp".to_owned(), number.to_string())],
        duration_ms: number.into(),
        response_status: number.is_multiple_of(2).then_some(500 + number),
        error: (number % 2 == 1).then(|| format!("error {number}")),
        retry_after: number.is_multiple_of(3).then(|| Duration::from_secs(number.into())),
        timed_out: false,
        response_headers: vec![("number".to_owned(), number.to_string())].into(),
        response_head: number.is_multiple_of(4).then(|| format!("head {number}").into()),
    }
}

pub(crate) async fn attempts_of_several_endpoints_are_recorded_at_once(world: World) {
    let mut endpoint_ids = Vec::new();
    for number in 0..5 {
        let mut endpoint = world.endpoint(&EventType::DEFAULT);
        endpoint.url = format!("https://hooks.example.org/{number}");
        endpoint_ids.push(world.hook(endpoint).await);
    }
    capture(&world, 2).await;
    let mut claimed = claim(&world, 100, 1).await;
    claimed.sort_by_key(|delivery| endpoint_ids.iter().position(|id| *id == delivery.endpoint_id));
    assert_eq!(claimed.len(), 5);
    let (urls, tokens): (Vec<_>, HashSet<_>) =
        claimed.iter().map(|delivery| (delivery.url.clone(), delivery.lease_token.clone())).unzip();
    assert_eq!((urls[3].as_str(), tokens.len()), ("https://hooks.example.org/3", 5));
    "another".clone_into(&mut claimed[1].lease_token);

    let retry = later(&world, 60 * MINUTE);
    let AttemptDecision::RetryAt(retry_at) = retry else { unreachable!() };
    let decisions = [
        AttemptDecision::Succeeded,
        AttemptDecision::Succeeded,
        retry,
        AttemptDecision::Gone,
        AttemptDecision::Exhausted,
    ];
    let record = |(number, (delivery, decision)): (u16, (&ClaimedDelivery, AttemptDecision))| {
        let attempt = attempt(&world, number);
        AttemptRecord { delivery: delivery.clone(), attempt, decision, decided_at: world.moment() }
    };
    let records: Arc<[_]> = (1..).zip(claimed.iter().zip(decisions)).map(record).collect();
    let outcomes = world.store.record_attempts(Arc::clone(&records)).await.unwrap();
    let (recorded, lost) = (LeaseOutcome::Recorded, LeaseOutcome::Lost);
    assert_eq!(outcomes, [recorded, lost, recorded, recorded, recorded]);

    let status = async |delivery: &ClaimedDelivery| {
        let delivery = world.store.find_delivery(&delivery.id).await.unwrap().unwrap();
        (delivery.status, delivery.next_attempt_at)
    };
    assert_eq!(status(&claimed[0]).await, (DeliveryStatus::Succeeded, None));
    assert_eq!(status(&claimed[1]).await.0, DeliveryStatus::Pending);
    assert_eq!(status(&claimed[2]).await, (DeliveryStatus::Pending, Some(retry_at)));
    assert_eq!(status(&claimed[3]).await, (DeliveryStatus::Failed, None));
    assert_eq!(status(&claimed[4]).await, (DeliveryStatus::Exhausted, None));
    for (AttemptRecord { delivery, attempt, .. }, outcome) in records.iter().zip(outcomes) {
        let mut logged = world.store.list_attempts(&delivery.id).await.unwrap();
        assert_eq!(logged.len(), usize::from(outcome == LeaseOutcome::Recorded));
        let Some(logged) = logged.pop() else { continue };
        assert_eq!((logged.number, logged.kind, logged.started_at), (1, AttemptKind::Scheduled, attempt.started_at));
        assert_eq!((logged.duration_ms, logged.response_status), (attempt.duration_ms, attempt.response_status));
        assert_eq!((&logged.error, &logged.response_head), (&attempt.error, &attempt.response_head));
        assert_eq!(logged.request_headers, attempt.request_headers);
        assert_eq!(logged.response_headers, attempt.response_headers);
    }

    let states = world.store.list_hook_endpoints(&world.account_id).await.unwrap();
    let seen = endpoint_ids.iter().map(|id| {
        let state = states.iter().find(|state| state.endpoint.id == *id).unwrap();
        let failed_attempts = state.health.failed_attempts;
        (state.endpoint.status, state.last_success_at, state.last_failure_at, failed_attempts)
    });
    let (active, at) = (EndpointStatus::Active, |number: usize| Some(records[number].decided_at.wall));
    let expected = [
        (active, at(0), None, 0),
        (active, None, None, 0),
        (active, None, at(2), 1),
        (EndpointStatus::Disabled, None, at(3), 0),
        (active, None, at(4), 1),
    ];
    assert_eq!(seen.collect::<Vec<_>>(), expected);
    // The deleted endpoint loses its pending deliveries, and no other endpoint does.
    let waiting: HashSet<_> = claim(&world, 100, 100).await.into_iter().map(|one| one.endpoint_id).collect();
    let expected = endpoint_ids.iter().enumerate().filter(|(number, _)| *number != 3).map(|(_, id)| id.clone());
    assert_eq!(waiting, expected.collect());
}
