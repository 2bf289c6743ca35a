//! Configuration of a client: accepted settings, and errors with advice.

use contentgen_sdk::{Client, ConfigError, Error, ErrorKind, RequestOptions};
use http::header::{HeaderName, HeaderValue};
use serde_json::json;
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::{KEY, quick};

/// Returns the message for a base URL that is refused.
fn refusal(url: &str) -> String {
    match Client::builder().base_url(url).api_key(KEY).build() {
        Err(error @ ConfigError::InvalidBaseUrl(_)) => error.to_string(),
        other => panic!("{url:?} gave {other:?}"),
    }
}

#[test]
fn a_base_url_that_cannot_be_used_is_refused_with_the_reason() {
    assert!(refusal("example.com").contains("https://host"));
    assert!(refusal("ftp://example.com").contains("scheme"));
    assert!(refusal("https://key@example.com").contains("credentials"));
    assert!(refusal("https://example.com/?a=b").contains("query"));
}

/// Anyone on the way could read the key.
#[test]
fn plain_http_is_for_this_machine_only_unless_it_is_allowed() {
    for url in ["http://content.example", "http://10.0.0.1:8080", "http://localhost.example", "http://[::2]"] {
        let refused = Client::builder().base_url(url).api_key(KEY).build().unwrap_err();
        assert!(matches!(refused, ConfigError::PlainHttp), "{url}: {refused:?}");
        assert!(refused.to_string().contains("`ClientBuilder::allow_plain_http`"), "{refused}");
        assert!(!refused.to_string().contains("--"), "the SDK does not name options of a program: {refused}");
        let client = Client::builder().base_url(url).allow_plain_http().api_key(KEY).build();
        assert_eq!(client.unwrap().base_url(), url);
    }
    for url in ["http://localhost:8080", "http://127.0.0.2", "http://[::1]:8080", "http://api.localhost"] {
        assert!(Client::builder().base_url(url).api_key(KEY).build().is_ok(), "{url}");
    }
}

#[tokio::test]
async fn a_base_url_and_a_key_are_taken_as_people_paste_them() {
    let server = MockServer::start().await;
    Mock::given(any()).respond_with(ResponseTemplate::new(404)).mount(&server).await;
    let url = server.uri();
    for pasted in [
        "URL",
        " URL\n",
        "URL/",
        "URL//",
        "\"URL/\"",
        "'URL' ",
        "`URL`",
        "URL/api/v1",
        "URL/api/v1/\r\n",
        "\u{feff}URL",
    ] {
        let client = Client::builder().base_url(pasted.replace("URL", &url)).api_key(KEY).build().unwrap();
        assert_eq!(client.base_url(), url, "{pasted:?}");
    }
    for pasted in ["KEY\n", "\u{a0}KEY ", "\"KEY\"", "'KEY'\r\n", "Bearer KEY", "\"Bearer KEY\""] {
        let client = Client::builder().base_url(&url).api_key(pasted.replace("KEY", KEY)).build().unwrap();
        client.get_job("job_1").send().await.unwrap_err();
        let requests = server.received_requests().await.unwrap();
        assert_eq!(requests.last().unwrap().headers["authorization"], format!("Bearer {KEY}"), "{pasted:?}");
    }
    assert!(matches!(Client::builder().base_url(&url).api_key("\" \"\n").build(), Err(ConfigError::MissingKey)));
}

#[test]
fn what_is_missing_is_named_with_the_variable_that_holds_it() {
    let error = Client::builder().api_key(KEY).build().unwrap_err();
    assert!(matches!(error, ConfigError::MissingBaseUrl) && error.to_string().contains("CONTENTGEN_BASE_URL"));
    let error = Client::builder().base_url("http://127.0.0.1:1").build().unwrap_err();
    assert!(matches!(error, ConfigError::MissingKey) && error.to_string().contains("CONTENTGEN_API_KEY"));
    assert_eq!(format!("{error:?}"), error.to_string(), "`main` prints the message of an error that it returns");
}

/// A client without a key sends operations that need none, and refuses the others.
#[tokio::test]
async fn without_a_key_only_operations_that_need_none_are_sent() {
    let server = MockServer::start().await;
    let accepted = ResponseTemplate::new(202).set_body_json(json!({ "accepted": true }));
    Mock::given(any()).respond_with(accepted).mount(&server).await;
    let builder = Client::builder().base_url(server.uri());
    let client = builder.clone().api_key(KEY).without_key().build().unwrap();
    assert!(client.capture_lead("web_1").email("reader@example.com").send().await.unwrap().accepted);
    let error = client.get_job("job_1").send().await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Config, 0));
    assert!(error.to_string().contains("CONTENTGEN_API_KEY"), "{error}");
    client.request(http::Method::GET, "/own").send().await.unwrap();
    let requests = server.received_requests().await.unwrap();
    assert_eq!(requests.len(), 2);
    assert!(requests.iter().all(|request| !request.headers.contains_key("authorization")));
    assert!(builder.without_key().api_key(KEY).build().unwrap().get_job("job_1").send().await.is_err());
    assert!(server.received_requests().await.unwrap()[2].headers.contains_key("authorization"));
}

#[test]
fn a_configuration_error_becomes_the_one_error_type() {
    let error = Error::from(Client::builder().build().unwrap_err());
    assert_eq!(error.kind(), ErrorKind::Config);
    assert!(!error.is_retryable());
}

#[test]
#[cfg(any(feature = "rustls", feature = "native-tls"))]
fn https_needs_no_set_up_by_the_application() {
    // A machine without certificates gets an error. A panic about a missing provider would be a bug.
    match Client::builder().base_url("https://127.0.0.1:1").api_key(KEY).build() {
        Ok(_) | Err(ConfigError::Transport(_)) => {}
        Err(other) => panic!("{other}"),
    }
}

/// Options are merged header by header, and no option that is left out is reset.
#[tokio::test]
async fn options_that_are_not_set_stay_as_the_client_has_them() {
    let server = MockServer::start().await;
    Mock::given(any()).respond_with(ResponseTemplate::new(503)).mount(&server).await;
    let header = |options: RequestOptions, name, value| {
        options.header(HeaderName::from_static(name), HeaderValue::from_static(value)).unwrap()
    };
    let tenant = header(header(RequestOptions::default(), "x-tenant", "a"), "x-trace", "1");
    let builder = Client::builder().base_url(server.uri()).api_key(KEY).options(tenant.max_body_bytes(999));
    let client = builder.options(quick().max_retries(2)).build().unwrap();
    let once = client.with_options(header(RequestOptions::default().max_retries(0), "x-trace", "2"));
    assert_eq!((client.options().max_retries, client.options().max_body_bytes), (2, 999));
    assert_eq!((once.options().max_retries, once.options().max_body_bytes), (0, 999));
    assert_eq!(once.options().first_delay, client.options().first_delay);
    for (client, attempts, trace) in [(&once, 1, "2"), (&client, 3, "1")] {
        assert_eq!(client.get_job("job_1").send().await.unwrap_err().attempts(), attempts);
        let requests = server.received_requests().await.unwrap();
        assert_eq!(requests.len(), attempts as usize);
        for request in requests {
            assert_eq!(request.headers.get_all("x-trace").iter().collect::<Vec<_>>(), [trace]);
            assert_eq!(request.headers["x-tenant"], "a");
        }
        server.reset().await;
        Mock::given(any()).respond_with(ResponseTemplate::new(503)).mount(&server).await;
    }
}
