//! Benign variants over real sockets: a client of HTTP sees the same response in another form.

use contentgen_faults::FaultyServer;
use contentgen_faults::catalogue::find;
use serde_json::Value;

use super::echo;

/// Variants that change the bytes of a response, but not its meaning.
const FORMS: [&str; 7] = [
    "benign.http-1-0",
    "benign.upper-case",
    "benign.blank-around-values",
    "benign.no-reason",
    "benign.early-hints",
    "benign.chunk-extensions",
    "benign.errors-close",
];

#[tokio::test]
async fn another_form_on_the_wire_is_the_same_response() {
    let (upstream, _server) = echo::start().await;
    let client = echo::client();
    for name in FORMS {
        let server = FaultyServer::start(&upstream).await.unwrap();
        server.enable(find(name).unwrap());
        for status in ["200", "404", "200"] {
            let request = client.get(format!("{}/api/v1/websites", server.base_url())).header("x-status", status);
            let answer = request.send().await.unwrap();
            assert_eq!(answer.status().as_str(), status, "{name}");
            assert_eq!(answer.headers()["retry-after"], "7", "{name}");
            let echoed: Value = serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap();
            assert_eq!(echoed["method"], "GET", "{name}");
        }
    }
}

#[tokio::test]
async fn a_gateway_compresses_only_for_clients_that_accept_it_and_the_server_sees_no_such_request() {
    let (upstream, _server) = echo::start().await;
    let client = echo::client();
    for name in
        ["benign.gzip-weak-tags", "benign.gzip-tags-suffixed", "benign.gzip-tags-unknown", "benign.gzip-without-tags"]
    {
        let server = FaultyServer::start(&upstream).await.unwrap();
        server.enable(find(name).unwrap());
        let request = || client.get(format!("{}/api/v1/websites", server.base_url()));
        let compressed = request().header("accept-encoding", "gzip").send().await.unwrap();
        assert_eq!(compressed.headers()["content-encoding"], "gzip", "{name}");
        // The blocks are not compressed.
        let text = String::from_utf8_lossy(&compressed.bytes().await.unwrap()).into_owned();
        assert!(text.contains("\"method\":\"GET\"") && !text.contains("accept-encoding"), "{name}: {text}");
        let plain = request().send().await.unwrap();
        assert!(!plain.headers().contains_key("content-encoding"), "{name}");
        let echoed: Value = serde_json::from_slice(&plain.bytes().await.unwrap()).unwrap();
        assert_eq!(echoed["method"], "GET", "{name}");
    }
}

#[tokio::test]
async fn what_a_library_refuses_gets_no_body() {
    let (upstream, _server) = echo::start().await;
    let server = FaultyServer::start(&upstream).await.unwrap();
    server.enable(find("benign.path-refused").unwrap());
    let client = echo::client();
    for (id, status) in [("%00", 400), ("%ff", 400), ("%C3%A9", 200)] {
        let answer = client.get(format!("{}/api/v1/jobs/{id}", server.base_url())).send().await.unwrap();
        assert_eq!(answer.status(), status, "{id}");
        assert_eq!(answer.bytes().await.unwrap().is_empty(), status == 400, "{id}");
    }
}
