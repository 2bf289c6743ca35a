//! Promises about failing endpoints: the deliveries that they still get, and when they are disabled.

use std::collections::HashMap;
use std::time::Duration;

use contentgen_server_stub::domain::clock::Timestamp;
use contentgen_server_stub::domain::endpoint_capacity::EndpointCapacity;
use contentgen_server_stub::domain::event::EventType;
use contentgen_server_stub::domain::hook::{DeliveryStatus, EndpointStatus};
use contentgen_server_stub::domain::retry_schedule::AttemptDecision;
use contentgen_server_stub::domain::store::{ClaimedDelivery, EndpointState, LeaseOutcome, Redelivery};
use futures::future::join_all;

use super::deliveries::{capture, claim, later, record};
use super::world::{LEASE, World, both};

const HOUR: Duration = Duration::from_hours(1);

async fn endpoint(world: &World) -> EndpointState {
    world.store.list_hook_endpoints(&world.account_id).await.unwrap().remove(0)
}

async fn status(world: &World, delivery: &ClaimedDelivery) -> (DeliveryStatus, Option<Timestamp>) {
    let delivery = world.store.find_delivery(&delivery.id).await.unwrap().unwrap();
    (delivery.status, delivery.next_attempt_at)
}

/// Captures a lead and claims its delivery.
async fn next(world: &World) -> ClaimedDelivery {
    capture(world, 1).await;
    claim(world, 1, 100).await.remove(0)
}

pub(crate) async fn a_failing_endpoint_gets_one_delivery_at_a_time(world: World) {
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    for _ in 0..2 {
        let delivery = next(&world).await;
        record(&world, &delivery, AttemptDecision::Exhausted).await;
    }
    assert!(!endpoint(&world).await.health.is_failing(world.now()));
    let delivery = next(&world).await;
    record(&world, &delivery, AttemptDecision::Exhausted).await;
    let failing = endpoint(&world).await;
    assert!(failing.health.is_failing(world.now()) && failing.last_failure_at == Some(world.now()));
    capture(&world, 7).await;
    let only = claim(&world, 10, 5).await;
    assert_eq!(only.len(), 1);
    assert!(claim(&world, 10, 5).await.is_empty(), "deliveries in flight count");
    record(&world, &only[0], AttemptDecision::Succeeded).await;
    let healed = endpoint(&world).await;
    assert!(!healed.health.is_failing(world.now()) && healed.last_success_at == Some(world.now()));
    assert_eq!(claim(&world, 10, 5).await.len(), 5);
}

pub(crate) async fn ten_failures_within_an_hour_do_not_make_an_endpoint_failing(world: World) {
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    for _ in 0..10 {
        let delivery = next(&world).await;
        record(&world, &delivery, later(&world, 100 * HOUR)).await;
    }
    world.advance_almost(HOUR);
    assert!(!endpoint(&world).await.health.is_failing(world.now()));
    world.advance(Duration::from_millis(1));
    assert!(endpoint(&world).await.health.is_failing(world.now()));
    capture(&world, 3).await;
    assert_eq!(claim(&world, 10, 5).await.len(), 1);
}

pub(crate) async fn an_endpoint_gets_no_more_deliveries_than_its_free_capacity(world: World) {
    let full = world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let nearly = world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let free = world.hook(world.endpoint(&EventType::DEFAULT)).await;
    capture(&world, 8).await;
    let reduced = HashMap::from([(full.clone(), 0), (nearly.clone(), 2), (free.clone(), 100)]);
    let capacity = EndpointCapacity { per_endpoint: 5, reduced };
    let (now, until) = (world.now(), world.now().plus(LEASE));
    let claimed = world.store.claim_deliveries(100, &capacity, both(now), until).await.unwrap();
    let count = |id: &str| claimed.iter().filter(|claimed| claimed.endpoint_id == id).count();
    assert_eq!((count(&full), count(&nearly), count(&free)), (0, 2, 5));
    let again = world.store.claim_deliveries(100, &capacity, both(now), until).await.unwrap();
    assert!(again.len() == 2 && again.iter().all(|claimed| claimed.endpoint_id == nearly));
}

pub(crate) async fn a_message_that_is_not_wanted_fails_without_hurting_the_endpoint(world: World) {
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let before = endpoint(&world).await;
    let delivery = next(&world).await;
    assert_eq!(record(&world, &delivery, AttemptDecision::Aborted).await, LeaseOutcome::Recorded);
    assert_eq!(status(&world, &delivery).await, (DeliveryStatus::Failed, None));
    assert_eq!(endpoint(&world).await, before);
    assert_eq!(world.store.list_attempts(&delivery.id).await.unwrap().len(), 1);
    // A requested redelivery also ends the schedule.
    let delivery = next(&world).await;
    record(&world, &delivery, later(&world, HOUR)).await;
    assert_eq!(world.store.redeliver(&delivery.id, world.now()).await.unwrap(), Redelivery::Queued);
    let again = claim(&world, 1, 5).await.remove(0);
    record(&world, &again, AttemptDecision::Aborted).await;
    assert_eq!(status(&world, &delivery).await, (DeliveryStatus::Failed, None));
}

pub(crate) async fn an_endpoint_is_disabled_by_two_messages_that_fail_far_apart(world: World) {
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let (first, _) = (next(&world).await, next(&world).await);
    // Both deliveries, beginning with the message that failed first.
    let both = async || {
        let claimed = claim(&world, 2, 5).await;
        let (one, other): (Vec<_>, Vec<_>) = claimed.into_iter().partition(|claimed| claimed.id == first.id);
        (one.into_iter().next().unwrap(), other.into_iter().next().unwrap())
    };
    record(&world, &first, later(&world, 11 * HOUR)).await;
    // The other message fails too, less than twelve hours later.
    world.advance(11 * HOUR);
    let (one, other) = both().await;
    record(&world, &one, later(&world, 109 * HOUR)).await;
    record(&world, &other, later(&world, 109 * HOUR)).await;
    world.advance(109 * HOUR);
    let (one, other) = both().await;
    record(&world, &one, later(&world, HOUR)).await;
    assert_eq!(endpoint(&world).await.endpoint.status, EndpointStatus::Active, "one message may be to blame");
    record(&world, &other, later(&world, HOUR)).await;
    let disabled = endpoint(&world).await;
    assert_eq!(
        (disabled.endpoint.status, disabled.disabled_reason.as_deref()),
        (EndpointStatus::Disabled, Some("failing"))
    );
    // Pending deliveries are kept, and sent when the endpoint is active again.
    world.advance(HOUR);
    assert!(claim(&world, 10, 5).await.is_empty());
    world.store.set_hook_status(&disabled.endpoint.id, EndpointStatus::Active, world.now()).await.unwrap();
    assert_eq!(endpoint(&world).await.disabled_reason, None);
    assert_eq!(claim(&world, 10, 5).await.len(), 2);
}

pub(crate) async fn a_paused_endpoint_is_not_disabled_by_what_was_in_flight(world: World) {
    let id = world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let first = next(&world).await;
    record(&world, &first, AttemptDecision::Exhausted).await;
    world.store.set_hook_status(&id, EndpointStatus::Active, world.now()).await.unwrap();
    let (second, third) = (next(&world).await, next(&world).await);
    world.store.set_hook_status(&id, EndpointStatus::Paused, world.now()).await.unwrap();
    record(&world, &second, AttemptDecision::Exhausted).await;
    world.advance(130 * HOUR);
    record(&world, &third, AttemptDecision::Exhausted).await;
    assert_eq!(endpoint(&world).await.endpoint.status, EndpointStatus::Paused);
}

pub(crate) async fn an_endpoint_that_is_gone_discards_what_waits(world: World) {
    let id = world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let settled = next(&world).await;
    record(&world, &settled, AttemptDecision::Succeeded).await;
    let (gone, in_flight) = (next(&world).await, next(&world).await);
    capture(&world, 2).await;
    assert_eq!(world.store.redeliver(&settled.id, world.now()).await.unwrap(), Redelivery::Queued);
    assert_eq!(record(&world, &gone, AttemptDecision::Gone).await, LeaseOutcome::Recorded);
    let endpoint = endpoint(&world).await;
    assert_eq!(
        (endpoint.endpoint.status, endpoint.disabled_reason.as_deref()),
        (EndpointStatus::Disabled, Some("gone"))
    );
    assert_eq!(status(&world, &gone).await, (DeliveryStatus::Failed, None));
    assert_eq!(record(&world, &in_flight, AttemptDecision::Succeeded).await, LeaseOutcome::Lost);
    // A delivery that has succeeded stays so, whatever the result of its redelivery.
    assert_eq!(status(&world, &settled).await, (DeliveryStatus::Succeeded, None));
    world.store.set_hook_status(&id, EndpointStatus::Active, world.now()).await.unwrap();
    world.advance(LEASE);
    assert!(claim(&world, 10, 10).await.is_empty());
}

pub(crate) async fn a_lapsed_claim_is_no_attempt_of_the_schedule(world: World) {
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let mut delivery = next(&world).await;
    for _ in 0..3 {
        world.advance(LEASE);
        let again = claim(&world, 1, 5).await.remove(0);
        assert_eq!((&again.id, again.number), (&delivery.id, 1));
        assert_ne!(again.lease_token, delivery.lease_token);
        delivery = again;
    }
    record(&world, &delivery, later(&world, HOUR)).await;
    world.advance(HOUR);
    assert_eq!(claim(&world, 1, 5).await[0].number, 2);
    assert_eq!(world.store.list_attempts(&delivery.id).await.unwrap().len(), 1);
}

/// Attempts that are recorded at the same time may share a transaction. Each counts for its own endpoint.
pub(crate) async fn attempts_that_are_recorded_at_once_all_count(world: World) {
    let mut endpoint_ids = Vec::new();
    for _ in 0..4 {
        endpoint_ids.push(world.hook(world.endpoint(&EventType::DEFAULT)).await);
    }
    capture(&world, 9).await;
    let mut claimed = claim(&world, 100, 100).await;
    assert_eq!(claimed.len(), 36);
    let lost = claimed.iter_mut().find(|delivery| delivery.endpoint_id == endpoint_ids[1]).unwrap();
    "another".clone_into(&mut lost.lease_token);
    let decision = |delivery: &ClaimedDelivery| match endpoint_ids.iter().position(|id| *id == delivery.endpoint_id) {
        Some(0) => AttemptDecision::Succeeded,
        Some(1) => later(&world, HOUR),
        Some(2) => AttemptDecision::Exhausted,
        _ => AttemptDecision::Aborted,
    };
    let outcomes = join_all(claimed.iter().map(|delivery| record(&world, delivery, decision(delivery)))).await;
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == LeaseOutcome::Lost).count(), 1);
    let states = world.store.list_hook_endpoints(&world.account_id).await.unwrap();
    let counts = |id: &str| {
        let state = states.iter().find(|state| state.endpoint.id == *id).unwrap();
        let (succeeded, failed) = (state.last_success_at.is_some(), state.last_failure_at.is_some());
        (succeeded, failed, state.health.failed_attempts, state.health.exhausted)
    };
    let seen: Vec<_> = endpoint_ids.iter().map(|id| counts(id)).collect();
    assert_eq!(seen, [(true, false, 0, 0), (false, true, 8, 0), (false, true, 9, 9), (false, false, 0, 0)]);
    for delivery in &claimed {
        let attempts = world.store.list_attempts(&delivery.id).await.unwrap().len();
        assert_eq!(attempts, usize::from(delivery.lease_token != "another"));
    }
}
