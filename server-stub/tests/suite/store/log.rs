//! Promises about the log of deliveries and attempts.

use std::time::Duration;

use contentgen_server_stub::domain::delivery::{AttemptKind, LoggedDelivery};
use contentgen_server_stub::domain::event::EventType;
use contentgen_server_stub::domain::hook::DeliveryStatus;
use contentgen_server_stub::domain::retry_schedule::AttemptDecision;
use contentgen_server_stub::domain::store::{PageKey, PageRequest};

use super::deliveries::{capture, claim, later, record};
use super::world::World;

async fn page(world: &World, endpoint_id: &str, after: Option<&LoggedDelivery>, limit: u32) -> Vec<LoggedDelivery> {
    let after = after.map(|last| PageKey { time: last.created_at, id: last.id.clone() });
    world.store.list_deliveries(endpoint_id, &PageRequest { after, limit }).await.unwrap()
}

pub(crate) async fn the_log_is_walked_newest_first_without_gaps_or_repeats(world: World) {
    let id = world.hook(world.endpoint(&EventType::DEFAULT)).await;
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    // Several share a time, so the id must break the tie.
    for _ in 0..4 {
        capture(&world, 3).await;
        world.advance(Duration::from_secs(1));
    }
    let all = page(&world, &id, None, 100).await;
    assert_eq!(all.len(), 12);
    assert!(all.iter().all(|delivery| delivery.endpoint_id == id));
    assert!(all.is_sorted_by_key(|delivery| std::cmp::Reverse((delivery.created_at, delivery.id.clone()))));
    for limit in [1, 2, 5, 12, 13] {
        let mut walked = Vec::new();
        loop {
            let items = page(&world, &id, walked.last(), limit).await;
            // Rows that arrive meanwhile come before the first page.
            if limit == 2 {
                capture(&world, 1).await;
            }
            if items.is_empty() {
                break;
            }
            walked.extend(items);
        }
        walked.retain(|delivery| all.contains(delivery));
        assert_eq!(walked, all, "in pages of {limit}");
    }
    assert!(page(&world, "hook_none", None, 10).await.is_empty());
}

pub(crate) async fn attempts_are_listed_oldest_first(world: World) {
    let id = world.hook(world.endpoint(&EventType::DEFAULT)).await;
    capture(&world, 1).await;
    let pause = Duration::from_secs(5);
    let first = claim(&world, 1, 5).await.remove(0);
    let next_attempt_at = world.now().plus(pause);
    record(&world, &first, later(&world, pause)).await;
    let waiting = page(&world, &id, None, 1).await.remove(0);
    assert_eq!((waiting.status, waiting.attempts), (DeliveryStatus::Pending, 1));
    assert_eq!(waiting.next_attempt_at, Some(next_attempt_at));
    assert_eq!((&waiting.event_id, waiting.event_type), (&first.event_id, EventType::LeadCaptured));
    world.store.redeliver(&first.id, world.now()).await.unwrap();
    record(&world, &claim(&world, 1, 5).await[0], later(&world, pause)).await;
    world.advance(pause);
    record(&world, &claim(&world, 1, 5).await[0], AttemptDecision::Succeeded).await;
    let attempts = world.store.list_attempts(&first.id).await.unwrap();
    let told: Vec<_> = attempts.iter().map(|attempt| (attempt.number, attempt.kind)).collect();
    assert_eq!(told, [(1, AttemptKind::Scheduled), (1, AttemptKind::Manual), (2, AttemptKind::Scheduled)]);
    let last = &attempts[2];
    assert_eq!((last.started_at, last.duration_ms, last.response_status), (world.now(), 12, Some(500)));
    assert_eq!((last.error.as_deref(), last.response_head.clone()), (None, Some("oh".to_owned().into())));
    assert_eq!(last.request_headers, [("webhook-id".to_owned(), "evt_1".to_owned())]);
    assert_eq!(*last.response_headers, [("server".to_owned(), "test".to_owned())]);
    assert!(world.store.list_attempts("dlv_none").await.unwrap().is_empty());
}
