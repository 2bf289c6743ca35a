//! Content of errors from different causes.

use std::error::Error as _;

use contentgen_sdk::types::ProblemCode;
use contentgen_sdk::{Client, ErrorKind};
use serde_json::json;
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::scripted::{Act, serve};
use super::unused_address::UnusedAddress;
use super::{client, quick};

/// Returns the error that a response becomes.
async fn error_of(answer: ResponseTemplate) -> contentgen_sdk::Error {
    let server = MockServer::start().await;
    Mock::given(any()).respond_with(answer).mount(&server).await;
    let client = client(&server.uri()).with_options(quick().max_retries(0));
    client.get_job("job_1").send().await.expect_err("the response is no success")
}

#[tokio::test]
async fn a_problem_tells_its_code_its_members_and_its_request() {
    let problem = json!({
        "type": "urn:problem-type:content-generation:validation_failed", "title": "Validation failed", "status": 422,
        "detail": "two members are wrong", "code": "validation_failed", "request_id": "req_body", "hint": 7,
        "errors": [{ "detail": "too long", "code": "too_long", "pointer": "#/topic" }]
    });
    let answer = ResponseTemplate::new(422)
        .insert_header("X-Request-Id", "req_1")
        .set_body_raw(problem.to_string(), "application/problem+json");
    let error = error_of(answer).await;
    assert_eq!((error.kind(), error.status().unwrap().as_u16()), (ErrorKind::Api, 422));
    assert_eq!((error.code(), error.request_id()), (Some("validation_failed"), Some("req_1")));
    let problem = error.problem().expect("the body is a problem");
    assert_eq!(problem.errors[0].pointer.as_deref(), Some("#/topic"));
    assert_eq!(problem.extra["hint"], 7);
    let text = "get_job: the server answered 422 validation_failed: two members are wrong (#/topic: too long)";
    assert_eq!(error.to_string(), text);
}

/// The document limits the server's list, but a client reads a longer list too.
#[tokio::test]
async fn a_problem_that_lists_more_than_the_document_allows_is_read_whole() {
    let entry = |index| json!({ "detail": "too short", "code": "too_short", "pointer": format!("#/keywords/{index}") });
    let problem = json!({ "code": "validation_failed", "errors": (0..250).map(entry).collect::<Vec<_>>() });
    let error = error_of(ResponseTemplate::new(422).set_body_json(problem)).await;
    assert_eq!(error.code(), Some("validation_failed"));
    let errors = &error.problem().expect("the body is a problem").errors;
    assert_eq!((errors.len(), errors[249].pointer.as_deref()), (250, Some("#/keywords/249")));
}

#[tokio::test]
async fn a_kind_has_words_that_say_nothing_of_the_call() {
    let problem = json!({ "detail": "the lead ada@example.com", "code": "invalid_credentials" });
    let error = error_of(ResponseTemplate::new(401).set_body_json(problem)).await;
    assert_eq!(error.kind().to_string(), "refused by the server");
    let error = error_of(ResponseTemplate::new(200).set_body_string("<html>")).await;
    assert_eq!(error.kind().to_string(), "the response cannot be read");
}

#[tokio::test]
async fn what_is_refused_before_it_is_sent_names_its_operation() {
    let client = client("http://127.0.0.1:1");
    let error = client.generate().topic("").website_id("web_1").send().await.unwrap_err();
    assert_eq!((error.kind(), error.operation(), error.attempts()), (ErrorKind::InvalidRequest, Some("generate"), 0));
    let error = client.get_job("..").send().await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::InvalidRequest, Some("get_job")), "{error}");
}

#[tokio::test]
async fn what_a_server_writes_stays_on_one_line_and_short() {
    let code = format!("x\n2026-01-01 INFO all is well {}", "y".repeat(10_000));
    let error = error_of(ResponseTemplate::new(400).set_body_json(json!({ "code": code, "detail": code }))).await;
    let text = error.to_string();
    assert!(!text.contains('\n') && text.len() < 1000, "{text}");
    let error = error_of(ResponseTemplate::new(503).set_body_string(" ".repeat(1_000_000))).await;
    assert_eq!(error.body_excerpt(), Some(""));
}

#[tokio::test]
async fn what_a_problem_says_twice_is_told_once() {
    let problem = json!({
        "detail": "There is no such website.", "code": "website_not_found",
        "errors": [
            { "detail": "there is no such website", "code": "not_found", "pointer": "#/website_id" },
            { "detail": "Ask for another.", "code": "other" }
        ]
    });
    let error = error_of(ResponseTemplate::new(422).set_body_json(problem)).await;
    let text =
        "get_job: the server answered 422 website_not_found: There is no such website (#/website_id; Ask for another)";
    assert_eq!(error.to_string(), text);
}

#[tokio::test]
async fn the_request_id_of_the_body_serves_where_the_header_is_missing() {
    let answer = ResponseTemplate::new(404).set_body_json(json!({ "request_id": "req_2" }));
    assert_eq!(error_of(answer).await.request_id(), Some("req_2"));
}

#[tokio::test]
async fn a_proxys_page_keeps_status_headers_and_its_beginning() {
    let page = "<html>\n<h1>502 Bad Gateway</h1>\u{7}</html>";
    let answer = ResponseTemplate::new(502).insert_header("Via", "proxy").set_body_raw(page, "text/html");
    let error = error_of(answer).await;
    assert_eq!(error.status().unwrap().as_u16(), 502);
    assert_eq!(error.headers()["via"], "proxy");
    assert_eq!(error.body_excerpt(), Some("<html> <h1>502 Bad Gateway</h1> </html>"));
    assert!(error.problem().is_none() && error.code().is_none() && error.is_retryable());
}

#[tokio::test]
async fn a_problem_with_members_of_other_types_is_still_one() {
    let answer =
        ResponseTemplate::new(500).set_body_json(json!({ "status": "500", "code": "internal_error", "errors": {} }));
    let error = error_of(answer).await;
    assert_eq!(error.code(), Some("internal_error"));
    assert_eq!(error.problem().unwrap().status, None);
}

#[tokio::test]
async fn a_code_that_is_not_known_is_kept() {
    let answer = ResponseTemplate::new(400).set_body_json(json!({ "code": "something_new" }));
    let error = error_of(answer).await;
    assert_eq!(error.code(), Some("something_new"));
    assert!(matches!(error.problem_code(), Some(ProblemCode::Unknown(code)) if code.as_str() == "something_new"));
    let error = error_of(ResponseTemplate::new(404).set_body_json(json!({ "code": "job_not_found" }))).await;
    assert_eq!(error.problem_code(), Some(&ProblemCode::JobNotFound));
    assert_eq!(error_of(ResponseTemplate::new(404)).await.problem_code(), None);
}

#[tokio::test]
async fn an_unchanged_resource_is_told_apart() {
    let error = error_of(ResponseTemplate::new(304)).await;
    assert_eq!((error.kind(), error.is_retryable()), (ErrorKind::NotModified, false));
}

#[tokio::test]
async fn a_success_that_cannot_be_read_tells_where_and_not_what() {
    let answer = ResponseTemplate::new(200)
        .insert_header("X-Request-Id", "req_3")
        .set_body_json(json!({ "job_id": "job_1", "attempts": "ada@example.com" }));
    let error = error_of(answer).await;
    assert_eq!((error.kind(), error.request_id()), (ErrorKind::UnexpectedResponse, Some("req_3")));
    assert!(!format!("{error} {error:?} {:?}", error.source()).contains("ada@"), "{error:?}");
}

#[tokio::test]
async fn a_success_that_the_operation_does_not_know_is_an_error() {
    let error = error_of(ResponseTemplate::new(204)).await;
    assert_eq!((error.kind(), error.status().unwrap().as_u16()), (ErrorKind::UnexpectedResponse, 204));
}

#[tokio::test]
async fn an_answer_longer_than_allowed_is_not_read() {
    let server = MockServer::start().await;
    let body = json!({ "title": "x".repeat(2000) });
    Mock::given(any()).respond_with(ResponseTemplate::new(200).set_body_json(body)).mount(&server).await;
    let options = quick().max_body_bytes(1000);
    let error = client(&server.uri()).with_options(options).get_article("art_1").send().await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::TooLarge, 1));
}

#[tokio::test]
async fn an_answer_without_a_length_is_not_read_for_ever() {
    let endless = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n400\r\n";
    let chunk = "x".repeat(0x400) + "\r\n400\r\n" + &"x".repeat(0x400) + "\r\n";
    let text: &'static str = Box::leak((endless.to_owned() + &chunk).into_boxed_str());
    let (url, _requests) = serve(vec![Act::Hang(text)]);
    let options = quick().max_body_bytes(1500);
    let error = client(&url).with_options(options).get_article("art_1").send().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooLarge);
}

#[tokio::test]
async fn an_error_body_of_another_form_is_kept_as_an_excerpt() {
    let error = error_of(ResponseTemplate::new(400).set_body_json(json!({ "error": "no such thing" }))).await;
    assert_eq!(error.body_excerpt(), Some(r#"{"error":"no such thing"}"#));
    assert!(error.problem().is_none());
}

#[tokio::test]
async fn the_body_of_an_error_is_kept_with_fields_that_no_problem_has() {
    let problem = json!({ "code": "job_not_found", "balance": 30, "errors": [{ "pointer": "#/a" }] });
    let error = error_of(ResponseTemplate::new(404).set_body_json(&problem)).await;
    assert_eq!(serde_json::from_str::<serde_json::Value>(error.body().unwrap()).unwrap(), problem);
    let page = format!("<h1>Busy!</h1>\n{}", "é".repeat(40_000));
    let error = error_of(ResponseTemplate::new(503).set_body_string(&page)).await;
    let body = error.body().unwrap();
    assert!(page.starts_with(body) && body.len() == 65_536 - 1, "{} bytes", body.len());
    assert_eq!(error_of(ResponseTemplate::new(404)).await.body(), None);
}

#[tokio::test]
async fn a_key_that_is_quoted_with_escapes_is_masked_in_an_excerpt() {
    let server = MockServer::start().await;
    let body = r#"{"error":"bad key live\/4f9z\u0053ecret"}"#;
    let answer = ResponseTemplate::new(401).set_body_raw(body, "application/json");
    Mock::given(any()).respond_with(answer).mount(&server).await;
    let client = Client::builder().base_url(server.uri()).api_key("live/4f9zSecret").build().unwrap();
    let error = client.get_job("job_1").send().await.unwrap_err();
    let excerpt = error.body_excerpt().unwrap();
    assert!(excerpt.contains("bad key") && !excerpt.contains("4f9z"), "{excerpt}");
    assert_eq!(error.body(), Some(r#"{"error":"bad key [redacted]"}"#));
}

/// The response is complete, as far as HTTP says.
#[tokio::test]
async fn a_success_with_an_empty_or_cut_body_cannot_be_read() {
    for body in ["", r#"{"job_id": "job_"#] {
        let error = error_of(ResponseTemplate::new(200).set_body_string(body)).await;
        assert_eq!((error.kind(), error.is_retryable()), (ErrorKind::UnexpectedResponse, false), "{error:?}");
    }
}

#[tokio::test]
async fn the_cause_is_told_once() {
    let unused = UnusedAddress::reserve();
    let error = client(&unused.url).with_options(quick().max_retries(0)).get_job("job_1").send().await.unwrap_err();
    let mut cause = error.source().expect("the HTTP client has an error");
    while let Some(below) = cause.source() {
        cause = below;
    }
    let cause = cause.to_string();
    assert_eq!(error.to_string(), "get_job: no connection to the server");
    assert_eq!(format!("{error:#}"), format!("get_job: no connection to the server: {cause}"));
    assert!(format!("{error:?}").contains(&cause), "`main` prints this form: {error:?}");
    let error = contentgen_sdk::Error::from(Client::builder().build().unwrap_err());
    assert!(error.source().is_none() && error.to_string().contains("no base URL"), "{error}");
}

/// The example of RFC 9457, section 3.
#[tokio::test]
async fn a_field_error_without_a_code_hides_nothing() {
    let problem = json!({
        "type": "https://example.net/validation-error", "title": "Your request is not valid.",
        "errors": [
            { "detail": "must be a positive integer", "pointer": "#/age" },
            { "detail": 7, "code": "too_long", "pointer": "#/profile/color" },
            "text"
        ]
    });
    let error = error_of(ResponseTemplate::new(422).set_body_json(problem)).await;
    let errors = error.field_errors().iter();
    let errors: Vec<_> =
        errors.map(|fault| (fault.pointer.as_deref().unwrap(), fault.code.as_str(), fault.detail.as_str())).collect();
    assert_eq!(errors, [("#/age", "", "must be a positive integer"), ("#/profile/color", "too_long", "")]);
    assert!(error.to_string().contains("(#/age: must be a positive integer; #/profile/color)"), "{error}");
}

/// A loop over the list shows faults of the body, of the query and of the headers alike.
#[tokio::test]
async fn every_fault_of_a_request_is_told_with_its_place() {
    let server = MockServer::start().await;
    let problem = json!({
        "code": "validation_failed", "status": 422, "errors": [
            { "detail": "is too long", "code": "too_long", "pointer": "#/topic" },
            { "detail": "is no number", "code": "invalid_type", "parameter": "limit" },
            { "detail": "is malformed", "code": "invalid_format", "header": "Prefer" },
        ]
    });
    let response = ResponseTemplate::new(422).set_body_json(problem);
    Mock::given(any()).respond_with(response).mount(&server).await;
    let error = client(&server.uri()).generate().topic("t").website_id("w").send().await.unwrap_err();
    let faults = error.field_errors().iter().map(|fault| {
        let place = fault.pointer.as_ref().or(fault.parameter.as_ref()).or(fault.header.as_ref());
        (place.map_or("", String::as_str), fault.code.as_str(), fault.detail.as_str())
    });
    let expected = [
        ("#/topic", "too_long", "is too long"),
        ("limit", "invalid_type", "is no number"),
        ("Prefer", "invalid_format", "is malformed"),
    ];
    assert_eq!(faults.collect::<Vec<_>>(), expected);
}
