//! Promises about captured leads.

use std::time::Duration;

use contentgen_server_stub::domain::event::{Event, EventType};
use contentgen_server_stub::domain::lead::{Lead, LeadConfirmation, ONE_LINK_WINDOW, SAME_LEAD_WINDOW};
use contentgen_server_stub::domain::store::{Captured, ClaimedDelivery, Error, NewLink};
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

/// Returns a lead that waits for confirmation, and the lead and event that its confirmation stores.
async fn pending(world: &World) -> (Lead, Lead, Event) {
    let (mut lead, _) = world.lead(Some("someone@example.org"));
    lead.confirmation = LeadConfirmation::of_new_lead(true);
    let link = "https://content.example/secret".to_owned().into();
    let captured = Event::lead_captured(format!("evt_of_{}", lead.id), &lead, Some(&link));
    world.store.capture_lead(&lead, &captured, world.now(), world.now()).await.unwrap();
    let confirmed = lead.clone().confirmed(world.now());
    let event = Event::lead_confirmed(format!("evt_on_{}", lead.id), &confirmed, world.now());
    (lead, confirmed, event)
}

/// Captures a pending lead of this person and form with a link.
async fn capture_pending(world: &World, email: Option<&str>, phone: &str, form: usize) {
    let (mut lead, event) = world.lead(email);
    lead.confirmation = LeadConfirmation::of_new_lead(true);
    (lead.phone, lead.source.form_id) = (Some(phone.to_owned().into()), Some(form.to_string().into()));
    let url = "https://content.example/secret".to_owned().into();
    let link = NewLink {
        recipient: lead.link_recipient().unwrap(),
        event: Event::lead_captured(event.id.clone(), &lead, Some(&url)),
        none_since: world.now().minus(ONE_LINK_WINDOW).plus_millis(1),
    };
    let event = Event::lead_captured(event.id, &lead, None);
    let captured = world.store.capture_lead_with_link(&lead, &event, Some(link), world.now(), world.now()).await;
    assert_eq!(captured.unwrap(), Captured::New);
}

/// Returns how many of the new deliveries have a link, and their number.
async fn links(world: &World) -> (usize, usize) {
    let now = world.now();
    let claimed = world.store.claim_deliveries(100, &capacity(100), both(now), now.plus(LEASE)).await.unwrap();
    let has_link = |delivery: &&ClaimedDelivery| delivery.body.windows(6).any(|bytes| bytes == b"secret");
    (claimed.iter().filter(has_link).count(), claimed.len())
}

pub(crate) async fn a_person_gets_one_link_in_ten_minutes_whatever_the_forms(world: World) {
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let mailboxes = ["someone@example.org", "Someone@Example.org", "someone+1@example.org", "someone+2@example.org"];
    let forms = (0..32).map(|form| capture_pending(&world, Some(mailboxes[form % mailboxes.len()]), "1", form));
    join_all(forms).await;
    assert_eq!(links(&world).await, (1, 32));
    join_all((0..8).map(|form| capture_pending(&world, None, "+442079460000", form))).await;
    assert_eq!(links(&world).await, (1, 8), "a telephone number gets one, too");
    world.advance_almost(ONE_LINK_WINDOW);
    capture_pending(&world, Some("someone@example.org"), "1", 100).await;
    assert_eq!(links(&world).await, (2, 41), "all leases have ended");
    world.advance(Duration::from_millis(1));
    capture_pending(&world, Some("someone@example.org"), "1", 101).await;
    capture_pending(&world, Some("someone@example.org"), "1", 102).await;
    capture_pending(&world, Some("other@example.org"), "1", 103).await;
    assert_eq!(links(&world).await, (2, 3));
}

pub(crate) async fn a_lead_is_confirmed_once_with_one_event(world: World) {
    world.hook(world.endpoint(&[EventType::LeadConfirmed])).await;
    let (lead, confirmed, event) = pending(&world).await;
    assert_eq!(deliveries(&world).await, 0);
    let confirm = |number: usize| {
        let event = Event { id: format!("{}_{number}", event.id), ..event.clone() };
        let (store, confirmed) = (world.store.clone(), confirmed.clone());
        let now = world.now();
        async move { store.confirm_lead(&confirmed, &event, now).await.unwrap() }
    };
    let outcomes = join_all((0..16).map(confirm)).await;
    assert_eq!(outcomes.into_iter().filter(|is_done| *is_done).count(), 1);
    assert_eq!(world.store.find_lead(&lead.id).await.unwrap().as_ref(), Some(&confirmed));
    assert_eq!(deliveries(&world).await, 1);
    let told = world.store.find_lead_events(&lead.id).await.unwrap();
    let types: Vec<_> = told.iter().map(|event| event.event_type).collect();
    assert_eq!(types, [EventType::LeadCaptured, EventType::LeadConfirmed]);
    let (plain, captured) = world.lead(Some("plain@example.org"));
    world.store.capture_lead(&plain, &captured, world.now(), world.now()).await.unwrap();
    assert!(!world.store.confirm_lead(&plain, &event, world.now()).await.unwrap(), "it did not wait for that");
}

pub(crate) async fn a_confirmation_and_an_erasure_at_once_leave_nothing_of_the_lead(world: World) {
    world.hook(world.endpoint(&[EventType::LeadCaptured, EventType::LeadConfirmed])).await;
    for _ in 0..16 {
        let (lead, confirmed, event) = pending(&world).await;
        let confirmation = world.store.confirm_lead(&confirmed, &event, world.now());
        let (confirmation, erasure) = futures::future::join(confirmation, world.store.erase_lead(&lead.id)).await;
        assert!(erasure.unwrap());
        confirmation.unwrap();
        assert!(!world.store.confirm_lead(&confirmed, &event, world.now()).await.unwrap());
        assert_eq!(world.store.find_lead(&lead.id).await.unwrap(), None);
        assert_eq!(world.store.find_lead_events(&lead.id).await.unwrap(), []);
    }
    assert_eq!(deliveries(&world).await, 0);
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
