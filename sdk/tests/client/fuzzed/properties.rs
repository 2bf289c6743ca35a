//! Sources of the bytes: random ones, and damaged events of the document.

use contentgen_sdk::test_util::sample;
use proptest::prelude::*;

use super::{event, verifier};

/// Events in the service's format.
fn events() -> Vec<Vec<u8>> {
    let events = [
        sample::article_published("evt_1", &sample::article_summary("art_1")),
        sample::lead_captured("evt_1", &sample::lead("lead_1")),
        sample::job_failed("evt_1", &sample::job("job_1", "failed")),
        sample::scheduled_post_failed("evt_1", &sample::scheduled_post("post_1")),
        sample::unknown_event("evt_1", "website.moved"),
    ];
    events.iter().map(|event| serde_json::to_vec(event).expect("an event can be written")).collect()
}

/// An event with a few bytes overwritten, removed or inserted.
fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let damage = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3_u8), 0..6);
    (prop::sample::select(events()), damage).prop_map(|(mut bytes, damage)| {
        for (place, byte, kind) in damage {
            let place = place.index(bytes.len().max(1)).min(bytes.len().saturating_sub(1));
            match kind {
                0 if !bytes.is_empty() => bytes[place] = byte,
                1 if !bytes.is_empty() => drop(bytes.remove(place)),
                _ => bytes.insert(place, byte),
            }
        }
        bytes
    })
}

/// Lines that resemble the headers of a hook, with any body.
fn lines() -> impl Strategy<Value = Vec<u8>> {
    let id = prop_oneof!["[A-Za-z0-9_.-]{0,70}", ".{0,20}"];
    let timestamp = prop_oneof!["[0-9]{0,14}", "-?[0-9a-f ]{0,8}"];
    let signature = prop_oneof!["(v[0-3],[A-Za-z0-9+/]{0,44}={0,2} ?){0,12}", ".{0,80}"];
    (id, timestamp, signature, any::<Vec<u8>>()).prop_map(|(id, timestamp, signature, body)| {
        [id.as_bytes(), timestamp.as_bytes(), signature.as_bytes(), &body].join(&b'\n')
    })
}

proptest! {
    #[test]
    fn any_bytes_are_no_hook(data in prop_oneof![any::<Vec<u8>>(), lines(), damaged()]) {
        verifier::holds(&data);
    }

    #[test]
    fn any_bytes_are_an_event_or_an_error(data in prop_oneof![any::<Vec<u8>>(), damaged()]) {
        event::holds(&data);
    }
}
