//! Promises about sending one delivery again.

use std::time::Duration;

use contentgen_server_stub::domain::clock::Timestamp;
use contentgen_server_stub::domain::delivery::AttemptKind;
use contentgen_server_stub::domain::event::EventType;
use contentgen_server_stub::domain::hook::{DeliveryStatus, EndpointStatus};
use contentgen_server_stub::domain::retry_schedule::AttemptDecision;
use contentgen_server_stub::domain::store::{ClaimedDelivery, Redelivery};

use super::deliveries::{capture, claim, later, record};
use super::world::World;

const HOUR: Duration = Duration::from_hours(1);

async fn stands(world: &World, delivery: &ClaimedDelivery) -> (DeliveryStatus, u32, Option<Timestamp>) {
    let delivery = world.store.find_delivery(&delivery.id).await.unwrap().unwrap();
    (delivery.status, delivery.attempts, delivery.next_attempt_at)
}

/// Returns a delivery whose first attempt ended with this decision.
async fn attempted(world: &World, decision: AttemptDecision) -> ClaimedDelivery {
    capture(world, 1).await;
    let delivery = claim(world, 1, 100).await.remove(0);
    record(world, &delivery, decision).await;
    delivery
}

/// Requests a redelivery, and claims it.
async fn again(world: &World, delivery: &ClaimedDelivery) -> ClaimedDelivery {
    assert_eq!(world.store.redeliver(&delivery.id, world.now()).await.unwrap(), Redelivery::Queued);
    let claimed = claim(world, 10, 100).await;
    assert_eq!(claimed.len(), 1);
    claimed.into_iter().next().unwrap()
}

pub(crate) async fn a_redelivery_has_the_same_id_and_bytes_and_its_success_settles_the_delivery(world: World) {
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    for decision in [AttemptDecision::Succeeded, AttemptDecision::Exhausted, later(&world, HOUR)] {
        let first = attempted(&world, decision).await;
        let second = again(&world, &first).await;
        assert_eq!((&second.id, &second.event_id, &second.body), (&first.id, &first.event_id, &first.body));
        assert_eq!((second.kind, second.number), (AttemptKind::Manual, 1));
        record(&world, &second, AttemptDecision::Succeeded).await;
        assert_eq!(stands(&world, &first).await, (DeliveryStatus::Succeeded, 1, None), "after {decision:?}");
    }
    world.advance(100 * HOUR);
    assert!(claim(&world, 10, 100).await.is_empty());
}

pub(crate) async fn a_redelivery_that_fails_leaves_status_and_schedule_as_they_were(world: World) {
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let next_attempt_at = world.now().plus(2 * HOUR);
    for decision in [
        AttemptDecision::Succeeded,
        AttemptDecision::Exhausted,
        AttemptDecision::Aborted,
        AttemptDecision::RetryAt(next_attempt_at),
    ] {
        let first = attempted(&world, decision).await;
        let before = stands(&world, &first).await;
        for outcome in [later(&world, HOUR), AttemptDecision::Exhausted] {
            let second = again(&world, &first).await;
            record(&world, &second, outcome).await;
            assert_eq!(stands(&world, &first).await, before, "{outcome:?} after {decision:?}");
        }
    }
    world.advance_almost(2 * HOUR);
    assert!(claim(&world, 10, 100).await.is_empty());
    world.advance(Duration::from_millis(1));
    let scheduled = claim(&world, 10, 100).await;
    assert_eq!((scheduled.len(), scheduled[0].number, scheduled[0].kind), (1, 2, AttemptKind::Scheduled));
}

pub(crate) async fn a_message_is_used_up_once_however_often_it_is_redelivered(world: World) {
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let first = attempted(&world, AttemptDecision::Exhausted).await;
    for _ in 0..5 {
        let second = again(&world, &first).await;
        record(&world, &second, AttemptDecision::Exhausted).await;
    }
    let health = world.store.list_hook_endpoints(&world.account_id).await.unwrap().remove(0).health;
    assert_eq!((health.exhausted, health.failed_attempts), (1, 6));
    assert!(!health.is_failing(world.now()));
}

pub(crate) async fn what_cannot_be_redelivered_is_told(world: World) {
    let id = world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let redeliver = async |id: &str| world.store.redeliver(id, world.now()).await.unwrap();
    assert_eq!(redeliver("dlv_none").await, Redelivery::NotFound);
    assert_eq!(world.store.find_delivery("dlv_none").await.unwrap(), None);
    capture(&world, 1).await;
    let delivery = claim(&world, 1, 5).await.remove(0);
    let found = world.store.find_delivery_of(&id, &delivery.event_id).await.unwrap();
    assert_eq!(found.map(|found| found.id), Some(delivery.id.clone()));
    assert_eq!(world.store.find_delivery_of("hook_none", &delivery.event_id).await.unwrap(), None);
    assert_eq!(redeliver(&delivery.id).await, Redelivery::InFlight, "it is being sent");
    record(&world, &delivery, AttemptDecision::Exhausted).await;
    for status in [EndpointStatus::Paused, EndpointStatus::Disabled] {
        world.store.set_hook_status(&id, status, world.now()).await.unwrap();
        assert_eq!(redeliver(&delivery.id).await, Redelivery::EndpointNotActive);
    }
    world.store.set_hook_status(&id, EndpointStatus::Active, world.now()).await.unwrap();
    assert_eq!(redeliver(&delivery.id).await, Redelivery::Queued);
    assert_eq!(redeliver(&delivery.id).await, Redelivery::InFlight, "it was asked for already");
    let manual = claim(&world, 1, 5).await.remove(0);
    assert_eq!(redeliver(&delivery.id).await, Redelivery::InFlight, "it is being sent again");
    record(&world, &manual, AttemptDecision::Succeeded).await;
    assert_eq!(redeliver(&delivery.id).await, Redelivery::Queued);
}
