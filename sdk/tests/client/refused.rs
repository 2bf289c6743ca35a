//! Requests that are refused before they are sent: all their problems, each with its place.

use contentgen_sdk::types::{FieldErrorCode, GenerateRequest, LeadCaptureConsent, LeadCaptureSource};
use contentgen_sdk::{Error, ErrorKind};
use proptest::prelude::*;
use wiremock::MockServer;

use super::client;

/// Returns the places of an error, with the code of each.
fn places(error: &Error) -> Vec<(String, FieldErrorCode)> {
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidRequest, 0), "{error}");
    let place = |fault: &contentgen_sdk::types::FieldError| {
        let places = [fault.pointer.as_ref(), fault.parameter.as_ref(), fault.header.as_ref()];
        let places: Vec<_> = places.into_iter().flatten().collect();
        assert_eq!(places.len(), 1, "{fault:?}");
        assert!(error.to_string().contains(&fault.detail), "{error}");
        (places[0].clone(), fault.code.clone())
    };
    error.field_errors().iter().map(place).collect()
}

#[tokio::test]
async fn everything_that_is_wrong_is_told_at_once() {
    let server = MockServer::start().await;
    let client = client(&server.uri());
    let order = client.generate().topic(" ").target_word_count(7).keywords(["ok", ""]);
    let order = order.metadata([("a/b~", "x".repeat(501)), ("", "y".to_owned())]).idempotency_key("a,b");
    let found = places(&order.send().await.unwrap_err());
    let expected = [
        ("Idempotency-Key", FieldErrorCode::InvalidFormat),
        ("#/website_id", FieldErrorCode::Required),
        ("#/keywords/1", FieldErrorCode::TooShort),
        ("#/metadata", FieldErrorCode::TooShort),
        ("#/metadata/a~1b~0", FieldErrorCode::TooLong),
        ("#/target_word_count", FieldErrorCode::OutOfRange),
        ("#/topic", FieldErrorCode::TooShort),
    ];
    let mut found: Vec<_> = found.iter().map(|(place, code)| (place.as_str(), code.clone())).collect();
    found.sort_by_key(|(place, _)| !expected.iter().any(|(wanted, _)| wanted == place));
    for one in &expected {
        assert!(found.contains(one), "{one:?} is not in {found:?}");
    }
    assert_eq!(found.len(), expected.len(), "{found:?}");

    let look = client.get_job("..").if_none_match("a\nb").prefer("c\nd").send().await.unwrap_err();
    let found: Vec<_> = places(&look).into_iter().map(|(place, _)| place).collect();
    assert_eq!(found, ["job_id", "If-None-Match", "Prefer"]);

    let source = LeadCaptureSource::new().page_url("x".repeat(2049));
    let form = client.capture_lead(".").source(source).consent(LeadCaptureConsent::new()).email("a");
    let mut found: Vec<_> = places(&form.send().await.unwrap_err()).into_iter().map(|(place, _)| place).collect();
    found.sort_unstable();
    assert_eq!(found, ["#/consent/given", "#/email", "#/source/page_url", "website_id"]);
    assert!(server.received_requests().await.unwrap().is_empty());
}

/// A header that is set again has only the fault of its last value.
#[tokio::test]
async fn a_value_that_is_replaced_is_not_a_fault() {
    let server = MockServer::start().await;
    let client = client(&server.uri());
    let call = client.get_job("job_1").prefer("a\nb").prefer("c\nd");
    assert_eq!(places(&call.clone().send().await.unwrap_err()).len(), 1);
    assert_eq!(call.prefer("wait=1").send().await.unwrap_err().kind(), ErrorKind::Api);
}

proptest! {
    #[test]
    fn each_fault_is_found_whatever_else_is_wrong(topic: bool, words: bool, keywords in 0..12_usize) {
        let mut request = GenerateRequest::new();
        let mut expected = Vec::new();
        if keywords > 10 {
            expected.push("#/keywords");
        }
        request = request.keywords(vec!["k"; keywords]);
        if !words {
            expected.push("#/target_word_count");
        }
        request = request.target_word_count(if words { 200_u32 } else { 199 });
        if topic {
            request = request.topic("t");
        } else {
            expected.push("#/topic");
        }
        expected.push("#/website_id");
        let refused = request.check().unwrap_err();
        let mut found: Vec<_> = refused.field_errors().iter().filter_map(|fault| fault.pointer.as_deref()).collect();
        found.sort_unstable();
        prop_assert_eq!(found, expected);
    }
}
