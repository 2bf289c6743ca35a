//! Promises about an owner's changes to an endpoint: rotating its secret, pausing it, testing it.

use std::collections::HashSet;
use std::time::Duration;

use contentgen_server_stub::domain::delivery::AttemptKind;
use contentgen_server_stub::domain::event::{Event, EventType};
use contentgen_server_stub::domain::hook::{DeliveryStatus, EndpointStatus, HookSecret};
use contentgen_server_stub::domain::id::{self, Kind};
use contentgen_server_stub::domain::retry_schedule::AttemptDecision;
use contentgen_server_stub::randomness::SystemRandomness;

use super::deliveries::{capture, claim, later, record};
use super::world::{LEASE, World};

const DAY: Duration = Duration::from_hours(24);

/// Returns the secrets that sign the next delivery.
async fn signing(world: &World) -> Vec<HookSecret> {
    capture(world, 1).await;
    let claimed = claim(world, 1, 100).await.remove(0);
    record(world, &claimed, AttemptDecision::Succeeded).await;
    claimed.secrets.unwrap()
}

async fn rotate(world: &World, endpoint_id: &str, overlap: Duration) -> HookSecret {
    let (secret, now) = (HookSecret::generate(&SystemRandomness), world.now());
    assert!(world.store.rotate_hook_secret(endpoint_id, &secret, (now, now.plus(overlap)), None).await.unwrap());
    secret
}

pub(crate) async fn during_a_rotation_both_secrets_sign_and_after_it_only_the_new_one(world: World) {
    let endpoint = world.endpoint(&EventType::DEFAULT);
    let first = endpoint.secret.clone();
    let id = world.hook(endpoint).await;
    assert_eq!(signing(&world).await, std::slice::from_ref(&first));
    let second = rotate(&world, &id, DAY).await;
    assert_eq!(signing(&world).await, [second.clone(), first.clone()]);
    world.advance_almost(DAY);
    assert_eq!(signing(&world).await, [second.clone(), first]);
    world.advance(Duration::from_millis(1));
    assert_eq!(signing(&world).await, std::slice::from_ref(&second));
    assert_eq!(
        world.store.list_hook_endpoints(&world.account_id).await.unwrap()[0].endpoint.secret,
        Ok(second.clone())
    );
    let third = rotate(&world, &id, Duration::ZERO).await;
    assert_eq!(signing(&world).await, [third]);
    let unknown = world.store.rotate_hook_secret("hook_none", &second, (world.now(), world.now()), None).await;
    assert!(!unknown.unwrap());
}

pub(crate) async fn what_its_owner_sets_of_an_endpoint_is_changed_and_nothing_else(world: World) {
    let id = world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let other = world.hook(world.endpoint(&EventType::DEFAULT)).await;
    world.store.set_hook_status(&id, EndpointStatus::Paused, world.now()).await.unwrap();
    let state = async |id: &str| {
        let states = world.store.list_hook_endpoints(&world.account_id).await.unwrap();
        states.into_iter().find(|state| state.endpoint.id == id).unwrap()
    };
    let (before, untouched) = (state(&id).await, state(&other).await);
    let mut wanted = before.clone();
    "https://elsewhere.example.org/in".clone_into(&mut wanted.endpoint.url);
    wanted.endpoint.events = vec![EventType::JobFailed];
    wanted.endpoint.website_id = Some(world.website_id.clone());
    wanted.endpoint.description = Some("For the \u{1f50c} machine".to_owned());
    wanted.endpoint.include_content = true;
    let endpoint = wanted.clone().with_secret(()).endpoint;
    let former = before.clone().with_secret(()).endpoint;
    assert!(world.store.update_hook_endpoint(&former, &endpoint, None).await.unwrap());
    assert_eq!((state(&id).await, state(&other).await), (wanted, untouched));
    let mut foreign = endpoint.clone();
    "acct_2".clone_into(&mut foreign.account_id);
    "https://stolen.example.org/".clone_into(&mut foreign.url);
    assert!(!world.store.update_hook_endpoint(&endpoint, &foreign, None).await.unwrap());
    assert_eq!(state(&id).await.endpoint.url, endpoint.url);
    // A user who opened the former settings does not replace the new ones.
    let mut own = former.clone();
    "https://own.example.org/".clone_into(&mut own.url);
    assert!(!world.store.update_hook_endpoint(&former, &own, None).await.unwrap());
    assert_eq!(state(&id).await.endpoint.url, endpoint.url);
    assert!(world.store.note_secret_revealed(&id).await.unwrap());
    assert!(!world.store.note_secret_revealed("hook_none").await.unwrap());
}

pub(crate) async fn at_most_two_former_secrets_sign_and_none_longer_than_the_last_overlap(world: World) {
    let id = world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let mut made = Vec::new();
    for _ in 0..4 {
        made.insert(0, rotate(&world, &id, 7 * DAY).await);
    }
    assert_eq!(signing(&world).await, made[..3]);
    made.insert(0, rotate(&world, &id, DAY).await);
    assert_eq!(signing(&world).await, made[..3]);
    world.advance(DAY);
    assert_eq!(signing(&world).await, made[..1]);
}

pub(crate) async fn a_test_goes_to_one_endpoint_once(world: World) {
    let tested = world.hook(world.endpoint(&[EventType::ArticlePublished])).await;
    world.hook(world.endpoint(&[EventType::HookTest, EventType::LeadCaptured])).await;
    let event = Event::hook_test(id::new(Kind::Event, world.now(), &SystemRandomness), &world.account_id, world.now());
    let delivery_id = world.store.send_test(&tested, &event, world.now()).await.unwrap().unwrap();
    let claimed = claim(&world, 10, 10).await;
    assert_eq!(claimed.len(), 1);
    let claimed = &claimed[0];
    assert_eq!((&claimed.id, &claimed.endpoint_id, claimed.kind), (&delivery_id, &tested, AttemptKind::Test));
    assert_eq!((&claimed.event_id, &claimed.body), (&event.id, &event.body));
    record(&world, claimed, later(&world, Duration::from_secs(5))).await;
    world.advance(Duration::from_hours(100));
    assert!(claim(&world, 10, 10).await.is_empty(), "a test is tried once");
    let delivery = world.store.find_delivery(&delivery_id).await.unwrap().unwrap();
    assert_eq!((delivery.status, delivery.next_attempt_at), (DeliveryStatus::Failed, None));

    let another =
        Event::hook_test(id::new(Kind::Event, world.now(), &SystemRandomness), &world.account_id, world.now());
    let delivery_id = world.store.send_test(&tested, &another, world.now()).await.unwrap().unwrap();
    let claimed = claim(&world, 10, 10).await.remove(0);
    record(&world, &claimed, AttemptDecision::Succeeded).await;
    let delivery = world.store.find_delivery(&delivery_id).await.unwrap().unwrap();
    assert_eq!(delivery.status, DeliveryStatus::Succeeded);
    assert_eq!(world.store.send_test("hook_none", &event, world.now()).await.unwrap(), None);
}

pub(crate) async fn a_paused_endpoint_keeps_what_waits_for_it(world: World) {
    let id = world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let other = world.hook(world.endpoint(&EventType::DEFAULT)).await;
    capture(&world, 3).await;
    let first = claim(&world, 10, 5).await.into_iter().find(|claimed| claimed.endpoint_id == id).unwrap();
    record(&world, &first, later(&world, Duration::from_secs(5))).await;
    for status in [EndpointStatus::Paused, EndpointStatus::Disabled] {
        assert!(world.store.set_hook_status(&id, status, world.now()).await.unwrap());
        world.advance(LEASE);
        let claimed = claim(&world, 10, 5).await;
        assert!(!claimed.is_empty() && claimed.iter().all(|claimed| claimed.endpoint_id == other));
        capture(&world, 1).await;
    }
    assert!(world.store.set_hook_status(&id, EndpointStatus::Active, world.now()).await.unwrap());
    world.advance(LEASE);
    let claimed = claim(&world, 20, 10).await;
    let resumed: Vec<_> = claimed.iter().filter(|claimed| claimed.endpoint_id == id).collect();
    let ids: HashSet<_> = resumed.iter().map(|claimed| &claimed.id).collect();
    assert!(ids.len() == 3 && ids.contains(&first.id), "what waited, and nothing of the time in between");
    let again = resumed.iter().find(|claimed| claimed.id == first.id).unwrap();
    assert_eq!((again.number, &again.body), (2, &first.body));
    assert!(!world.store.set_hook_status("hook_none", EndpointStatus::Active, world.now()).await.unwrap());
}

/// Each change is one that may have corrected the endpoint, or one that has not.
pub(crate) async fn what_waits_for_a_corrected_endpoint_is_due_at_once(world: World) {
    let endpoint = world.endpoint(&EventType::DEFAULT);
    let former = endpoint.clone().with_secret(());
    let (id, secret) = (world.hook(endpoint).await, HookSecret::generate(&SystemRandomness));
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let (store, pause) = (&world.store, Duration::from_hours(10));
    for change in 0..6 {
        capture(&world, 1).await;
        let claimed = claim(&world, 10, 10).await;
        assert_eq!(claimed.len(), 2);
        for one in &claimed {
            record(&world, one, later(&world, pause)).await;
        }
        world.advance(Duration::from_mins(1));
        let (now, retry_at) = (world.now(), Some(world.now()));
        let is_corrected = match change {
            0 => store.update_hook_endpoint(&former, &former, retry_at).await.map(|_| true),
            1 => store.update_hook_endpoint(&former, &former, None).await.map(|_| false),
            2 => store.rotate_hook_secret(&id, &secret, (now, now), retry_at).await.map(|_| true),
            3 => store.rotate_hook_secret(&id, &secret, (now, now), None).await.map(|_| false),
            4 => store.set_hook_status(&id, EndpointStatus::Paused, now).await.map(|_| false),
            _ => store.set_hook_status(&id, EndpointStatus::Active, now).await.map(|_| true),
        };
        let due: Vec<_> = claim(&world, 10, 10).await.into_iter().map(|one| one.endpoint_id).collect();
        assert_eq!(due, if is_corrected.unwrap() { vec![id.clone()] } else { vec![] }, "change {change}");
        if change == 4 {
            store.set_hook_status(&id, EndpointStatus::Active, now).await.unwrap();
        }
        // All that is left arrives.
        world.advance(2 * pause);
        for one in claim(&world, 10, 10).await {
            record(&world, &one, AttemptDecision::Succeeded).await;
        }
    }
}
