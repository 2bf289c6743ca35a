//! The key is sent, and shown nowhere.

use contentgen_sdk::webhook::{Event, Verifier};
use contentgen_sdk::{Client, ConfigError};
use serde_json::json;
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::{KEY, client};

#[test]
fn no_debug_output_has_the_key_in_it() {
    let builder = Client::builder().base_url("http://127.0.0.1:1").api_key(KEY);
    assert!(!format!("{builder:?}").contains(KEY));
    let client = builder.build().unwrap();
    let shown = format!("{client:?} {client:#?} {:?} {:?}", client.generate().topic("t"), client.list_leads());
    assert!(!shown.contains(KEY) && shown.contains("[redacted]"), "{shown}");
}

#[test]
fn no_configuration_error_has_the_key_in_it() {
    let error = Client::builder().base_url("http://127.0.0.1:1").api_key(format!("{KEY} {KEY}")).build().unwrap_err();
    assert!(matches!(error, ConfigError::InvalidKey));
    assert!(!format!("{error} {error:?}").contains(KEY));
}

#[tokio::test]
async fn a_server_that_repeats_the_key_does_not_bring_it_into_an_error() {
    let server = MockServer::start().await;
    let problem = json!({ "code": "invalid_credentials", "detail": format!("unknown key {KEY}") });
    Mock::given(any()).respond_with(ResponseTemplate::new(401).set_body_json(problem)).mount(&server).await;
    let error = client(&server.uri()).get_job().job_id("job_1").send().await.unwrap_err();
    let shown = format!("{error} {error:?} {:?} {:?}", error.problem(), error.body_excerpt());
    assert!(!shown.contains(KEY) && shown.contains("[redacted]"), "{shown}");
}

#[tokio::test]
async fn a_server_cannot_hide_the_key_in_escapes_or_headers() {
    let key = "live/with+signs";
    let escaped = r#"{"code":"invalid_credentials","detail":"live\/with\u002bsigns","live\/with\u002bsigns":1}"#;
    let server = MockServer::start().await;
    let answer = ResponseTemplate::new(401).set_body_raw(escaped, "application/json");
    Mock::given(any()).respond_with(answer.insert_header("X-Echo", format!("you said {key}"))).mount(&server).await;
    let client = Client::builder().base_url(server.uri()).api_key(key).build().unwrap();
    let error = client.get_job().job_id("job_1").send().await.unwrap_err();
    let shown = format!("{error} {error:?} {:?} {:?}", error.problem(), error.headers());
    assert!(!shown.contains(key) && shown.matches("[redacted]").count() >= 4, "{shown}");
}

#[test]
fn an_event_of_an_unknown_kind_shows_its_kind_only() {
    let event: Event =
        serde_json::from_value(json!({ "type": "lead.updated", "data": { "email": "ada@example.com" } })).unwrap();
    assert_eq!(format!("{event:?}"), r#"Unknown("lead.updated")"#);
}

#[test]
fn no_hook_secret_is_shown() {
    let secret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    let shown = format!("{:?}", Verifier::new([secret]).unwrap());
    assert!(!shown.contains("C2FV") && shown.contains("[redacted]"), "{shown}");
}

#[test]
fn what_a_lead_has_told_is_not_shown() {
    let lead = json!({
        "id": "lead_1", "website_id": "web_1", "email": "ada@example.com", "name": "Ada", "message": "call me",
        "fields": { "city": "Paris" }, "source": { "utm": {} }, "consent": { "given": true },
        "captured_at": "2026-01-01T00:00:00Z"
    });
    let lead: contentgen_sdk::types::Lead = serde_json::from_value(lead).unwrap();
    let shown = format!("{lead:?} {:?}", lead.fields);
    assert!(shown.contains("lead_1"), "{shown}");
    for personal in ["ada@", "Ada", "call", "Paris"] {
        assert!(!shown.contains(personal), "{shown}");
    }
}
