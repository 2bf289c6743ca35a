//! Verification of hooks on their bytes: test vectors computed by openssl, and hooks that must be refused.

use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use contentgen_sdk::webhook::{EventError, HookEvent, SecretError, Verifier, VerifyError};
use http::{HeaderMap, HeaderName, HeaderValue};
use proptest::prelude::*;
use serde::Deserialize;

/// A hook with a signature made by openssl; see the file's script.
#[derive(Deserialize)]
struct Vector {
    name: String,
    secret: String,
    id: String,
    timestamp: String,
    body_base64: String,
    signature: String,
}

impl Vector {
    fn body(&self) -> Vec<u8> {
        STANDARD.decode(&self.body_base64).expect("the vector is base64")
    }

    fn headers(&self) -> HeaderMap {
        headers(&[
            ("webhook-id", &self.id),
            ("webhook-timestamp", &self.timestamp),
            ("webhook-signature", &self.signature),
        ])
    }

    /// Returns the time some seconds after it was signed.
    fn at(&self, seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH
            + Duration::from_secs(self.timestamp.parse::<u64>().expect("the vector has seconds") + seconds)
    }
}

fn vectors() -> Vec<Vector> {
    let text = include_str!("../../../conformance/vectors/webhook_signatures.json");
    serde_json::from_str(text).expect("the vectors are JSON")
}

/// The vector that most tests use.
fn article() -> Vector {
    vectors().into_iter().find(|vector| vector.name == "a published article").expect("the file has that vector")
}

fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
    pairs.iter().map(|(name, value)| (HeaderName::from_static(name), value.parse().expect("a header value"))).collect()
}

#[test]
fn every_vector_verifies_at_the_edges_of_the_tolerance() {
    for vector in vectors() {
        let verifier = Verifier::new([&vector.secret]).unwrap();
        for now in [vector.at(0), vector.at(300), vector.at(0) - Duration::from_secs(5 * 60)] {
            let body = vector.body();
            let verified = verifier.verify_at(&vector.headers(), &body, now).expect(&vector.name);
            assert_eq!((verified.id(), verified.body()), (vector.id.as_str(), body.as_slice()));
        }
    }
}

#[test]
fn a_hook_outside_the_tolerance_is_refused() {
    let vector = article();
    let verifier = Verifier::new([&vector.secret]).unwrap();
    let verify = |now| verifier.verify_at(&vector.headers(), &vector.body(), now).map(|_| ()).unwrap_err();
    assert_eq!(verify(vector.at(301)), VerifyError::TooOld);
    assert_eq!(verify(vector.at(0) - Duration::from_secs(301)), VerifyError::TooNew);
    let patient = Verifier::new([&vector.secret]).unwrap().tolerance(Duration::from_hours(1));
    assert!(patient.verify_at(&vector.headers(), &vector.body(), vector.at(3600)).is_ok());
}

#[test]
fn any_of_several_secrets_and_signatures_may_fit() {
    let vector = article();
    let other = format!("whsec_{}", STANDARD.encode([7; 32]));
    let verifier = Verifier::new([&other, &vector.secret]).unwrap();
    let wrong = format!("v1,{}", STANDARD.encode([0; 32]));
    let list = format!("v1a,AAAA v2,{} {wrong} {}", STANDARD.encode([1; 32]), vector.signature);
    let mut headers = vector.headers();
    headers.insert("webhook-signature", list.parse().unwrap());
    assert!(verifier.verify_at(&headers, &vector.body(), vector.at(1)).is_ok());
    headers.insert("webhook-signature", wrong.parse().unwrap());
    headers.append("webhook-signature", vector.signature.parse().unwrap());
    assert!(verifier.verify_at(&headers, &vector.body(), vector.at(1)).is_ok());
    let reversed = Verifier::new([&vector.secret, &other]).unwrap();
    let right_first = format!("{} {wrong}", vector.signature);
    headers.insert("webhook-signature", right_first.parse().unwrap());
    assert!(reversed.verify_at(&headers, &vector.body(), vector.at(1)).is_ok());
    let only_other = Verifier::new([&other]).unwrap();
    let refused = only_other.verify_at(&headers, &vector.body(), vector.at(1)).map(|_| ());
    assert_eq!(refused, Err(VerifyError::NoMatchingSignature));
}

#[test]
fn headers_that_are_missing_doubled_or_malformed_are_refused() {
    let vector = article();
    let verifier = Verifier::new([&vector.secret]).unwrap();
    let verify =
        |headers: &HeaderMap| verifier.verify_at(headers, &vector.body(), vector.at(0)).map(|_| ()).unwrap_err();
    for name in ["webhook-id", "webhook-timestamp", "webhook-signature"] {
        let mut without = vector.headers();
        without.remove(name);
        assert_eq!(verify(&without), VerifyError::MissingHeader(name));
    }
    let long = "x".repeat(65);
    let malformed = [
        ("webhook-id", ""),
        ("webhook-id", "evt.01"),
        ("webhook-id", "evt 01"),
        ("webhook-id", &long),
        ("webhook-timestamp", ""),
        ("webhook-timestamp", "+1790000000"),
        ("webhook-timestamp", "-9223372036854775808"),
        ("webhook-timestamp", "1790000000.5"),
        ("webhook-timestamp", "99999999999999999999"),
        ("webhook-timestamp", " 1790000000"),
    ];
    for (name, value) in malformed {
        let mut headers = vector.headers();
        headers.insert(name, value.parse().unwrap());
        assert_eq!(verify(&headers), VerifyError::InvalidHeader(name), "{name}: {value:?}");
    }
    for name in ["webhook-id", "webhook-timestamp"] {
        let mut twice = vector.headers();
        let value = twice[name].clone();
        twice.append(name, value);
        assert_eq!(verify(&twice), VerifyError::InvalidHeader(name));
    }
}

#[test]
fn a_secret_is_taken_as_people_paste_it() {
    let secret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    for pasted in ["SECRET\n", " SECRET ", "\"SECRET\"", "'SECRET'\r\n"] {
        assert!(Verifier::new([pasted.replace("SECRET", secret)]).is_ok(), "{pasted:?}");
    }
}

#[test]
fn secrets_that_are_no_secrets_are_refused() {
    assert_eq!(Verifier::new([""; 0]).map(|_| ()), Err(SecretError::None));
    assert!(matches!(Verifier::new(["whsec_"]), Err(SecretError::TooShort { bytes: 0, .. })));
    assert!(matches!(Verifier::new(["whsec_AAAA"]), Err(SecretError::TooShort { bytes: 3, .. })));
    assert_eq!(Verifier::new(["whsec_not base64"]).map(|_| ()), Err(SecretError::NotBase64));
}

#[test]
fn a_verified_event_is_read_with_its_type() {
    let vector = vectors().into_iter().find(|vector| vector.name == "the longest secret").unwrap();
    let verifier = Verifier::new([&vector.secret]).unwrap();
    let body = vector.body();
    let verified = verifier.verify_at(&vector.headers(), &body, vector.at(0)).unwrap();
    let lacks = verified.event().expect_err("a test event without its envelope is not one");
    assert!(matches!(&lacks, EventError::MissingField { name, .. } if name == "api_version"), "{lacks}");
    assert!(!format!("{verified:?}").contains("hook.test"), "the body is not shown");
}

#[test]
fn what_is_wrong_with_an_event_is_told_without_its_content() {
    let signer = contentgen_sdk::test_util::HookSigner::new();
    let fault_of = |body: &str| {
        let hook = signer.sign_bytes("evt_1", body);
        signer.verifier().verify(&hook.headers, &hook.body).unwrap().event().unwrap_err()
    };
    let envelope = r#""id":"evt_1","timestamp":"2026-01-01T00:00:00Z","api_version":"v1""#;
    let lacks = fault_of(&format!(r#"{{{envelope},"type":"lead.captured","data":{{"lead":{{"id":"lead_1"}}}}}}"#));
    assert!(matches!(&lacks, EventError::MissingField { .. }), "{lacks}");
    let other =
        fault_of(&format!(r#"{{{envelope},"type":"lead.captured","data":{{"lead":"missing field `Robin`"}}}}"#));
    assert_eq!(other, EventError::UnexpectedShape);
    assert_eq!(fault_of("{"), EventError::NotJson);
}

#[test]
fn an_event_of_the_document_is_read() {
    let body =
        br#"{"id":"evt_1","type":"hook.test","timestamp":"2026-01-01T00:00:00.000Z","api_version":"v1","data":{}}"#;
    assert!(matches!(serde_json::from_slice(body).unwrap(), HookEvent::HookTest(_)));
}

proptest! {
    #[test]
    fn one_changed_bit_anywhere_is_noticed(position in any::<prop::sample::Index>(), bit in 0..8_u32) {
        let vector = article();
        let verifier = Verifier::new([&vector.secret]).unwrap();
        let mut body = vector.body();
        let at = position.index(body.len());
        body[at] ^= 1 << bit;
        let refused = verifier.verify_at(&vector.headers(), &body, vector.at(0)).map(|_| ());
        prop_assert_eq!(refused, Err(VerifyError::NoMatchingSignature));
    }

    #[test]
    fn no_headers_make_the_verifier_panic(id in "\\PC{0,80}", timestamp in "[-+0-9. ]{0,24}", signature in "[ v0-9,A-Za-z+/=]{0,200}") {
        let verifier = Verifier::new([article().secret]).unwrap();
        let mut map = HeaderMap::new();
        for (name, value) in [("webhook-id", id), ("webhook-timestamp", timestamp), ("webhook-signature", signature)] {
            if let Ok(value) = HeaderValue::from_bytes(value.as_bytes()) {
                map.insert(name, value);
            }
        }
        let refused = verifier.verify_at(&map, b"{}", SystemTime::UNIX_EPOCH).is_err();
        prop_assert!(refused);
    }
}
