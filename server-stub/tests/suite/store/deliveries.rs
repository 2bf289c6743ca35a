//! Promises about webhook endpoints, deliveries and their attempts.

use std::collections::HashSet;
use std::time::Duration;

use contentgen_server_stub::domain::clock::Timestamp;
use contentgen_server_stub::domain::event::EventType;
use contentgen_server_stub::domain::hook::{Attempt, EndpointStatus};
use contentgen_server_stub::domain::retry_schedule::AttemptDecision;
use contentgen_server_stub::domain::store::{AttemptRecord, ClaimedDelivery, Error, LeaseOutcome};

use super::world::{LEASE, World, capacity};

pub(crate) async fn capture(world: &World, leads: usize) {
    for _ in 0..leads {
        let (lead, event) = world.lead(None);
        world.store.capture_lead(&lead, &event, world.now(), world.now()).await.unwrap();
    }
}

pub(crate) async fn claim(world: &World, limit: u32, per_endpoint: u32) -> Vec<ClaimedDelivery> {
    world.store.claim_deliveries(limit, &capacity(per_endpoint), world.moment(), world.now().plus(LEASE)).await.unwrap()
}

pub(crate) async fn record(world: &World, delivery: &ClaimedDelivery, decision: AttemptDecision) -> LeaseOutcome {
    record_all(world, std::slice::from_ref(delivery), decision).await.pop().unwrap()
}

/// Records an attempt of each of these deliveries concurrently.
pub(crate) async fn record_all(
    world: &World,
    deliveries: &[ClaimedDelivery],
    decision: AttemptDecision,
) -> Vec<LeaseOutcome> {
    let attempt = Attempt {
        started_at: world.now(),
        request_headers: vec![("webhook-id".to_owned(), "evt_1".to_owned())],
        duration_ms: 12,
        response_status: Some(500),
        error: None,
        retry_after: Some(Duration::from_secs(3)),
        timed_out: false,
        response_headers: vec![("server".to_owned(), "test".to_owned())].into(),
        response_head: Some("oh".to_owned().into()),
    };
    let records = deliveries.iter().map(|delivery| AttemptRecord {
        delivery: delivery.clone(),
        attempt: attempt.clone(),
        decision,
        decided_at: world.moment(),
    });
    world.store.record_attempts(records.collect()).await.unwrap()
}

pub(crate) fn later(world: &World, pause: Duration) -> AttemptDecision {
    AttemptDecision::RetryAt(world.now().plus(pause))
}

pub(crate) async fn an_event_goes_to_every_active_endpoint_that_wants_it_and_no_other(world: World) {
    let wanting = world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let mut of_this_website = world.endpoint(&[EventType::LeadCaptured]);
    of_this_website.website_id = Some(world.website_id.clone());
    let of_this_website = world.hook(of_this_website).await;
    world.hook(world.endpoint(&[EventType::ArticlePublished])).await;
    for status in [EndpointStatus::Paused, EndpointStatus::Disabled] {
        let mut endpoint = world.endpoint(&EventType::DEFAULT);
        endpoint.status = status;
        world.hook(endpoint).await;
    }
    capture(&world, 1).await;
    let claimed = claim(&world, 100, 100).await;
    let endpoints: HashSet<_> = claimed.iter().map(|delivery| delivery.endpoint_id.clone()).collect();
    assert_eq!(endpoints, HashSet::from([wanting, of_this_website]));
    assert_eq!(claimed[0].event_id, claimed[1].event_id);
    assert_eq!(claimed[0].body, claimed[1].body);
}

pub(crate) async fn a_retry_comes_at_its_time_with_the_same_bytes(world: World) {
    let endpoint = world.endpoint(&EventType::DEFAULT);
    let secret = endpoint.secret.clone();
    world.hook(endpoint).await;
    capture(&world, 1).await;
    let first = claim(&world, 10, 5).await.remove(0);
    assert_eq!((first.number, &first.secrets), (1, &Ok(vec![secret])));
    let pause = Duration::from_secs(5);
    assert_eq!(record(&world, &first, later(&world, pause)).await, LeaseOutcome::Recorded);
    world.advance_almost(pause);
    assert!(claim(&world, 10, 5).await.is_empty());
    world.advance(Duration::from_millis(1));
    let second = claim(&world, 10, 5).await.remove(0);
    assert_eq!((second.number, &second.event_id, &second.body), (2, &first.event_id, &first.body));
    record(&world, &second, AttemptDecision::Succeeded).await;
    world.advance(Duration::from_hours(48));
    assert!(claim(&world, 10, 5).await.is_empty());
}

pub(crate) async fn an_attempt_of_a_lapsed_claim_is_not_recorded(world: World) {
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    capture(&world, 1).await;
    let stale = claim(&world, 10, 5).await.remove(0);
    assert!(claim(&world, 10, 5).await.is_empty());
    world.advance(LEASE);
    let fresh = claim(&world, 10, 5).await.remove(0);
    assert_eq!(record(&world, &stale, AttemptDecision::Exhausted).await, LeaseOutcome::Lost);
    assert_eq!(record(&world, &fresh, AttemptDecision::Succeeded).await, LeaseOutcome::Recorded);
    assert_eq!(record(&world, &fresh, AttemptDecision::Succeeded).await, LeaseOutcome::Lost);
}

pub(crate) async fn one_endpoint_never_takes_all_slots(world: World) {
    let busy = world.hook(world.endpoint(&[EventType::LeadCaptured])).await;
    capture(&world, 30).await;
    let other = world.hook(world.endpoint(&[EventType::LeadCaptured])).await;
    capture(&world, 3).await;
    let in_flight = claim(&world, 64, 5).await;
    let of =
        |claimed: &[ClaimedDelivery], id: &str| claimed.iter().filter(|delivery| delivery.endpoint_id == id).count();
    assert_eq!((of(&in_flight, &busy), of(&in_flight, &other)), (5, 3));
    assert!(claim(&world, 64, 5).await.is_empty(), "deliveries in flight count");
    let done = in_flight.iter().find(|delivery| delivery.endpoint_id == busy).unwrap();
    record(&world, done, AttemptDecision::Succeeded).await;
    assert_eq!(claim(&world, 64, 5).await.len(), 1);
    // If the capacity is smaller than the number of deliveries, the oldest are sent first.
    world.advance(LEASE);
    assert_eq!(claim(&world, 2, 5).await.len(), 2);
}

pub(crate) async fn endpoints_that_hang_leave_a_slot_for_one_that_does_not(world: World) {
    for _ in 0..6 {
        world.hook(world.endpoint(&[EventType::LeadCaptured])).await;
    }
    capture(&world, 10).await;
    // Six endpoints hang with four deliveries in flight each. Their pending deliveries are older than those of the next endpoint.
    assert_eq!(claim(&world, 24, 4).await.len(), 24);
    world.advance(Duration::from_secs(1));
    let late = world.hook(world.endpoint(&[EventType::LeadCaptured])).await;
    capture(&world, 1).await;
    let claimed = claim(&world, 3, 5).await;
    assert_eq!(claimed[0].endpoint_id, late);
}

pub(crate) async fn an_endpoint_that_is_gone_is_disabled_with_all_that_waits_for_it(world: World) {
    let gone = world.hook(world.endpoint(&EventType::DEFAULT)).await;
    capture(&world, 3).await;
    let claimed = claim(&world, 1, 5).await.remove(0);
    assert_eq!(record(&world, &claimed, AttemptDecision::Gone).await, LeaseOutcome::Recorded);
    capture(&world, 1).await;
    world.advance(LEASE);
    assert!(claim(&world, 10, 5).await.is_empty(), "{gone} got a delivery");
}

pub(crate) async fn an_endpoint_that_fails_for_five_days_is_disabled_and_one_success_starts_anew(world: World) {
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let fail_after = async |pause: Duration| {
        world.advance(pause);
        capture(&world, 1).await;
        let claimed = claim(&world, 10, 5).await;
        for delivery in &claimed {
            record(&world, delivery, AttemptDecision::Exhausted).await;
        }
        claimed.len()
    };
    let day = Duration::from_hours(24);
    assert_eq!(fail_after(day).await, 1);
    assert_eq!(fail_after(4 * day).await, 1);
    world.advance_almost(day);
    capture(&world, 1).await;
    let recovered = claim(&world, 10, 5).await.remove(0);
    record(&world, &recovered, AttemptDecision::Succeeded).await;
    assert_eq!(fail_after(day).await, 1);
    assert_eq!(fail_after(5 * day).await, 1);
    assert_eq!(fail_after(day).await, 0, "disabled by the failure before");
}

pub(crate) async fn a_removed_endpoint_gets_nothing_more_and_an_account_has_at_most_ten(world: World) {
    let first = world.hook(world.endpoint(&EventType::DEFAULT)).await;
    for _ in 1..10 {
        world.hook(world.endpoint(&[EventType::ArticlePublished])).await;
    }
    let one_more = world.store.create_hook_endpoint(&world.endpoint(&EventType::DEFAULT)).await;
    assert!(matches!(one_more, Err(Error::LimitReached { limit: 10, .. })));
    capture(&world, 2).await;
    let in_flight = claim(&world, 1, 1).await.remove(0);
    assert!(world.store.remove_hook_endpoint(&first).await.unwrap());
    assert!(!world.store.remove_hook_endpoint(&first).await.unwrap());
    assert_eq!(record(&world, &in_flight, AttemptDecision::Succeeded).await, LeaseOutcome::Lost);
    capture(&world, 1).await;
    world.advance(LEASE);
    assert!(claim(&world, 10, 5).await.is_empty());
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
}

pub(crate) async fn times_before_the_epoch_and_far_ahead_are_kept(world: World) {
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    capture(&world, 1).await;
    let first = claim(&world, 1, 1).await.remove(0);
    let far = Timestamp::from_millis(i64::MAX);
    record(&world, &first, AttemptDecision::RetryAt(far)).await;
    world.advance(Duration::from_hours(24 * 365));
    assert!(claim(&world, 1, 1).await.is_empty());
}

pub(crate) async fn a_released_delivery_is_due_at_once_and_was_no_attempt(world: World) {
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    capture(&world, 4).await;
    let claimed = claim(&world, 10, 10).await;
    let (unsent, sent) = claimed.split_at(2);
    record(&world, &sent[0], later(&world, LEASE)).await;
    world.advance(Duration::from_secs(1));
    let release = async |unsent: &[ClaimedDelivery]| {
        world.store.release_deliveries(unsent.iter().cloned().collect(), world.now()).await.unwrap();
    };
    release(unsent).await;
    let again = claim(&world, 10, 10).await;
    let numbers = |claimed: &[ClaimedDelivery]| -> HashSet<_> {
        claimed.iter().map(|delivery| (delivery.id.clone(), delivery.number)).collect()
    };
    assert_eq!(numbers(&again), numbers(unsent));
    // A lost claim releases nothing. A claim after an expired one keeps the attempt number, too.
    release(unsent).await;
    assert!(claim(&world, 10, 10).await.is_empty());
    world.advance(2 * LEASE);
    let retried = claim(&world, 10, 10).await;
    release(&retried).await;
    let claimed = claim(&world, 10, 10).await;
    assert_eq!(numbers(&claimed), numbers(&retried));
    assert_eq!(claimed.iter().map(|delivery| delivery.number).sum::<u32>(), 2 + 1 + 1 + 1);
    // A requested redelivery is outside the schedule, before and after the release.
    record(&world, &claimed[0], AttemptDecision::Succeeded).await;
    world.store.redeliver(&claimed[0].id, world.now()).await.unwrap();
    let manual = claim(&world, 10, 10).await;
    release(&manual).await;
    let again = claim(&world, 10, 10).await;
    assert_eq!((manual[0].kind, numbers(&again)), (again[0].kind, numbers(&manual)));
}
