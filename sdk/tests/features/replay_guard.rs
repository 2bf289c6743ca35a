//! Each event is handled once while it is remembered. An event whose handler is lost is handled again.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use contentgen_sdk::webhook::{Claim, ClaimToken, MemoryReplayGuard, ReplayGuard as _};
use proptest::prelude::*;

fn at(second: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(second)
}

/// Claims an event that no handler holds.
fn taken(guard: &MemoryReplayGuard, id: &str, second: u64) -> ClaimToken {
    match guard.claim_at(id, at(second)) {
        Claim::New(token) => token,
        other => panic!("{id} is {other:?} at {second}"),
    }
}

/// Claims an event and handles it.
async fn handled(guard: &MemoryReplayGuard, id: &str, second: u64) {
    let token = taken(guard, id, second);
    guard.complete(id, token).await.unwrap();
}

#[tokio::test]
async fn an_event_is_handled_once_until_its_time_is_over() {
    let guard = MemoryReplayGuard::with_limits(10, Duration::from_secs(100));
    handled(&guard, "evt_1", 0).await;
    assert_eq!(guard.claim_at("evt_1", at(100)), Claim::Done);
    taken(&guard, "evt_1", 101);
}

#[tokio::test]
async fn the_oldest_is_forgotten_when_there_is_no_more_room() {
    let guard = MemoryReplayGuard::with_limits(2, Duration::from_secs(100));
    for (second, id) in ["a", "b", "c"].into_iter().enumerate() {
        handled(&guard, id, second as u64).await;
    }
    assert_eq!(["b", "c"].map(|id| guard.claim_at(id, at(3))), [Claim::Done; 2]);
    taken(&guard, "a", 3);
}

#[tokio::test]
async fn what_is_given_back_takes_no_room() {
    let guard = MemoryReplayGuard::with_limits(2, Duration::from_secs(100));
    handled(&guard, "kept", 0).await;
    for _ in 0..100 {
        let token = taken(&guard, "unlucky", 1);
        guard.release("unlucky", token).await.unwrap();
    }
    assert_eq!(guard.claim_at("kept", at(2)), Claim::Done);
}

#[test]
fn an_event_whose_handler_was_dropped_is_taken_again_after_a_while() {
    let guard = MemoryReplayGuard::new().claim_timeout(Duration::from_secs(30));
    taken(&guard, "evt_1", 0);
    assert_eq!(guard.claim_at("evt_1", at(30)), Claim::InProgress);
    taken(&guard, "evt_1", 31);
    assert_eq!(guard.claim_at("evt_1", at(61)), Claim::InProgress, "its time has begun anew");
}

proptest! {
    /// Compares with a model that has only a map, while there is room and time.
    #[test]
    fn events_are_new_in_progress_or_done(steps in prop::collection::vec((0..6_u8, 0..3_u8), 1..60)) {
        let guard = MemoryReplayGuard::with_limits(100, Duration::from_secs(1000)).claim_timeout(Duration::from_secs(1000));
        let mut model: BTreeMap<u8, Claim> = BTreeMap::new();
        let mut tokens = BTreeMap::new();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        for (second, (id, then)) in steps.into_iter().enumerate() {
            let name = format!("evt_{id}");
            let claim = guard.claim_at(&name, at(second as u64));
            if let Claim::New(token) = claim {
                prop_assert_eq!(model.insert(id, Claim::InProgress), None);
                tokens.insert(id, token);
            } else {
                prop_assert_eq!(Some(&claim), model.get(&id));
            }
            match then {
                1 => {
                    runtime.block_on(guard.complete(&name, tokens[&id])).unwrap();
                    model.insert(id, Claim::Done);
                }
                2 => {
                    runtime.block_on(guard.release(&name, tokens[&id])).unwrap();
                    if model[&id] != Claim::Done {
                        model.remove(&id);
                    }
                }
                _ => {}
            }
        }
    }
}
