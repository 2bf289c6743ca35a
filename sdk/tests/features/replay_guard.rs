//! Each event is handled once, for as long as it is remembered, and none is lost with who handled it.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use contentgen_sdk::webhook::{Claim, MemoryReplayGuard, ReplayGuard as _};
use proptest::prelude::*;

fn at(second: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(second)
}

/// Takes an event and handles it.
async fn handled(guard: &MemoryReplayGuard, id: &str, second: u64) {
    assert_eq!(guard.claim_at(id, at(second)), Claim::New);
    guard.complete(id).await.unwrap();
}

#[tokio::test]
async fn an_event_is_handled_once_until_its_time_is_over() {
    let guard = MemoryReplayGuard::with_limits(10, Duration::from_secs(100));
    handled(&guard, "evt_1", 0).await;
    assert_eq!(guard.claim_at("evt_1", at(100)), Claim::Done);
    assert_eq!(guard.claim_at("evt_1", at(101)), Claim::New);
}

#[tokio::test]
async fn the_oldest_is_forgotten_when_there_is_no_more_room() {
    let guard = MemoryReplayGuard::with_limits(2, Duration::from_secs(100));
    for (second, id) in ["a", "b", "c"].into_iter().enumerate() {
        handled(&guard, id, second as u64).await;
    }
    assert_eq!(["b", "c"].map(|id| guard.claim_at(id, at(3))), [Claim::Done; 2]);
    assert_eq!(guard.claim_at("a", at(3)), Claim::New);
}

#[tokio::test]
async fn what_is_given_back_takes_no_room() {
    let guard = MemoryReplayGuard::with_limits(2, Duration::from_secs(100));
    handled(&guard, "kept", 0).await;
    for _ in 0..100 {
        assert_eq!(guard.claim_at("unlucky", at(1)), Claim::New);
        guard.release("unlucky").await.unwrap();
    }
    assert_eq!(guard.claim_at("kept", at(2)), Claim::Done);
}

#[tokio::test]
async fn who_comes_late_with_a_claim_that_has_ended_spoils_nothing() {
    let guard = MemoryReplayGuard::with_limits(usize::MAX, Duration::MAX).claims_last(Duration::from_secs(30));
    assert_eq!([0, 31].map(|second| guard.claim_at("evt_1", at(second))), [Claim::New; 2]);
    // The second one is done, and the first one fails.
    guard.complete("evt_1").await.unwrap();
    guard.release("evt_1").await.unwrap();
    assert_eq!(guard.claim_at("evt_1", at(32)), Claim::Done);

    assert_eq!([0, 31].map(|second| guard.claim_at("evt_2", at(second))), [Claim::New; 2]);
    // The second one fails, and the first one is done.
    guard.release("evt_2").await.unwrap();
    guard.complete("evt_2").await.unwrap();
    assert_eq!(guard.claim_at("evt_2", at(32)), Claim::Done);
}

#[test]
fn an_event_whose_handler_was_dropped_is_taken_again_after_a_while() {
    let guard = MemoryReplayGuard::new().claims_last(Duration::from_secs(30));
    assert_eq!(guard.claim_at("evt_1", at(0)), Claim::New);
    assert_eq!(guard.claim_at("evt_1", at(30)), Claim::InProgress);
    assert_eq!(guard.claim_at("evt_1", at(31)), Claim::New);
    assert_eq!(guard.claim_at("evt_1", at(61)), Claim::InProgress, "its time has begun anew");
}

proptest! {
    /// Beside a model with a map and nothing else, where there is room and time.
    #[test]
    fn events_are_new_in_progress_or_done(steps in prop::collection::vec((0..6_u8, 0..3_u8), 1..60)) {
        let guard = MemoryReplayGuard::with_limits(100, Duration::from_secs(1000)).claims_last(Duration::from_secs(1000));
        let mut model = BTreeMap::new();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        for (second, (id, then)) in steps.into_iter().enumerate() {
            let name = format!("evt_{id}");
            let expected = model.get(&id).copied().unwrap_or(Claim::New);
            prop_assert_eq!(guard.claim_at(&name, at(second as u64)), expected);
            let becomes = if expected == Claim::New { Claim::InProgress } else { expected };
            model.insert(id, becomes);
            match then {
                1 => {
                    runtime.block_on(guard.complete(&name)).unwrap();
                    model.insert(id, Claim::Done);
                }
                2 => {
                    runtime.block_on(guard.release(&name)).unwrap();
                    if model[&id] != Claim::Done {
                        model.remove(&id);
                    }
                }
                _ => {}
            }
        }
    }
}
