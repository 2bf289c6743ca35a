//! Queue lengths as the metrics show them.

use std::time::Duration;

use contentgen_server_stub::domain::endpoint_capacity::EndpointCapacity;
use contentgen_server_stub::domain::event::EventType;
use contentgen_server_stub::domain::hook::EndpointStatus;
use contentgen_server_stub::domain::store::{LeaseOutcome, QueueStatistics};

use super::delivery_search::insert_deliveries;
use super::world::{World, both};

pub(crate) async fn what_waits_is_counted_with_the_moment_since_when_and_what_is_paused_does_not_wait(world: World) {
    assert_eq!(world.store.queue_statistics(world.moment()).await.unwrap(), QueueStatistics::default());

    world.queue(world.submission("Written")).await;
    let claimed = world.claim().await.remove(0);
    assert_eq!(world.store.complete_job(world.completion(&claimed, "Written")).await.unwrap(), LeaseOutcome::Recorded);
    let published_from = world.now();
    world.advance(Duration::from_secs(5));
    world.queue(world.submission("In progress")).await;
    world.claim().await;
    let queued_at = world.advance(Duration::from_secs(5));
    for topic in ["First", "Second"] {
        world.queue(world.submission(topic)).await;
    }
    let mut paused = world.endpoint(&[EventType::LeadCaptured]);
    paused.status = EndpointStatus::Paused;
    world.hook(paused).await;
    world.hook(world.endpoint(&[EventType::LeadCaptured])).await;
    let captured_at = world.advance(Duration::from_secs(5));
    for _ in 0..3 {
        let (lead, event) = world.lead(None);
        world.store.capture_lead(&lead, &event, world.now(), world.now()).await.unwrap();
    }
    let expected = QueueStatistics {
        jobs_queued: 2,
        jobs_in_progress: 1,
        oldest_job_due: Some(queued_at),
        posts_due: 1,
        oldest_post_due: Some(published_from),
        deliveries_pending: 3,
        oldest_delivery_due: Some(captured_at),
    };
    assert_eq!(world.store.queue_statistics(world.moment()).await.unwrap(), expected);

    // A delivery in flight has not ended. It is due again when its lease expires.
    let until = world.now().plus(Duration::from_mins(1));
    let sent =
        world.store.claim_deliveries(10, &EndpointCapacity::at_most(10), both(world.now()), until).await.unwrap();
    assert_eq!(sent.len(), 3);
    let statistics = world.store.queue_statistics(world.moment()).await.unwrap();
    assert_eq!((statistics.deliveries_pending, statistics.oldest_delivery_due), (3, Some(until)));
}

pub(crate) async fn a_long_queue_is_counted_up_to_a_limit_and_its_oldest_row_is_found(world: World) {
    for _ in 0..10 {
        world.hook(world.endpoint(&[EventType::LeadCaptured])).await;
    }
    let now = world.now();
    insert_deliveries(&world, 10_001, "pending", Some(&format!("{} - n", now.millis()))).await;
    let statistics = world.store.queue_statistics(world.moment()).await.unwrap();
    let counted = (statistics.deliveries_pending, statistics.oldest_delivery_due);
    assert_eq!(counted, (100_000, Some(now.plus_millis(-10_001))));
}
