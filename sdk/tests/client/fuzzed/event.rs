//! Any bytes as the body of a verified hook: reading them never panics, errors quote nothing, and an event that was read can be written
//! and read again as an event of the same kind.

use contentgen_sdk::test_util::HookSigner;
use contentgen_sdk::webhook::{EventError, HookEvent};

pub(crate) fn holds(data: &[u8]) {
    let signer = HookSigner::new();
    let hook = signer.sign_bytes("evt_1", data);
    let verified = signer.verifier().verify(&hook.headers, &hook.body).expect("a hook that was signed now is accepted");
    match verified.event() {
        Ok(event) => {
            let written = serde_json::to_vec(&event).expect("an event can be written");
            let again: HookEvent = serde_json::from_slice(&written).expect("a written event can be read");
            assert_eq!(again.event_type(), event.event_type());
            assert!(!format!("{event:?}").is_empty());
        }
        Err(EventError::NotJson) => assert!(
            serde_json::from_slice::<serde_json::Value>(data).is_err(),
            "this is JSON: {}",
            String::from_utf8_lossy(data)
        ),
        // The name comes from the document, not from the received body.
        Err(EventError::MissingField { name, .. }) => {
            assert!(name.len() < 32 && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{name}");
        }
        Err(error) => assert_eq!(error, EventError::UnexpectedShape),
    }
}
