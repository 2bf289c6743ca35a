//! Promises about erasing a person's data on request. `retention` tests the deletion of expired data.

use std::time::Duration;

use contentgen_server_stub::domain::event::EventType;
use contentgen_server_stub::domain::store::{LeaseOutcome, PageRequest};

use super::deliveries::{claim, later, record};
use super::world::World;

pub(crate) async fn erasing_a_lead_takes_all_that_was_made_of_it_and_nothing_else(world: World) {
    let endpoints =
        [world.hook(world.endpoint(&EventType::DEFAULT)).await, world.hook(world.endpoint(&EventType::DEFAULT)).await];
    let mut leads = Vec::new();
    for email in ["one@example.org", "two@example.org"] {
        let (lead, event) = world.lead(Some(email));
        world.store.capture_lead(&lead, &event, world.now(), world.now()).await.unwrap();
        leads.push((lead, event));
    }
    let [(erased, its_event), (kept, other_event)] = &leads[..] else { unreachable!() };
    let claimed = claim(&world, 10, 10).await;
    assert_eq!(claimed.len(), 4);
    for delivery in &claimed {
        record(&world, delivery, later(&world, Duration::from_secs(5))).await;
    }
    let told = world.store.find_lead_events(&erased.id).await.unwrap().remove(0);
    assert_eq!((&told.id, told.deliveries.len(), told.attempts), (&its_event.id, 2, 2));
    assert!(told.deliveries.iter().all(|delivery| delivery.event_id == its_event.id));
    assert!(world.store.erase_lead(&erased.id).await.unwrap());
    assert_eq!(world.store.find_lead_events(&erased.id).await.unwrap(), []);
    assert!(!world.store.erase_lead(&erased.id).await.unwrap());
    assert_eq!(world.store.find_lead(&erased.id).await.unwrap(), None);
    assert_eq!(world.store.find_lead(&kept.id).await.unwrap().as_ref(), Some(kept));
    for delivery in &claimed {
        let is_kept = delivery.event_id == other_event.id;
        assert!(is_kept || delivery.event_id == its_event.id);
        assert_eq!(world.store.find_delivery(&delivery.id).await.unwrap().is_some(), is_kept);
        assert_eq!(world.store.list_attempts(&delivery.id).await.unwrap().len(), usize::from(is_kept));
    }
    for endpoint_id in &endpoints {
        let page = PageRequest { after: None, limit: 10 };
        assert_eq!(world.store.list_deliveries(endpoint_id, &page).await.unwrap().len(), 1);
    }
    world.advance(Duration::from_secs(5));
    let again = claim(&world, 10, 10).await;
    assert!(again.len() == 2 && again.iter().all(|delivery| delivery.event_id == other_event.id));
    // The same person may submit a form again.
    let (lead, event) = world.lead(Some("one@example.org"));
    world.store.capture_lead(&lead, &event, world.now().plus_millis(-1000), world.now()).await.unwrap();
    assert!(world.store.find_lead(&lead.id).await.unwrap().is_some());
}

pub(crate) async fn a_lead_is_erased_while_its_hook_is_in_flight(world: World) {
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let (lead, event) = world.lead(None);
    world.store.capture_lead(&lead, &event, world.now(), world.now()).await.unwrap();
    let in_flight = claim(&world, 1, 1).await.remove(0);
    assert!(world.store.erase_lead(&lead.id).await.unwrap());
    assert_eq!(record(&world, &in_flight, later(&world, Duration::from_secs(5))).await, LeaseOutcome::Lost);
    assert!(world.store.list_attempts(&in_flight.id).await.unwrap().is_empty(), "an answer may repeat what was sent");
}
