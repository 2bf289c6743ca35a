//! Proxy in front of a server. It records all exchanges, and can lose a response.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::{Router, body, serve};
use contentgen_sdk::Client;
use contentgen_server_stub::demo::DemoAccount;
use contentgen_server_stub::server::Running;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::base_url;
use super::until::GIVE_UP_AFTER;

/// Maximum size of a request, in bytes.
const LARGEST: usize = 1024 * 1024;

/// Treatment of the first response to a POST.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Loss {
    /// The proxy forwards it, like all others.
    None,
    /// The client gets 503 instead.
    Unavailable,
    /// The connection breaks after the headers.
    BreaksOff,
}

/// A request and the server's response, whether or not the client got it.
#[derive(Clone)]
pub(crate) struct Exchange {
    pub(crate) method: Method,
    pub(crate) request: HeaderMap,
    /// `None` until the server responds.
    pub(crate) answer: Option<Answer>,
}

#[derive(Clone)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
}

/// Proxy that runs until it is dropped.
pub(crate) struct Proxy {
    address: String,
    passed: watch::Receiver<Vec<Exchange>>,
    _serving: JoinSet<std::io::Result<()>>,
}

struct Passage {
    server: String,
    connections: reqwest::Client,
    loss: Loss,
    has_lost: AtomicBool,
    passed: watch::Sender<Vec<Exchange>>,
}

impl Proxy {
    /// Starts a proxy in front of a server.
    pub(crate) async fn start(server: &Running, loss: Loss) -> Self {
        Self::in_front_of(&base_url(server), loss).await
    }

    /// Starts a proxy in front of the server at an address.
    pub(crate) async fn in_front_of(server: &str, loss: Loss) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = format!("http://{}", listener.local_addr().expect("it is bound"));
        let (sender, passed) = watch::channel(Vec::new());
        let passage = Passage {
            server: server.to_owned(),
            connections: super::http(),
            loss,
            has_lost: AtomicBool::new(false),
            passed: sender,
        };
        let router = Router::new().fallback(pass).with_state(Arc::new(passage));
        let mut serving = JoinSet::new();
        serving.spawn(async move { serve(listener, router).await });
        Self { address, passed, _serving: serving }
    }

    /// Returns a client that sends its requests through the proxy.
    pub(crate) fn client(&self, server: &Running, key: fn(&DemoAccount) -> &str) -> Client {
        let client = Client::builder().base_url(&*self.address).api_key(key(&server.accounts()[0]));
        client.build().expect("the configuration is complete")
    }

    /// Returns all exchanges so far, in the order of their requests.
    pub(crate) fn passed(&self) -> Vec<Exchange> {
        self.passed.borrow().clone()
    }

    /// Waits until a condition holds for the exchanges.
    pub(crate) async fn until(&self, is_so: impl FnMut(&Vec<Exchange>) -> bool) {
        let mut passed = self.passed.clone();
        let waited = timeout(GIVE_UP_AFTER, passed.wait_for(is_so)).await;
        drop(waited.expect("the exchange passes").expect("the proxy runs"));
    }
}

/// Forwards a request, and returns the response unless the proxy must lose it.
async fn pass(State(passage): State<Arc<Passage>>, request: Request) -> Response {
    let (mut head, body) = request.into_parts();
    let body = body::to_bytes(body, LARGEST).await.expect("the SDK's requests are small");
    let mut number = 0;
    passage.passed.send_modify(|passed| {
        number = passed.len();
        let (method, request) = (head.method.clone(), head.headers.clone());
        passed.push(Exchange { method, request, answer: None });
    });
    let url = format!("{}{}", passage.server, head.uri);
    head.headers.remove(header::HOST);
    let request = passage.connections.request(head.method.clone(), url).headers(head.headers).body(body);
    let answer = request.send().await.expect("the server answers");
    let (status, headers) = (answer.status(), answer.headers().clone());
    let text = answer.bytes().await.expect("the server ends its answer");
    passage.passed.send_modify(|passed| {
        passed[number].answer = Some(Answer { status, headers: headers.clone() });
    });
    let loses = head.method == Method::POST && !passage.has_lost.swap(true, Ordering::Relaxed);
    match passage.loss {
        Loss::Unavailable if loses => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        Loss::BreaksOff if loses => {
            let broken = futures::stream::iter([Err::<Bytes, _>(std::io::Error::other("lost on the way"))]);
            (status, headers, Body::from_stream(broken)).into_response()
        }
        _ => (status, headers, text).into_response(),
    }
}
