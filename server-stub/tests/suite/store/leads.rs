//! Promises about captured leads.

use std::time::Duration;

use contentgen_server_stub::domain::event::EventType;
use contentgen_server_stub::domain::lead::SAME_LEAD_WINDOW;
use contentgen_server_stub::domain::store::{Captured, Error};
use futures::future::join_all;

use super::world::{LEASE, World, both, capacity};

async fn capture(world: &World, email: Option<&str>) -> Captured {
    let (lead, event) = world.lead(email);
    let window = i64::try_from(SAME_LEAD_WINDOW.as_millis()).unwrap();
    world.store.capture_lead(&lead, &event, world.now().plus_millis(1 - window), world.now()).await.unwrap()
}

async fn deliveries(world: &World) -> usize {
    let now = world.now();
    world.store.claim_deliveries(100, &capacity(100), both(now), now.plus(LEASE)).await.unwrap().len()
}

pub(crate) async fn a_lead_is_stored_with_its_event(world: World) {
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let (lead, event) = world.lead(Some("someone@example.org"));
    assert_eq!(world.store.capture_lead(&lead, &event, world.now(), world.now()).await.unwrap(), Captured::New);
    assert_eq!(world.store.find_lead(&lead.id).await.unwrap(), Some(lead));
    let now = world.now();
    let claimed = world.store.claim_deliveries(10, &capacity(10), both(now), now.plus(LEASE)).await.unwrap();
    assert_eq!((claimed.len(), &claimed[0].event_id, &claimed[0].body), (1, &event.id, &event.body));
}

pub(crate) async fn the_same_person_within_ten_minutes_is_one_lead_with_one_event(world: World) {
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    assert_eq!(capture(&world, Some("Someone@Example.org")).await, Captured::New);
    world.advance_almost(SAME_LEAD_WINDOW);
    assert_eq!(capture(&world, Some("someone@example.org")).await, Captured::Duplicate);
    world.advance(Duration::from_millis(1));
    assert_eq!(capture(&world, Some("someone@example.org")).await, Captured::New);
    assert_eq!(capture(&world, Some("other@example.org")).await, Captured::New);
    assert_eq!(deliveries(&world).await, 3);
}

pub(crate) async fn a_burst_of_one_person_is_one_lead(world: World) {
    let outcomes = join_all((0..32).map(|_| capture(&world, Some("someone@example.org")))).await;
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Captured::New).count(), 1);
}

pub(crate) async fn without_an_address_every_capture_is_new(world: World) {
    assert_eq!(capture(&world, None).await, Captured::New);
    assert_eq!(capture(&world, None).await, Captured::New);
}

pub(crate) async fn a_lead_whose_event_cannot_be_stored_is_not_stored(world: World) {
    let (first, event) = world.lead(None);
    world.store.capture_lead(&first, &event, world.now(), world.now()).await.unwrap();
    let (second, _) = world.lead(None);
    let outcome = world.store.capture_lead(&second, &event, world.now(), world.now()).await;
    assert!(matches!(outcome, Err(Error::AlreadyExists)));
    assert_eq!(world.store.find_lead(&second.id).await.unwrap(), None);
}
