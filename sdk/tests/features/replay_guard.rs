//! Each event is taken once, for as long as it is remembered.

use std::time::{Duration, SystemTime};

use contentgen_sdk::webhook::{MemoryReplayGuard, ReplayGuard as _};
use proptest::prelude::*;

fn at(second: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(second)
}

#[test]
fn an_event_is_taken_once_until_its_time_is_over() {
    let guard = MemoryReplayGuard::with_limits(10, Duration::from_secs(100));
    assert!(guard.claim_at("evt_1", at(0)));
    assert!(!guard.claim_at("evt_1", at(100)));
    assert!(guard.claim_at("evt_1", at(101)));
}

#[test]
fn the_oldest_is_forgotten_when_there_is_no_more_room() {
    let guard = MemoryReplayGuard::with_limits(2, Duration::from_secs(100));
    assert!(guard.claim_at("a", at(0)) && guard.claim_at("b", at(1)) && guard.claim_at("c", at(2)));
    assert!(!guard.claim_at("b", at(3)) && !guard.claim_at("c", at(3)));
    assert!(guard.claim_at("a", at(3)));
}

#[tokio::test]
async fn an_event_that_could_not_be_handled_is_taken_again() {
    let guard = MemoryReplayGuard::new();
    assert_eq!(guard.claim("evt_1").await, Ok(true));
    guard.release("evt_1").await.unwrap();
    assert_eq!(guard.claim("evt_1").await, Ok(true));
    assert_eq!(guard.claim("evt_1").await, Ok(false));
}

proptest! {
    #[test]
    fn within_room_and_time_no_event_is_taken_twice_without_a_release(ids in prop::collection::vec(0..6_u8, 1..40), released in any::<u64>()) {
        let guard = MemoryReplayGuard::with_limits(100, Duration::from_secs(1000));
        let mut taken = std::collections::BTreeSet::new();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        for (step, id) in ids.into_iter().enumerate() {
            let name = format!("evt_{id}");
            prop_assert_eq!(guard.claim_at(&name, at(step as u64)), taken.insert(id));
            if released >> (step % 64) & 1 == 1 {
                runtime.block_on(guard.release(&name)).unwrap();
                taken.remove(&id);
            }
        }
    }
}
