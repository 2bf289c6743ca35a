//! A server that echoes each request, and a client for it.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::task::JoinSet;

/// Starts the server. It ends when the set is dropped.
pub(crate) async fn start() -> (String, JoinSet<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base_url = format!("http://{}", listener.local_addr().unwrap());
    let mut server = JoinSet::new();
    server.spawn(async move { axum::serve(listener, Router::new().fallback(echo)).await.unwrap() });
    (base_url, server)
}

/// Responds with the status in the header `x-status`. Omits details of a single connection.
async fn echo(request: Request) -> Response {
    let (head, body) = request.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap();
    let mut headers: Vec<(String, String)> = head
        .headers
        .iter()
        .filter(|(name, _)| !["host", "connection", "content-length"].contains(&name.as_str()))
        .map(|(name, value)| (name.to_string(), STANDARD.encode(value)))
        .collect();
    headers.sort();
    let status = head.headers.get("x-status").and_then(|value| value.to_str().ok()?.parse().ok()).unwrap_or(200);
    let seen = json!({
        "method": head.method.as_str(),
        "uri": head.uri.to_string(),
        "headers": headers,
        "body": STANDARD.encode(&body),
    });
    let answer = Response::builder().status(status).header("x-two", "one").header("x-two", "two");
    let answer = answer.header("retry-after", "7").header("content-type", "application/json");
    answer.body(Body::from(seen.to_string())).unwrap()
}

/// Returns an HTTP client. It needs a TLS provider, although the tests use no TLS.
pub(crate) fn client() -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).no_proxy();
    builder.tls_danger_accept_invalid_certs(true).build().unwrap()
}
