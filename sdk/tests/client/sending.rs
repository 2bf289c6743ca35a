//! Requests on the wire.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use chrono::{TimeZone as _, Utc};
use contentgen_sdk::types::{ArticleStatus, Metadata};
use contentgen_sdk::{ConfigError, ErrorKind};
use http::header::{HeaderName, HeaderValue};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use super::document::Document;
use super::{KEY, client, quick};

/// Starts a server that answers everything with one body.
async fn answering(body: Value) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(any()).respond_with(ResponseTemplate::new(200).set_body_json(body)).mount(&server).await;
    server
}

/// Returns the only request that a server has received.
async fn only(server: &MockServer) -> Request {
    let mut requests = server.received_requests().await.expect("requests are recorded");
    assert_eq!(requests.len(), 1);
    requests.remove(0)
}

#[tokio::test]
async fn a_request_carries_the_key_and_says_who_sends_it() {
    let server = answering(json!({})).await;
    client(&server.uri()).get_article("art_1").send().await.unwrap();
    let request = only(&server).await;
    assert_eq!(request.headers["authorization"], format!("Bearer {KEY}"));
    assert!(request.headers["user-agent"].to_str().unwrap().starts_with("contentgen-sdk-rust/"));
    assert!(!request.headers.contains_key("api-version"));
    assert!(!request.headers.contains_key("idempotency-key"));
}

#[tokio::test]
async fn a_header_of_ones_own_is_sent_with_every_attempt() {
    let server = MockServer::start().await;
    Mock::given(any()).respond_with(ResponseTemplate::new(503)).mount(&server).await;
    let options = quick().max_retries(1);
    let options =
        options.header(HeaderName::from_static("traceparent"), HeaderValue::from_static("00-1-2-01")).unwrap();
    let options =
        options.header(HeaderName::from_static("prefer"), HeaderValue::from_static("handling=strict")).unwrap();
    assert!(!format!("{options:?}").contains("00-1-2-01"), "{options:?}");
    let client = client(&server.uri()).with_options(options);
    let _unavailable = client.get_job("job_1").prefer("wait=1").send().await.unwrap_err();
    let requests = server.received_requests().await.unwrap();
    assert_eq!(requests.len(), 2);
    for request in requests {
        assert!(!request.headers.contains_key("idempotency-key"));
        assert_eq!(request.headers.get_all("prefer").iter().collect::<Vec<_>>(), ["wait=1", "handling=strict"]);
        assert_eq!(request.headers["traceparent"], "00-1-2-01");
        assert_eq!(request.headers.get_all("authorization").iter().collect::<Vec<_>>(), [&format!("Bearer {KEY}")]);
    }
}

#[test]
fn what_the_client_or_the_call_sets_is_refused_as_a_header_of_every_request() {
    for name in ["authorization", "host", "idempotency-key", "content-length", "content-type", "transfer-encoding"] {
        let name = HeaderName::from_static(name);
        let refused = quick().header(name.clone(), HeaderValue::from_static("7")).unwrap_err();
        assert!(matches!(&refused, ConfigError::ReservedHeader(reserved) if *reserved == name), "{refused}");
        assert!(refused.to_string().contains(name.as_str()), "{refused}");
    }
}

#[tokio::test]
async fn only_members_that_were_set_are_sent() {
    let server = answering(json!({ "job_id": "job_1" })).await;
    client(&server.uri()).generate().topic(" a topic ").website_id("web_1").send().await.unwrap();
    let body: Value = only(&server).await.body_json().unwrap();
    assert_eq!(body, json!({ "topic": " a topic ", "website_id": "web_1" }));
}

#[tokio::test]
async fn labels_are_taken_from_any_map_and_from_pairs() {
    let server = answering(json!({ "job_id": "job_1" })).await;
    let pairs = [("campaign", "spring"), ("channel", "letter")];
    let client = client(&server.uri());
    let request = || client.generate().topic("t").website_id("w");
    request().metadata(HashMap::from(pairs)).send().await.unwrap();
    let owned = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    request().metadata(owned.clone().collect::<HashMap<_, _>>()).send().await.unwrap();
    request().metadata(owned.collect::<BTreeMap<_, _>>()).send().await.unwrap();
    request().metadata(pairs.into_iter().collect::<Metadata>()).send().await.unwrap();
    for request in server.received_requests().await.unwrap() {
        let body: Value = request.body_json().unwrap();
        assert_eq!(body["metadata"], json!({ "campaign": "spring", "channel": "letter" }));
    }
}

#[tokio::test]
async fn all_members_can_be_set_on_the_operation_itself() {
    let server = answering(json!({ "job_id": "job_1" })).await;
    let publish_at = Utc.with_ymd_and_hms(2027, 1, 2, 3, 4, 5).unwrap();
    client(&server.uri())
        .generate()
        .topic("t")
        .website_id("w")
        .language("en-GB")
        .keywords(["compost", "beds"])
        .target_word_count(800)
        .auto_publish(false)
        .publish_at(publish_at)
        .metadata([("campaign", "spring")])
        .send()
        .await
        .unwrap();
    let body: Value = only(&server).await.body_json().unwrap();
    assert_eq!(
        body,
        json!({
            "topic": "t", "website_id": "w", "language": "en-GB", "keywords": ["compost", "beds"],
            "target_word_count": 800, "auto_publish": false, "publish_at": "2027-01-02T03:04:05Z",
            "metadata": { "campaign": "spring" }
        })
    );
}

#[tokio::test]
async fn filters_are_sent_as_query_parameters() {
    let server = answering(json!({ "items": [] })).await;
    let since = Utc.with_ymd_and_hms(2026, 1, 2, 3, 4, 5).unwrap();
    client(&server.uri())
        .list_articles()
        .website_id("web & 1")
        .status(ArticleStatus::Published)
        .updated_since(since)
        .limit(7)
        .send()
        .await
        .unwrap();
    let request = only(&server).await;
    let mut query: Vec<_> = request.url.query_pairs().map(|(name, value)| format!("{name}={value}")).collect();
    query.sort();
    assert_eq!(query, ["limit=7", "status=published", "updated_since=2026-01-02T03:04:05Z", "website_id=web & 1"]);
}

#[tokio::test]
async fn an_optional_setter_takes_a_value_or_an_option_of_it() {
    let server = answering(json!({ "items": [] })).await;
    let client = client(&server.uri());
    let since = Utc.with_ymd_and_hms(2026, 1, 2, 3, 4, 5).unwrap();
    let given = client
        .list_articles()
        .website_id(Some("web_1"))
        .page_token(Some(String::from("token")))
        .limit(Some(7))
        .status(Some("published"))
        .updated_since(Some(since));
    let absent = given
        .clone()
        .website_id(None::<String>)
        .page_token(None::<&str>)
        .limit(None)
        .status(None::<ArticleStatus>)
        .updated_since(None::<std::time::SystemTime>);
    for (call, count) in [(given.clone(), 5), (absent.clone(), 0), (absent.limit(1).limit(2), 1)] {
        call.send().await.unwrap();
        let requests = server.received_requests().await.unwrap();
        assert_eq!(requests.last().unwrap().url.query_pairs().count(), count);
    }
    let order = client.generate().topic("t").website_id("w").target_word_count(Some(800)).language(Some("en"));
    let order =
        order.auto_publish(true).auto_publish(None).metadata(Some([("row", "7")])).idempotency_key(None::<String>);
    order.send().await.unwrap_err();
    let body: Value = server.received_requests().await.unwrap().last().unwrap().body_json().unwrap();
    let expected = json!({ "topic": "t", "website_id": "w", "target_word_count": 800, "language": "en", "metadata": { "row": "7" } });
    assert_eq!(body, expected);
}

/// A request owns all that it needs, so a task may outlive the client that started it.
#[tokio::test]
async fn requests_waits_and_lists_move_into_tasks() {
    let server = answering(json!({ "items": [] })).await;
    let mut tasks = JoinSet::new();
    {
        let client = client(&server.uri());
        let (list, pages, items) = (client.list_leads(), client.list_leads().pages(), client.list_websites().items());
        let (other, wait) = (client.request(http::Method::GET, "/api/v1/leads"), client.wait_for_job("job_1"));
        tasks.spawn(async move { list.send().await.is_ok() });
        tasks.spawn(async move { { pages }.next().await.is_some_and(|page| page.is_ok()) });
        tasks.spawn(async move { items.try_collect().await.is_ok() });
        tasks.spawn(async move { other.send().await.is_ok() });
        tasks.spawn(async move { wait.timeout(Duration::from_millis(1)).await.is_err() });
    }
    assert_eq!(tasks.join_all().await, [true; 5]);
}

#[tokio::test]
async fn a_request_outside_the_documents_bounds_is_refused_before_it_is_sent() {
    let server = answering(json!({ "job_id": "job_1" })).await;
    let client = client(&server.uri());
    let request = || client.generate().topic("t").website_id("w");
    let refused = [
        ("topic", client.generate().website_id("w")),
        ("topic", request().topic("   ")),
        ("topic", request().topic("x".repeat(1001))),
        ("website_id", request().website_id("")),
        ("keywords", request().keywords(vec!["k"; 11])),
        ("keywords/1", request().keywords(["k", ""])),
        ("target_word_count", request().target_word_count(5001)),
        ("metadata/k", request().metadata([("k", "v".repeat(501))])),
    ];
    for (member, request) in refused {
        let error = request.send().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidRequest, "{member}");
        assert!(error.to_string().contains(member), "{member}: {error}");
    }
    assert!(server.received_requests().await.unwrap().is_empty());
}

#[tokio::test]
async fn white_space_around_a_topic_does_not_count() {
    let server = answering(json!({ "job_id": "job_1" })).await;
    let topic = format!("  {}  ", "é".repeat(1000));
    assert!(client(&server.uri()).generate().topic(topic).website_id("w").send().await.is_ok());
}

#[tokio::test]
async fn a_path_in_the_base_url_is_kept() {
    let server = answering(json!({})).await;
    client(&format!("{}/behind/a/proxy/", server.uri())).get_article("art_1").send().await.unwrap();
    assert_eq!(only(&server).await.url.path(), "/behind/a/proxy/api/v1/articles/art_1");
}

/// Bounds of `metadata` in the document: names of 1 to 40 code points.
#[tokio::test]
async fn names_of_metadata_have_a_length() {
    let server = answering(json!({ "job_id": "job_1" })).await;
    let client = client(&server.uri());
    let labelled = |name: &str| {
        client.generate().topic("t").website_id("w").metadata([(name, "v")].into_iter().collect::<Metadata>())
    };
    let length = Document::read().component("Metadata")["x-key-length"].clone();
    let longest = "\u{e4}".repeat(usize::try_from(length["max"].as_u64().unwrap()).unwrap());
    assert_eq!(length["min"], 1);
    labelled(&longest).send().await.unwrap();
    for name in ["", &format!("{longest}x")] {
        let error = labelled(name).send().await.unwrap_err();
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidRequest, 0), "{name:?}");
        assert!(error.to_string().contains("`metadata`"), "{error}");
    }
}
