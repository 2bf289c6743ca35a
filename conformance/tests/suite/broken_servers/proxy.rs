//! A proxy that changes passing messages, so that a correct server appears broken.

use std::convert::Infallible;
use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::task::JoinSet;

/// A request or a response on its way.
pub(crate) struct Passing {
    pub(crate) method: Method,
    pub(crate) path: String,
    /// Status of the response. 0 for a request.
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Passing {
    pub(crate) fn json(&self) -> Option<Value> {
        serde_json::from_slice(&self.body).ok()
    }

    /// Rewrites a JSON body.
    pub(crate) fn edit(&mut self, edit: impl FnOnce(&mut Value)) {
        if let Some(mut value) = self.json() {
            edit(&mut value);
            self.body = value.to_string().into_bytes();
        }
    }

    pub(crate) fn set(&mut self, name: &'static str, value: &str) {
        self.headers.insert(name, value.parse().unwrap());
    }
}

/// Changes one message.
pub(crate) type Spoil = Arc<dyn Fn(&mut Passing) + Send + Sync>;

/// Starts a proxy to `upstream`; it ends when the returned set is dropped.
pub(crate) async fn start(upstream: String, spoil_request: Spoil, spoil_answer: Spoil) -> (String, JoinSet<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base_url = format!("http://{}", listener.local_addr().unwrap());
    let client = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        // The server may close a connection that was idle for a while at the moment at which a request is sent.
        .pool_max_idle_per_host(0)
        .tls_danger_accept_invalid_certs(true)
        .build()
        .unwrap();
    let mut server = JoinSet::new();
    server.spawn(async move {
        let mut connections = JoinSet::new();
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let (client, upstream) = (client.clone(), upstream.clone());
            let (spoil_request, spoil_answer) = (Arc::clone(&spoil_request), Arc::clone(&spoil_answer));
            connections.spawn(async move {
                let service = service_fn(move |request| {
                    pass(
                        client.clone(),
                        upstream.clone(),
                        Arc::clone(&spoil_request),
                        Arc::clone(&spoil_answer),
                        request,
                    )
                });
                let connection =
                    hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
                let _ = connection.await;
            });
        }
    });
    (base_url, server)
}

async fn pass(
    client: reqwest::Client,
    upstream: String,
    spoil_request: Spoil,
    spoil_answer: Spoil,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let (head, body) = request.into_parts();
    // The message is malformed on purpose, so this proxy need not find the server's response to it.
    let Ok(body) = body.collect().await else {
        let mut refused = Response::new(Full::default());
        *refused.status_mut() = StatusCode::BAD_REQUEST;
        return Ok(refused);
    };
    let mut passing = Passing {
        method: head.method.clone(),
        path: head.uri.to_string(),
        status: 0,
        headers: head.headers,
        body: body.to_bytes().to_vec(),
    };
    spoil_request(&mut passing);
    passing.headers.remove("host");
    passing.headers.remove("content-length");
    let had_body = !passing.body.is_empty() || passing.method == Method::POST;
    let mut builder =
        client.request(passing.method.clone(), format!("{upstream}{}", passing.path)).headers(passing.headers.clone());
    if had_body {
        builder = builder.body(passing.body.clone());
    }
    let answer = builder.send().await.unwrap();
    let mut passing = Passing {
        method: passing.method,
        path: passing.path,
        status: answer.status().as_u16(),
        headers: answer.headers().clone(),
        body: answer.bytes().await.unwrap().to_vec(),
    };
    let is_head = passing.method == Method::HEAD;
    spoil_answer(&mut passing);
    if !is_head {
        passing.headers.remove("content-length");
    }
    passing.headers.remove("transfer-encoding");
    let mut response = Response::new(Full::from(passing.body));
    *response.status_mut() = StatusCode::from_u16(passing.status).unwrap();
    *response.headers_mut() = passing.headers;
    Ok(response)
}
