//! Without a fault the edge is transparent. With a fault, it changes only the part that the fault names, and logs how often.

use contentgen_faults::FaultyServer;
use contentgen_faults::catalogue::find;
use http::{HeaderMap, Method};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::Value;

use super::echo;

/// A request from a caller.
#[derive(Debug, Clone)]
struct Sent {
    method: Method,
    target: String,
    headers: Vec<(String, Vec<u8>)>,
    status: u16,
    body: Vec<u8>,
}

fn sent() -> impl Strategy<Value = Sent> {
    let method = prop::sample::select(vec![
        Method::GET,
        Method::HEAD,
        Method::POST,
        Method::PUT,
        Method::DELETE,
        Method::OPTIONS,
        Method::from_bytes(b"REPORT").unwrap(),
    ]);
    let target = "/(api/v1/|)[a-zA-Z0-9._~%41/-]{0,30}(\\?[a-z0-9=&%20+]{0,20})?";
    let headers = prop::collection::vec(("x-[a-z]{1,12}", prop::collection::vec(0x20_u8..=0xff, 0..40)), 0..8);
    let status = prop::sample::select(vec![200_u16, 202, 301, 404, 422, 429, 500, 599]);
    let body = prop::collection::vec(any::<u8>(), 0..2_000);
    (method, target, headers, status, body).prop_map(|(method, target, headers, status, body)| Sent {
        method,
        target,
        headers,
        status,
        body,
    })
}

/// Returns status, headers and body of a response, without the date.
async fn ask(client: &reqwest::Client, base_url: &str, sent: &Sent) -> (u16, Vec<(String, Vec<u8>)>, Vec<u8>) {
    let mut headers = HeaderMap::new();
    for (name, value) in &sent.headers {
        let value = value.iter().copied().filter(|byte| *byte != 0x7f).collect::<Vec<u8>>();
        if let Ok(value) = http::HeaderValue::from_bytes(value.trim_ascii()) {
            headers.append(http::HeaderName::try_from(name.as_str()).unwrap(), value);
        }
    }
    headers.insert("x-status", sent.status.into());
    let request = client.request(sent.method.clone(), format!("{base_url}{}", sent.target)).headers(headers);
    let answer = request.body(sent.body.clone()).send().await.unwrap();
    let status = answer.status().as_u16();
    let told = answer.headers().iter().filter(|(name, _)| *name != "date" && *name != "transfer-encoding");
    let mut headers: Vec<(String, Vec<u8>)> =
        told.map(|(name, value)| (name.to_string(), value.as_bytes().to_vec())).collect();
    headers.sort();
    (status, headers, answer.bytes().await.unwrap().to_vec())
}

#[test]
fn without_a_fault_nothing_is_changed() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (upstream, _server) = runtime.block_on(echo::start());
    // The echo responds at every path, so the API may begin at any path.
    let start = |base_url: String| (runtime.block_on(FaultyServer::start(&base_url)).unwrap(), base_url);
    let servers = ["", "/service", "/of/a/host/"].map(|path| start(format!("{upstream}{path}")));
    let client = echo::client();
    let mut runner = TestRunner::new(Config { cases: 200, failure_persistence: None, ..Config::default() });
    runner
        .run(&sent(), |sent| {
            for (server, base_url) in &servers {
                let direct = runtime.block_on(ask(&client, base_url.trim_end_matches('/'), &sent));
                let through = runtime.block_on(ask(&client, server.base_url(), &sent));
                prop_assert_eq!(direct, through);
            }
            Ok(())
        })
        .unwrap();
    assert!(servers.iter().all(|(server, _)| server.enabled().is_empty()));
}

#[tokio::test]
async fn a_fault_changes_what_it_is_about_and_counts_it() {
    let (upstream, _server) = echo::start().await;
    let server = FaultyServer::start(&upstream).await.unwrap();
    server.enable(find("http.no-request-id").unwrap());
    server.enable(find("contract.generate-is-200").unwrap());
    let client = echo::client();
    let generate = format!("{}/api/v1/generate", server.base_url());
    let answer = client.post(&generate).header("x-status", "202").body("{}").send().await.unwrap();
    assert_eq!(answer.status(), 200);
    let echoed: Value = serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap();
    assert_eq!(echoed["method"], "POST");
    let other = client.get(format!("{}/api/v1/websites", server.base_url())).header("x-status", "202");
    assert_eq!(other.send().await.unwrap().status(), 202);
    let spoiled: Vec<u64> = server.enabled().into_iter().map(|(_, spoiled)| spoiled).collect();
    assert_eq!(spoiled, [0, 1]);
    assert!(server.disable("contract.generate-is-200"));
    assert!(!server.disable("contract.generate-is-200"));
    let answer = client.post(&generate).header("x-status", "202").body("{}").send().await.unwrap();
    assert_eq!(answer.status(), 202);
}

#[tokio::test]
async fn an_api_below_a_path_is_spoiled_there_and_the_rest_of_its_host_is_not() {
    let (upstream, _server) = echo::start().await;
    let server = FaultyServer::start(&format!("{upstream}/service")).await.unwrap();
    server.enable(find("contract.generate-is-200").unwrap());
    let client = echo::client();
    let host = server.base_url().strip_suffix("/service").unwrap();
    for (path, status) in [("/service/api/v1/generate", 200), ("/api/v1/generate", 202), ("/services/x", 202)] {
        let answer = client.post(format!("{host}{path}")).header("x-status", "202").body("{}").send().await.unwrap();
        assert_eq!(answer.status(), status, "{path}");
        let echoed: Value = serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap();
        assert_eq!(echoed["uri"].as_str().unwrap().trim_start_matches(upstream.as_str()), path);
    }
}

#[tokio::test]
async fn a_server_that_is_away_is_a_502_that_says_so() {
    // The socket is bound and does not listen: it refuses connections, and no other process gets the port.
    let closed = tokio::net::TcpSocket::new_v4().unwrap();
    closed.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let upstream = format!("http://{}", closed.local_addr().unwrap());
    let server = FaultyServer::start(&upstream).await.unwrap();
    let client = echo::client();
    let answer = client.get(server.base_url()).send().await.unwrap();
    assert_eq!(answer.status(), 502);
    assert!(answer.text().await.unwrap().contains("did not respond"));
}

#[tokio::test]
async fn an_address_that_is_none_is_refused() {
    for upstream in ["127.0.0.1:8080", "ftp://127.0.0.1", "http://127.0.0.1/?api", "http://user@127.0.0.1", ""] {
        let error = FaultyServer::start(upstream).await.unwrap_err().to_string();
        assert!(error.contains("http://"), "{upstream}: {error}");
    }
}
