//! Any bytes as a hook: nothing panics, an unsigned hook is refused, and a signed hook is accepted until a byte of it changes.

use contentgen_sdk::test_util::HookSigner;
use http::{HeaderMap, HeaderValue};

const HEADERS: [&str; 3] = ["webhook-id", "webhook-timestamp", "webhook-signature"];

/// The first three lines are the headers, the rest is the body; empty lines are missing headers. Then all bytes become the body of
/// a signed hook. The first five bytes give the place and value of one changed byte.
pub(crate) fn holds(data: &[u8]) {
    let signer = HookSigner::new();
    let verifier = signer.verifier();
    let mut parts = data.splitn(4, |byte| *byte == b'\n');
    let mut headers = HeaderMap::new();
    for name in HEADERS {
        let value = parts.next().filter(|value| !value.is_empty());
        if let Some(value) = value.and_then(|value| HeaderValue::from_bytes(value).ok()) {
            headers.insert(name, value);
        }
    }
    let body = parts.next().unwrap_or_default();
    assert!(verifier.verify(&headers, body).is_err(), "an unsigned hook is accepted");

    let mut hook = signer.sign_bytes("evt_1", data);
    let verified = verifier.verify(&hook.headers, &hook.body).expect("a hook that was signed now is accepted");
    assert_eq!((verified.id(), verified.body()), ("evt_1", data));
    let Some((place, change)) = data.first_chunk::<4>().zip(data.get(4)) else { return };
    let place = u32::from_le_bytes(*place) as usize % data.len();
    if *change != 0 {
        hook.body[place] ^= *change;
        assert!(verifier.verify(&hook.headers, &hook.body).is_err(), "a hook that was changed is accepted");
    }
}
