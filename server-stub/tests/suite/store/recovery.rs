//! Promises about redelivering all events that an endpoint missed.

use std::collections::HashSet;
use std::time::Duration;

use contentgen_server_stub::domain::delivery::AttemptKind;
use contentgen_server_stub::domain::event::{Event, EventType};
use contentgen_server_stub::domain::failure::Failure;
use contentgen_server_stub::domain::hook::EndpointStatus;
use contentgen_server_stub::domain::id::{self, Kind};
use contentgen_server_stub::domain::retry_schedule::AttemptDecision;
use contentgen_server_stub::domain::store::{ClaimedDelivery, JobFailure};
use contentgen_server_stub::randomness::SystemRandomness;

use super::deliveries::{capture, claim, later, record};
use super::world::World;

const HOUR: Duration = Duration::from_hours(1);

/// Creates deliveries whose attempts ended with this decision.
async fn ended(world: &World, count: usize, decision: AttemptDecision) -> Vec<ClaimedDelivery> {
    capture(world, count).await;
    let claimed = claim(world, 100, 100).await;
    assert_eq!(claimed.len(), count);
    for delivery in &claimed {
        record(world, delivery, decision).await;
    }
    claimed
}

fn events(deliveries: &[ClaimedDelivery]) -> HashSet<String> {
    let events: HashSet<_> = deliveries.iter().map(|delivery| delivery.event_id.clone()).collect();
    assert_eq!(events.len(), deliveries.len(), "an event twice");
    events
}

pub(crate) async fn a_recovery_sends_once_what_was_given_up_and_what_was_missed(world: World) {
    let id = world.hook(world.endpoint(&[EventType::LeadCaptured, EventType::HookTest])).await;
    ended(&world, 1, AttemptDecision::Exhausted).await;
    world.advance(HOUR);
    let since = world.now();
    let exhausted = ended(&world, 2, AttemptDecision::Exhausted).await;
    let aborted = ended(&world, 1, AttemptDecision::Aborted).await;
    ended(&world, 1, AttemptDecision::Succeeded).await;
    let waiting = ended(&world, 1, later(&world, 1000 * HOUR)).await;
    let test = Event::hook_test(id::new(Kind::Event, world.now(), &SystemRandomness), &world.account_id, world.now());
    world.store.send_test(&id, &test, world.now()).await.unwrap();
    record(&world, &claim(&world, 1, 100).await[0], AttemptDecision::Exhausted).await;
    world.store.set_hook_status(&id, EndpointStatus::Paused, world.now()).await.unwrap();
    let mut expected: HashSet<_> = events(&exhausted).into_iter().chain(events(&aborted)).collect();
    for _ in 0..3 {
        let (lead, event) = world.lead(None);
        world.store.capture_lead(&lead, &event, world.now(), world.now()).await.unwrap();
        expected.insert(event.id);
    }
    world.store.set_hook_status(&id, EndpointStatus::Active, world.now()).await.unwrap();
    let another = world.hook(world.endpoint(&[EventType::ArticlePublished, EventType::HookTest])).await;

    let recover = async |id: &str| world.store.recover_deliveries(id, since, world.moment()).await.unwrap();
    assert_eq!(recover(&id).await, 6);
    assert_eq!(recover(&id).await, 0, "all of it is due already");
    assert_eq!(recover(&another).await, 0, "the test was not its own");
    assert_eq!(recover("hook_none").await, 0);
    // A delivery that waits for its retry is due since the endpoint was resumed.
    expected.extend(events(&waiting));
    let recovered = claim(&world, 100, 100).await;
    assert_eq!(events(&recovered), expected);
    let manual = recovered.iter().filter(|delivery| delivery.kind == AttemptKind::Manual).count();
    assert_eq!(manual, 3, "a delivery without a schedule gets one attempt");
    for delivery in &recovered {
        record(&world, delivery, later(&world, HOUR)).await;
    }
    assert_eq!(recover(&id).await, 3, "a failed one may be recovered again, a scheduled one keeps its schedule");
    for delivery in claim(&world, 100, 100).await {
        record(&world, &delivery, AttemptDecision::Succeeded).await;
    }
    assert_eq!(recover(&id).await, 0);
}

pub(crate) async fn two_recoveries_at_once_send_nothing_twice(world: World) {
    let id = world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let since = world.now();
    ended(&world, 5, AttemptDecision::Exhausted).await;
    world.store.set_hook_status(&id, EndpointStatus::Paused, world.now()).await.unwrap();
    capture(&world, 5).await;
    world.store.set_hook_status(&id, EndpointStatus::Active, world.now()).await.unwrap();
    let recoveries = (0..4).map(|_| world.store.recover_deliveries(&id, since, world.moment()));
    let recovered = futures::future::join_all(recoveries).await;
    assert_eq!(recovered.into_iter().map(Result::unwrap).sum::<u64>(), 10);
    assert_eq!(events(&claim(&world, 100, 100).await).len(), 10);
}

pub(crate) async fn what_happened_before_an_endpoint_was_registered_it_did_not_miss(world: World) {
    let since = world.now();
    capture(&world, 2).await;
    world.advance(HOUR);
    let id = world.hook(world.endpoint(&EventType::DEFAULT)).await;
    assert_eq!(world.store.recover_deliveries(&id, since, world.moment()).await.unwrap(), 0);
}

pub(crate) async fn a_failed_job_is_kept_for_an_endpoint_that_is_paused(world: World) {
    let id = world.hook(world.endpoint(&[EventType::JobFailed])).await;
    world.store.set_hook_status(&id, EndpointStatus::Paused, world.now()).await.unwrap();
    world.queue(world.submission("a topic")).await;
    let job = world.claim().await.remove(0);
    let failure = Failure { code: "internal".to_owned(), message: "It failed.".to_owned(), retryable: false };
    let event_id = id::new(Kind::Event, world.now(), &SystemRandomness);
    let failed = JobFailure {
        job_id: job.job.id,
        lease_token: job.lease_token,
        failure,
        retry_at: None,
        event_id: event_id.clone(),
        now: world.moment(),
    };
    world.store.fail_job(failed).await.unwrap();
    world.store.set_hook_status(&id, EndpointStatus::Active, world.now()).await.unwrap();
    assert!(claim(&world, 10, 10).await.is_empty());
    assert_eq!(world.store.recover_deliveries(&id, world.now(), world.moment()).await.unwrap(), 1);
    assert_eq!(claim(&world, 10, 10).await[0].event_id, event_id);
}
