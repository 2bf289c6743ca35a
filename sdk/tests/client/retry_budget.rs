//! The retry budget that all calls of a client share. It keeps clients from sending four times as many requests to a server that is down.

use contentgen_sdk::Client;
use serde_json::json;
use wiremock::matchers::path;
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::{KEY, client, quick};

/// Number of calls: more than the budget allows, at three retries per call.
const CALLS: usize = 60;

async fn requests(server: &MockServer) -> usize {
    server.received_requests().await.expect("requests are recorded").len()
}

#[tokio::test]
async fn a_server_that_is_down_uses_the_budget_up() {
    let server = MockServer::start().await;
    Mock::given(path("/api/v1/jobs/down")).respond_with(ResponseTemplate::new(503)).mount(&server).await;
    let client = client(&server.uri());
    for _ in 0..CALLS {
        // Clones and clients with other options share the budget.
        let clone = client.clone().with_options(quick());
        assert!(clone.get_job("down").send().await.is_err());
    }
    assert_eq!(requests(&server).await, CALLS + 100);
    // The call was not retried, although it may succeed later.
    let error = client.get_job("down").send().await.unwrap_err();
    assert_eq!((error.attempts(), error.is_retryable()), (1, true));
}

#[tokio::test]
async fn calls_that_succeed_fill_it_up_again() {
    let server = MockServer::start().await;
    Mock::given(path("/api/v1/jobs/down")).respond_with(ResponseTemplate::new(503)).mount(&server).await;
    let websites = ResponseTemplate::new(200).set_body_json(json!({ "items": [] }));
    Mock::given(path("/api/v1/websites")).respond_with(websites).mount(&server).await;
    let client = client(&server.uri());
    for _ in 0..CALLS {
        assert!(client.get_job("down").send().await.is_err());
    }
    for _ in 0..10 {
        client.list_websites().send().await.unwrap();
    }
    // Five successes earn one retry.
    assert_eq!(client.get_job("down").send().await.unwrap_err().attempts(), 3);
}

#[tokio::test]
async fn a_repetition_that_succeeds_costs_nothing() {
    let server = MockServer::start().await;
    let client = client(&server.uri());
    for _ in 0..CALLS * 2 {
        Mock::given(path("/api/v1/websites"))
            .respond_with(ResponseTemplate::new(503))
            .up_to_n_times(2)
            .mount(&server)
            .await;
        let websites = ResponseTemplate::new(200).set_body_json(json!({ "items": [] }));
        Mock::given(path("/api/v1/websites")).respond_with(websites).mount(&server).await;
        client.list_websites().send().await.unwrap();
        server.reset().await;
    }
}

#[tokio::test]
async fn the_builder_says_how_large_it_is() {
    let server = MockServer::start().await;
    Mock::given(path("/api/v1/jobs/down")).respond_with(ResponseTemplate::new(503)).mount(&server).await;
    for (repetitions, attempts) in [(0, [1, 1, 1]), (4, [4, 2, 1]), (u32::MAX, [4, 4, 4])] {
        let builder = Client::builder().base_url(server.uri()).api_key(KEY).options(quick());
        let client = builder.retry_budget(repetitions).build().unwrap();
        for expected in attempts {
            let error = client.get_job("down").send().await.unwrap_err();
            assert_eq!(error.attempts(), expected, "{repetitions}");
        }
    }
}
