//! Ids from outside cannot direct a call, with its key, to another path.

use contentgen_sdk::ErrorKind;
use proptest::prelude::*;
use serde_json::json;
use wiremock::matchers::method;
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::client;

#[tokio::test]
async fn ids_that_a_url_would_resolve_away_are_refused() {
    let server = MockServer::start().await;
    let client = client(&server.uri());
    for id in ["", ".", ".."] {
        let errors = [
            client.get_article(id).send().await.unwrap_err(),
            client.get_job(id).send().await.unwrap_err(),
            client.cancel_job(id).send().await.unwrap_err(),
            client.get_lead(id).send().await.unwrap_err(),
            client.get_scheduled_post(id).send().await.unwrap_err(),
            client.wait_for_job(id).await.unwrap_err(),
        ];
        for error in errors {
            assert_eq!(error.kind(), ErrorKind::InvalidRequest, "{id:?}");
        }
    }
    assert!(server.received_requests().await.unwrap().is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_other_id_stays_one_segment_and_arrives_as_it_is(id in any_id()) {
        prop_assume!(!matches!(id.as_str(), "" | "." | ".."));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let url = runtime.block_on(async {
            let server = MockServer::start().await;
            Mock::given(method("GET")).respond_with(ResponseTemplate::new(200).set_body_json(json!({}))).mount(&server).await;
            client(&server.uri()).get_article(id.clone()).send().await.unwrap();
            server.received_requests().await.unwrap().remove(0).url
        });
        let segments: Vec<_> = url.path_segments().unwrap().collect();
        prop_assert_eq!(segments.len(), 4);
        prop_assert_eq!(decoded(segments[3]), id);
        prop_assert!(url.query().is_none() && url.fragment().is_none());
    }
}

/// Ids of all kinds, with a higher share of dangerous ones.
fn any_id() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        prop::collection::vec(
            prop_oneof![
                Just(".."),
                Just("."),
                Just("/"),
                Just("\\"),
                Just("%2e"),
                Just("?"),
                Just("#"),
                Just("\t"),
                Just("a")
            ],
            0..6
        )
        .prop_map(|parts| parts.concat()),
    ]
}

/// Decodes a segment.
fn decoded(segment: &str) -> String {
    let bytes = segment.as_bytes();
    let mut text = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'%' {
            text.push(u8::from_str_radix(&segment[at + 1..at + 3], 16).expect("two digits follow a percent sign"));
            at += 3;
        } else {
            text.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8(text).expect("the id was text")
}
