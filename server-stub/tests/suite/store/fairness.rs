//! Selection by claims: deliveries against a model, with random endpoints, backlogs, failures and capacities; jobs and posts
//! of several accounts.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use contentgen_server_stub::domain::account::{Account, WebsiteStatus};
use contentgen_server_stub::domain::clock::Timestamp;
use contentgen_server_stub::domain::endpoint_capacity::EndpointCapacity;
use contentgen_server_stub::domain::endpoint_health::EndpointHealth;
use contentgen_server_stub::domain::event::EventType;
use contentgen_server_stub::domain::hook::{EndpointStatus, HookSecret};
use contentgen_server_stub::domain::publishing_target::{MAX_PUSHES_IN_ALL, PublishingTarget};
use contentgen_server_stub::domain::retry_schedule::AttemptDecision;
use contentgen_server_stub::domain::store::{ClaimedDelivery, LeaseOutcome, PageRequest};
use contentgen_server_stub::randomness::SystemRandomness;
use contentgen_server_stub::storage::Store;
use futures::future::join_all;
use proptest::prelude::*;

use super::deliveries::{capture, later, record};
use super::world::{LEASE, World, both, capacity};

/// An action in a test case.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    /// Registers an endpoint.
    Register,
    /// Captures leads, each with a delivery to every active endpoint.
    Capture(usize),
    /// Lets time pass, in seconds.
    Pass(u64),
    /// Claims deliveries: the maximum number in all, the maximum for each endpoint, and lower limits for some endpoints.
    Claim(u32, u32, Vec<(usize, u32)>),
    /// Ends attempts: the deliveries in flight, and their results.
    End(Vec<(usize, Ending)>),
    /// Releases deliveries in flight.
    Release(Vec<usize>),
    /// Pauses an endpoint, or resumes a paused one.
    Toggle(usize),
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Ending {
    Succeeded,
    Retried(u64),
    Exhausted,
}

pub(crate) fn cases() -> impl Strategy<Value = Vec<Step>> {
    let ending = prop_oneof![
        3 => Just(Ending::Succeeded),
        2 => (1..120_u64).prop_map(Ending::Retried),
        2 => Just(Ending::Exhausted),
    ];
    let reduced = prop::collection::vec((0..6_usize, 0..4_u32), 0..3);
    let step = prop_oneof![
        2 => Just(Step::Register),
        4 => (1..6_usize).prop_map(Step::Capture),
        3 => (1..100_u64).prop_map(Step::Pass),
        8 => (0..12_u32, 1..5_u32, reduced).prop_map(|(limit, per_endpoint, reduced)| {
            Step::Claim(limit, per_endpoint, reduced)
        }),
        5 => prop::collection::vec((0..10_usize, ending), 1..6).prop_map(Step::End),
        2 => prop::collection::vec(0..10_usize, 1..4).prop_map(Step::Release),
        1 => (0..6_usize).prop_map(Step::Toggle),
    ];
    prop::collection::vec(step, 1..40).prop_map(|mut steps| {
        steps.splice(0..0, [Step::Register, Step::Register, Step::Capture(3)]);
        steps
    })
}

/// The test's own record of an endpoint.
struct Endpoint {
    id: String,
    is_active: bool,
    health: EndpointHealth,
    /// For each delivery, the time at which it is due or its lease ends.
    waiting: HashMap<String, Timestamp>,
    /// The newest claim of each claimed delivery.
    claimed: HashMap<String, ClaimedDelivery>,
}

impl Endpoint {
    fn in_flight(&self, now: Timestamp) -> u32 {
        let leased = |(id, until): &(&String, &Timestamp)| self.claimed.contains_key(*id) && **until > now;
        u32::try_from(self.waiting.iter().filter(leased).count()).unwrap()
    }

    /// Returns the deliveries that the endpoint may get: the resulting number in flight, the due time, and the id.
    fn may_get(&self, capacity: &EndpointCapacity, now: Timestamp) -> Vec<(u32, Timestamp, String)> {
        let in_flight = self.in_flight(now);
        let at_most = if self.health.is_failing(now) { 1 } else { u32::MAX };
        let free = capacity.free(&self.id, in_flight, false).min(at_most.saturating_sub(in_flight));
        let mut due: Vec<_> = self.waiting.iter().filter(|(_, due_at)| **due_at <= now && self.is_active).collect();
        due.sort_by_key(|(id, due_at)| (**due_at, (*id).clone()));
        let numbered = (in_flight + 1..).zip(due.into_iter().take(free as usize));
        numbered.map(|(number, (id, due_at))| (number, *due_at, id.clone())).collect()
    }
}

async fn take(world: &World, endpoints: &mut [Endpoint], limit: u32, capacity: &EndpointCapacity) {
    let (now, until) = (world.now(), world.now().plus(LEASE));
    let mut expected: Vec<_> = endpoints.iter().flat_map(|endpoint| endpoint.may_get(capacity, now)).collect();
    expected.sort();
    expected.truncate(limit as usize);
    let claimed = world.store.claim_deliveries(limit, capacity, both(now), until).await.unwrap();
    let ids: Vec<_> = claimed.iter().map(|delivery| &delivery.id).collect();
    assert_eq!(ids, expected.iter().map(|(_, _, id)| id).collect::<Vec<_>>());
    for delivery in claimed {
        let endpoint = endpoints.iter_mut().find(|endpoint| endpoint.id == delivery.endpoint_id).unwrap();
        endpoint.waiting.insert(delivery.id.clone(), until);
        endpoint.claimed.insert(delivery.id.clone(), delivery);
    }
}

/// Returns the n-th claimed delivery, even if its lease has expired.
fn nth(endpoints: &[Endpoint], number: usize) -> Option<(usize, ClaimedDelivery)> {
    let all =
        endpoints.iter().enumerate().flat_map(|(at, endpoint)| endpoint.claimed.values().map(move |one| (at, one)));
    let mut all: Vec<_> = all.map(|(at, delivery)| (at, delivery.clone())).collect();
    all.sort_by(|one, other| one.1.id.cmp(&other.1.id));
    all.get(number).cloned()
}

async fn end(world: &World, endpoints: &mut [Endpoint], number: usize, ending: Ending) {
    let Some((at, delivery)) = nth(endpoints, number) else { return };
    let (endpoint, now) = (&mut endpoints[at], world.now());
    let decision = match ending {
        Ending::Succeeded => AttemptDecision::Succeeded,
        Ending::Retried(seconds) => later(world, Duration::from_secs(seconds)),
        Ending::Exhausted => AttemptDecision::Exhausted,
    };
    assert_eq!(record(world, &delivery, decision).await, LeaseOutcome::Recorded);
    endpoint.claimed.remove(&delivery.id);
    endpoint.waiting.remove(&delivery.id);
    if let AttemptDecision::RetryAt(retry_at) = decision {
        endpoint.waiting.insert(delivery.id.clone(), retry_at);
    }
    endpoint.health = match ending {
        Ending::Succeeded => EndpointHealth::default(),
        Ending::Retried(_) => endpoint.health.clone().after_failure(&delivery.event_id, false, now),
        Ending::Exhausted => endpoint.health.clone().after_failure(&delivery.event_id, true, now),
    };
}

async fn release(world: &World, endpoints: &mut [Endpoint], number: usize) {
    let Some((at, delivery)) = nth(endpoints, number) else { return };
    endpoints[at].claimed.remove(&delivery.id);
    endpoints[at].waiting.insert(delivery.id.clone(), world.now());
    world.store.release_deliveries([delivery].into(), world.now()).await.unwrap();
}

async fn capture_for(world: &World, endpoints: &mut [Endpoint], leads: usize) {
    let mut known = HashMap::new();
    for endpoint in &*endpoints {
        known.insert(endpoint.id.clone(), deliveries(world, &endpoint.id).await);
    }
    capture(world, leads).await;
    for endpoint in endpoints {
        for id in deliveries(world, &endpoint.id).await {
            if !known[&endpoint.id].contains(&id) {
                endpoint.waiting.insert(id, world.now());
            }
        }
    }
}

async fn deliveries(world: &World, endpoint_id: &str) -> Vec<String> {
    let page = PageRequest { after: None, limit: 1000 };
    let deliveries = world.store.list_deliveries(endpoint_id, &page).await.unwrap();
    deliveries.into_iter().map(|delivery| delivery.id).collect()
}

pub(crate) async fn a_claim_takes_what_the_model_takes(world: World, steps: Vec<Step>) {
    let mut endpoints: Vec<Endpoint> = Vec::new();
    for step in steps {
        match step {
            Step::Register if endpoints.len() == 6 => {}
            Step::Register => endpoints.push(Endpoint {
                id: world.hook(world.endpoint(&EventType::DEFAULT)).await,
                is_active: true,
                health: EndpointHealth::default(),
                waiting: HashMap::new(),
                claimed: HashMap::new(),
            }),
            Step::Capture(leads) => capture_for(&world, &mut endpoints, leads).await,
            Step::Pass(seconds) => drop(world.advance(Duration::from_secs(seconds))),
            Step::Claim(limit, per_endpoint, reduced) => {
                let id = |(at, free): (usize, u32)| endpoints.get(at).map(|endpoint| (endpoint.id.clone(), free));
                let capacity = EndpointCapacity { per_endpoint, reduced: reduced.into_iter().filter_map(id).collect() };
                take(&world, &mut endpoints, limit, &capacity).await;
            }
            Step::End(ends) => {
                for (number, ending) in ends {
                    end(&world, &mut endpoints, number, ending).await;
                }
            }
            Step::Release(numbers) => {
                for number in numbers {
                    release(&world, &mut endpoints, number).await;
                }
            }
            Step::Toggle(at) => {
                let Some(endpoint) = endpoints.get_mut(at) else { continue };
                endpoint.is_active = !endpoint.is_active;
                endpoint.health = EndpointHealth::default();
                let status = if endpoint.is_active { EndpointStatus::Active } else { EndpointStatus::Paused };
                world.store.set_hook_status(&endpoint.id, status, world.now()).await.unwrap();
                if endpoint.is_active {
                    // An endpoint that is active again gets at once what waited for a retry.
                    for (_, due_at) in endpoint.waiting.iter_mut().filter(|(id, _)| !endpoint.claimed.contains_key(*id))
                    {
                        *due_at = (*due_at).min(world.now());
                    }
                }
            }
        }
    }
}

/// Creates an account with an active website. Returns the website's id.
async fn add_account(world: &World, account_id: &str) -> String {
    let account = Account { id: account_id.to_owned(), name: account_id.to_owned(), created_at: world.now() };
    world.store.create_account(&account).await.unwrap();
    let mut website = world.website(&format!("web_of_{account_id}"), WebsiteStatus::Active);
    account_id.clone_into(&mut website.account_id);
    world.store.create_website(&website).await.unwrap();
    website.website_id
}

/// Queues this number of jobs of an account.
async fn queue_jobs(world: &World, account_id: &str, website_id: &str, jobs: usize) {
    let queue = |number: usize| {
        let mut submission = world.submission(&format!("topic {number}"));
        account_id.clone_into(&mut submission.job.account_id);
        website_id.clone_into(&mut submission.job.website_id);
        account_id.clone_into(&mut submission.post.account_id);
        website_id.clone_into(&mut submission.post.website_id);
        world.queue(submission)
    };
    join_all((0..jobs).map(queue)).await;
}

/// Claims up to `limit` jobs. Returns their accounts.
async fn accounts_of_jobs(world: &World, limit: u32) -> Vec<String> {
    let claims = world.store.claim_jobs(limit, world.moment(), world.now().plus(LEASE)).await.unwrap();
    claims.claimed.into_iter().map(|claimed| claimed.job.account_id).collect()
}

pub(crate) async fn many_jobs_of_one_account_do_not_delay_those_of_another(world: World) {
    queue_jobs(&world, &world.account_id, &world.website_id, 500).await;
    world.advance(Duration::from_secs(1));
    let website_id = add_account(&world, "acct_other").await;
    queue_jobs(&world, "acct_other", &website_id, 3).await;
    let claimed = accounts_of_jobs(&world, 8).await;
    assert_eq!(claimed.iter().filter(|id| *id == "acct_other").count(), 3, "{claimed:?}");
    assert_eq!(claimed.len(), 8);
    assert_eq!(accounts_of_jobs(&world, 8).await, vec![world.account_id.clone(); 8]);
}

pub(crate) async fn accounts_take_turns_also_if_each_claim_takes_one_job(world: World) {
    let mut accounts = vec![world.account_id.clone()];
    queue_jobs(&world, &world.account_id, &world.website_id, 9).await;
    for account_id in ["acct_b", "acct_c"] {
        world.advance(Duration::from_secs(1));
        let website_id = add_account(&world, account_id).await;
        queue_jobs(&world, account_id, &website_id, 2).await;
        accounts.push(account_id.to_owned());
    }
    let mut claimed = Vec::new();
    for _ in 0..6 {
        claimed.append(&mut accounts_of_jobs(&world, 1).await);
    }
    for turn in claimed.chunks(3) {
        assert_eq!(turn.iter().collect::<HashSet<_>>(), accounts.iter().collect(), "{claimed:?}");
    }
    assert_eq!(accounts_of_jobs(&world, 100).await, vec![world.account_id.clone(); 7]);
    assert!(accounts_of_jobs(&world, 100).await.is_empty());
    // A lapsed claim is due again, among the others.
    world.advance(LEASE);
    let claimed = accounts_of_jobs(&world, 6).await;
    for account_id in &accounts {
        assert_eq!(claimed.iter().filter(|id| *id == account_id).count(), 2, "{claimed:?}");
    }
}

/// Adds this number of posts of an account that are due now.
async fn add_posts(world: &World, account_id: &str, website_id: &str, posts: usize) {
    queue_jobs(world, account_id, website_id, 1).await;
    let claimed = world.claim().await.remove(0);
    let mut completion = world.completion(&claimed, "A title");
    website_id.clone_into(&mut completion.article.website_id);
    assert_eq!(world.store.complete_job(completion).await.unwrap(), LeaseOutcome::Recorded);
    // The other posts publish the same article. This makes no difference to a claim.
    let columns =
        "account_id, website_id, article_id, topic, status, auto_publish, attempts, created_at, updated_at, run_at";
    world.execute(&format!(
        "INSERT INTO scheduled_posts (id, {columns})
         WITH RECURSIVE numbers (number) AS (SELECT 2 UNION ALL SELECT number + 1 FROM numbers WHERE number < {posts})
         SELECT id || '_' || number, {columns} FROM scheduled_posts CROSS JOIN numbers
         WHERE account_id = '{account_id}'"
    ));
}

/// Claims up to `limit` posts, with the pushes in flight. Returns their accounts.
async fn accounts_of_posts(world: &World, limit: u32, in_flight: &[(String, usize)]) -> Vec<String> {
    let claimed = world.store.claim_posts(limit, in_flight, world.moment(), world.now().plus(LEASE)).await.unwrap();
    claimed.into_iter().map(|claimed| claimed.post.account_id).collect()
}

pub(crate) async fn many_posts_of_one_account_do_not_delay_those_of_another(world: World) {
    let other = add_account(&world, "acct_other").await;
    add_posts(&world, &world.account_id, &world.website_id, 500).await;
    world.advance(Duration::from_secs(1));
    add_posts(&world, "acct_other", &other, 3).await;
    let claimed = accounts_of_posts(&world, 8, &[]).await;
    assert_eq!(claimed.iter().filter(|id| *id == "acct_other").count(), 3, "{claimed:?}");
    assert_eq!(claimed.len(), 8);
    assert_eq!(accounts_of_posts(&world, 8, &[]).await, vec![world.account_id.clone(); 8]);
}

pub(crate) async fn accounts_take_turns_also_if_few_articles_may_be_pushed(world: World) {
    let other = add_account(&world, "acct_other").await;
    let websites = [(&*world.account_id, &world.website_id), ("acct_other", &other)];
    for (account_id, website_id) in websites {
        let secret = HookSecret::generate(&SystemRandomness);
        let push = PublishingTarget::Push { url: "https://cms.example/".to_owned(), secret };
        world.set_target(website_id, &push).await.unwrap();
        add_posts(&world, account_id, website_id, 4).await;
        world.advance(Duration::from_secs(1));
    }
    // The posts of this account are not pushed, and come last in each claim.
    let hosted = add_account(&world, "acct_z").await;
    add_posts(&world, "acct_z", &hosted, 40).await;
    let in_flight = [("web_that_hangs".to_owned(), MAX_PUSHES_IN_ALL - 1)];
    let mut claimed = Vec::new();
    for _ in 0..4 {
        claimed.append(&mut accounts_of_posts(&world, 8, &in_flight).await);
    }
    claimed.retain(|account_id| account_id != "acct_z");
    assert_eq!(claimed.len(), 4);
    for turn in claimed.chunks(2) {
        assert_ne!(turn[0], turn[1], "{claimed:?}");
    }
}

pub(crate) async fn more_accounts_than_a_claim_takes_all_get_their_turn(world: World) {
    let mut accounts = HashSet::from([world.account_id.clone()]);
    add_posts(&world, &world.account_id, &world.website_id, 3).await;
    for number in 0..6 {
        let account_id = format!("acct_{number}");
        let website_id = add_account(&world, &account_id).await;
        add_posts(&world, &account_id, &website_id, 3).await;
        accounts.insert(account_id);
    }
    for account_id in &accounts {
        let website_id =
            if *account_id == world.account_id { &world.website_id } else { &format!("web_of_{account_id}") };
        queue_jobs(&world, account_id, website_id, 3).await;
    }
    let (mut of_jobs, mut of_posts) = (HashSet::new(), HashSet::new());
    for _ in 0..3 {
        of_jobs.extend(accounts_of_jobs(&world, 3).await);
        of_posts.extend(accounts_of_posts(&world, 3, &[]).await);
    }
    assert_eq!((&of_jobs, &of_posts), (&accounts, &accounts));
}

/// Claims in two processes at once, until no work is left: jobs, posts and deliveries. No work may be claimed twice.
pub(super) async fn no_work_is_claimed_twice(world: &World, other: &Store) {
    const EACH: usize = 60;
    world.hook(world.endpoint(&[EventType::LeadCaptured])).await;
    add_posts(world, &world.account_id, &world.website_id, EACH).await;
    queue_jobs(world, &world.account_id, &world.website_id, EACH).await;
    capture(world, EACH).await;
    let (at_most, until) = (capacity(1000), world.now().plus(LEASE));
    let claim = async |number: usize| {
        let store = if number.is_multiple_of(2) { &world.store } else { other };
        let (jobs, posts, deliveries) = tokio::join!(
            store.claim_jobs(4, world.moment(), until),
            store.claim_posts(4, &[], world.moment(), until),
            store.claim_deliveries(4, &at_most, world.moment(), until),
        );
        let jobs = jobs.unwrap().claimed.into_iter().map(|claimed| claimed.job.id);
        let posts = posts.unwrap().into_iter().map(|claimed| claimed.post.id);
        let deliveries = deliveries.unwrap().into_iter().map(|claimed| claimed.id);
        jobs.chain(posts).chain(deliveries).collect::<Vec<_>>()
    };
    let mut claimed = Vec::new();
    loop {
        let round: Vec<_> = join_all((0..8).map(&claim)).await.into_iter().flatten().collect();
        if round.is_empty() {
            break;
        }
        claimed.extend(round);
    }
    let mut distinct = HashSet::new();
    let claimed_twice: Vec<_> = claimed.iter().filter(|id| !distinct.insert(*id)).collect();
    assert!(claimed_twice.is_empty(), "{claimed_twice:?}");
    assert_eq!(distinct.len(), 3 * EACH);
}
