//! Compares the verifier with another one: hooks signed by either verify with the other, and both decide alike about current hooks.
//! A test documents each case where this crate is deliberately stricter. Here the other one is Standard Webhooks; in `sdk/svix`, svix.

use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use contentgen_sdk::test_util::HookSigner;
use contentgen_sdk::webhook::{Verifier, VerifyError};
use http::HeaderMap;
use proptest::prelude::*;

use super::other::Webhook;

const HEADERS: [&str; 3] = ["webhook-id", "webhook-timestamp", "webhook-signature"];

/// Returns the current time in seconds. The other verifier reads the same clock.
#[expect(clippy::disallowed_methods, reason = "the other verifier asks the clock too")]
fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("after 1970").as_secs()
}

/// Makes the three headers of a hook.
fn headers(id: &str, timestamp: &str, signature: &str) -> HeaderMap {
    let values = [id, timestamp, signature].map(|value| value.parse().expect("a header value"));
    HEADERS.into_iter().map(http::HeaderName::from_static).zip(values).collect()
}

/// Returns the verdicts of this crate and of the other one.
fn verdicts(secret: &str, body: &[u8], headers: &HeaderMap) -> [bool; 2] {
    let ours = Verifier::new([secret]).expect("a secret").verify(headers, body).is_ok();
    let theirs = Webhook::new(secret).expect("a secret").verify(body, headers).is_ok();
    [ours, theirs]
}

/// A secret of any allowed length.
fn secret() -> impl Strategy<Value = String> {
    prop::collection::vec(any::<u8>(), 24..=64).prop_map(|bytes| format!("whsec_{}", STANDARD.encode(bytes)))
}

/// Change to a hook in transit.
#[derive(Clone, Debug)]
enum Damage {
    None,
    Body(prop::sample::Index),
    Signature(prop::sample::Index),
    Id,
    Timestamp(i64),
    OtherSecret,
    OtherVersion,
    FirstOfTwo,
    Missing(usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        2 => Just(Damage::None),
        1 => any::<prop::sample::Index>().prop_map(Damage::Body),
        1 => any::<prop::sample::Index>().prop_map(Damage::Signature),
        1 => Just(Damage::Id),
        // Not close to the tolerance: the time may pass between the two verifiers.
        2 => prop_oneof![-100_000..-400_i64, -200..200_i64, 400..100_000_i64].prop_map(Damage::Timestamp),
        1 => Just(Damage::OtherSecret),
        1 => Just(Damage::OtherVersion),
        1 => Just(Damage::FirstOfTwo),
        1 => (0..3_usize).prop_map(Damage::Missing),
    ]
}

proptest! {
    #[test]
    fn both_decide_alike(secret in secret(), id in "[A-Za-z0-9_-]{1,64}", body in "\\PC{0,200}", damage in damage()) {
        let shift = if let Damage::Timestamp(seconds) = damage { seconds } else { 0 };
        let at = i64::try_from(now()).unwrap() + shift;
        let sign = |secret: &str| Webhook::new(secret).unwrap().sign(&id, at, body.as_bytes()).unwrap();
        let (mut signature, mut text, mut sent_id) = (sign(&secret), body.clone().into_bytes(), id.clone());
        let mut missing = None;
        match &damage {
            Damage::None | Damage::Timestamp(_) => {}
            Damage::Body(at) if text.is_empty() => text.push(u8::try_from(at.index(128)).unwrap()),
            Damage::Body(at) => { let at = at.index(text.len()); text.remove(at); }
            Damage::Signature(at) => {
                let mut bytes = STANDARD.decode(&signature[3..]).unwrap();
                let at = at.index(bytes.len());
                bytes[at] ^= 1;
                signature = format!("v1,{}", STANDARD.encode(bytes));
            }
            Damage::Id => sent_id.insert(0, 'x'),
            Damage::OtherSecret => signature = sign(HookSigner::new().secret()),
            Damage::OtherVersion => signature = signature.replace("v1,", "v2,"),
            Damage::FirstOfTwo => signature = format!("{} {signature}", sign(HookSigner::new().secret())),
            Damage::Missing(which) => missing = Some(HEADERS[*which]),
        }
        let mut map = headers(&sent_id, &at.to_string(), &signature);
        missing.map(|name| map.remove(name));
        let expected = matches!(damage, Damage::None | Damage::FirstOfTwo) || matches!(damage, Damage::Timestamp(-200..=200));
        prop_assert_eq!(verdicts(&secret, &text, &map), [expected; 2], "{:?}", damage);
    }

    #[test]
    fn what_this_crate_signs_verifies_elsewhere(secret in secret(), id in "[A-Za-z0-9_-]{1,64}", body in "\\PC{0,200}") {
        let hook = HookSigner::with_secret(&secret).sign_bytes(&id, body.into_bytes());
        prop_assert_eq!(verdicts(&secret, &hook.body, &hook.headers), [true; 2]);
    }
}

#[test]
fn a_signature_in_a_second_line_counts_here_too() {
    let signer = HookSigner::new();
    let hook = signer.sign_bytes("evt_1", "{}");
    let mut two_lines = hook.headers.clone();
    two_lines.insert("webhook-signature", format!("v1,{}", STANDARD.encode([0; 32])).parse().unwrap());
    two_lines.append("webhook-signature", hook.headers["webhook-signature"].clone());
    assert!(signer.verifier().verify(&two_lines, &hook.body).is_ok());
}

#[test]
fn an_id_with_a_dot_is_refused_here_because_its_signature_fits_two_hooks() {
    let secret = HookSigner::new().secret().to_owned();
    let at = now();
    let other = Webhook::new(&secret).unwrap();
    let seconds = i64::try_from(at).unwrap();
    let signature = other.sign(&format!("evt.{at}"), seconds, b"{}").unwrap();
    let twin = other.sign("evt", seconds, format!("{at}.{{}}").as_bytes()).unwrap();
    assert_eq!(signature, twin, "two hooks, one signature");
    let map = headers(&format!("evt.{at}"), &at.to_string(), &signature);
    let refused = Verifier::new([&secret]).unwrap().verify(&map, b"{}").map(|_| ());
    assert_eq!(refused, Err(VerifyError::InvalidHeader("webhook-id")));
}

#[test]
fn secrets_and_timestamps_that_others_take_are_refused_here() {
    let weak = format!("whsec_{}", STANDARD.encode([1]));
    assert!(Webhook::new(&weak).is_ok());
    assert!(Verifier::new([&weak]).is_err());
    let verifier = HookSigner::new().verifier();
    for timestamp in ["+1674087231", "-9223372036854775808", "1674087231 "] {
        let map = headers("evt_1", timestamp, "v1,AAAA");
        let at = SystemTime::UNIX_EPOCH + Duration::from_secs(1_674_087_231);
        let refused = verifier.verify_at(&map, b"{}", at).map(|_| ());
        assert!(matches!(
            refused,
            Err(VerifyError::InvalidHeader("webhook-timestamp") | VerifyError::NoMatchingSignature)
        ));
    }
}
