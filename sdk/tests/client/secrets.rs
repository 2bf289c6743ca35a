//! The key is sent, but never shown.

use contentgen_sdk::webhook::{HookEvent, Verifier};
use contentgen_sdk::{Client, ConfigError, types};
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
    let error = client(&server.uri()).get_job("job_1").send().await.unwrap_err();
    let shown = format!("{error} {error:?} {:?} {:?} {:?}", error.problem(), error.body_excerpt(), error.body());
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
    let error = client.get_job("job_1").send().await.unwrap_err();
    let shown = format!("{error} {error:?} {:?} {:?}", error.problem(), error.headers());
    assert!(!shown.contains(key) && shown.matches("[redacted]").count() >= 4, "{shown}");
}

#[tokio::test]
async fn a_server_that_repeats_the_key_in_a_header_shows_it_nowhere_whatever_the_status() {
    let statuses = [(200, r#"{"id":"art_1"}"#), (200, "[]"), (299, "{}"), (304, ""), (404, "{}")];
    for (status, body) in statuses {
        let server = MockServer::start().await;
        let response = ResponseTemplate::new(status).set_body_raw(body, "application/json");
        let response = response.insert_header("X-Request-Id", KEY).insert_header("X-Echo", format!("said {KEY}"));
        Mock::given(any()).respond_with(response).mount(&server).await;
        let shown = match client(&server.uri()).get_article("art_1").send().await {
            Ok(article) => format!("{article:?} {:?} {:?}", article.headers(), article.request_id()),
            Err(error) => format!("{error} {error:?} {:?} {:?}", error.headers(), error.request_id()),
        };
        assert!(!shown.contains(KEY) && shown.matches("[redacted]").count() >= 3, "{status}: {shown}");
    }
}

/// The key is for the API only. The lead form is not a part of it.
#[tokio::test]
async fn the_lead_form_never_gets_the_key_and_every_other_operation_does() {
    let server = MockServer::start().await;
    Mock::given(any()).respond_with(ResponseTemplate::new(503)).mount(&server).await;
    let client = client(&server.uri());
    client.capture_lead("web_1").email("reader@example.com").send().await.unwrap_err();
    client.get_job("job_1").send().await.unwrap_err();
    let requests = server.received_requests().await.unwrap();
    let is_form = |request: &&wiremock::Request| request.url.path().starts_with("/capture/");
    assert_eq!(requests.iter().filter(is_form).count(), 1, "a form is not sent twice");
    for request in &requests {
        let carries_key = request.headers.values().any(|value| value.to_str().is_ok_and(|text| text.contains(KEY)));
        assert_eq!(carries_key, !is_form(&request), "{}", request.url);
    }
}

#[tokio::test]
async fn what_a_lead_form_is_filled_with_is_not_shown() {
    let client = client("http://127.0.0.1:1");
    let call = client.capture_lead("web_1").email("TOLD").name("TOLD").message("TOLD");
    let source = types::LeadCaptureSource::new().page_url("https://TOLD.example");
    let lead = types::LeadCapture::new().email("TOLD").source(source.clone());
    let shown = format!("{call:?} {call:#?} {source:?} {lead:?}");
    assert!(!shown.contains("TOLD") && shown.contains("web_1"), "{shown}");
}

#[test]
fn an_event_of_an_unknown_kind_shows_its_kind_only() {
    let event: HookEvent =
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
        "captured_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z"
    });
    let lead: types::Lead = serde_json::from_value(lead).unwrap();
    let shown = format!("{lead:?} {:?}", lead.fields);
    assert!(shown.contains("lead_1"), "{shown}");
    for personal in ["ada@", "Ada", "call", "Paris"] {
        assert!(!shown.contains(personal), "{shown}");
    }
}

/// Formats a value as each of the types that it can be read as.
macro_rules! shown_as {
    ($value:expr, $($name:ident),+) => {
        [$(format!("{0:?} {0:#?}", serde_json::from_value::<types::$name>($value.clone()).unwrap())),+]
    };
}

#[test]
fn what_a_lead_has_told_is_not_shown_wherever_it_stands() {
    let source = json!({ "page_url": "https://example.com/?for=TOLD", "referrer": "https://TOLD.example", "form_id": "footer",
        "utm": { "TOLD": "TOLD" }, "network": "TOLD" });
    let consent = json!({ "given": true, "text": "TOLD", "at": "2026-01-01T00:00:00Z", "address": "TOLD" });
    let lead = json!({ "id": "lead_1", "website_id": "web_1", "email": "TOLD", "name": "TOLD", "company": "TOLD", "phone": "TOLD",
        "message": "TOLD", "fields": { "TOLD": "TOLD" }, "source": source, "consent": consent, "birthday": "TOLD",
        "captured_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z" });
    // The link lets its owner act for the person.
    let data = json!({ "lead": lead, "confirmation_url": "https://TOLD.example", "visitor": { "name": "TOLD" } });
    let event = json!({ "type": "lead.captured", "id": "evt_1", "timestamp": "2026-01-01T00:00:00Z", "api_version": "v1",
        "data": data, "visitor": "TOLD" });
    let mut confirmed = event.clone();
    confirmed["type"] = json!("lead.confirmed");
    let test = json!({ "type": "hook.test", "id": "evt_1", "timestamp": "2026-01-01T00:00:00Z", "api_version": "v1",
        "data": { "visitor": "TOLD" } });
    let page = json!({ "items": [lead], "visitor": "TOLD" });
    let of_a_lead = shown_as!(lead, Lead);
    let of_an_event = shown_as!(event, LeadCapturedEvent, HookEvent);
    let of_a_test = shown_as!(test, HookTestEvent, HookEvent);
    let parts = [
        shown_as!(source, LeadSource).to_vec(),
        shown_as!(source["utm"], CampaignTags, LeadFields).to_vec(),
        shown_as!(consent, LeadConsent).to_vec(),
        shown_as!(data, LeadCapturedData).to_vec(),
        shown_as!(test["data"], HookTestData).to_vec(),
        shown_as!(page, LeadPage).to_vec(),
        of_a_lead.to_vec(),
        of_an_event.to_vec(),
        shown_as!(confirmed, LeadConfirmedEvent, HookEvent).to_vec(),
        of_a_test.to_vec(),
    ];
    for shown in parts.iter().flatten() {
        assert!(!shown.contains("TOLD"), "{shown}");
    }
    // Data that helps to find the event is shown.
    assert!(of_an_event.iter().all(|shown| shown.contains("evt_1")), "{of_an_event:?}");
    for word in ["lead_1", "web_1", "footer", "given: true", "2026-01-01", "birthday", "network"] {
        assert!(of_a_lead[0].contains(word), "{word} in {}", of_a_lead[0]);
    }
}
