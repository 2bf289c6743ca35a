//! The listening side of the proxy, its endpoints, and its way to receivers.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use futures::future::FutureExt;
use http::Method;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use super::delivery::Delivery;
use super::endpoint::Endpoint;
use super::layer::Layer;
use crate::message::{Request, Response};

/// Longest hook that is read, in bytes.
const MAX_BODY: usize = 1024 * 1024;
/// Longest response of a receiver that is read, in bytes.
const MAX_RESPONSE: usize = 256 * 1024;
/// How long a receiver may take. The sender's own limit is shorter, so that it is the one that counts.
const MAX_TIME: Duration = Duration::from_mins(2);
/// What the path of an endpoint begins with.
const PREFIX: &str = "/endpoints/";

/// The proxy of hooks. Copies share it.
#[derive(Debug, Clone)]
pub struct Relay {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    base_url: String,
    endpoints: Mutex<Vec<Endpoint>>,
    layers: RwLock<Arc<[Layer]>>,
    client: reqwest::Client,
    trusting: reqwest::Client,
    /// What faults do beside what they answer, such as sending later.
    tasks: Mutex<JoinSet<()>>,
}

impl Relay {
    /// Listens on `address`, port 0 for any; it serves as long as the returned set lives.
    pub(crate) async fn start(address: &str) -> std::io::Result<(Self, JoinSet<()>)> {
        let listener = TcpListener::bind(address).await?;
        let base_url = format!("http://{}", listener.local_addr()?);
        let client = |trusting: bool| {
            let _ = rustls::crypto::ring::default_provider().install_default();
            reqwest::Client::builder()
                .redirect(reqwest::redirect::Policy::none())
                .retry(reqwest::retry::never())
                .no_proxy()
                .http1_only()
                .timeout(MAX_TIME)
                .pool_idle_timeout(Duration::from_secs(2))
                .tls_danger_accept_invalid_certs(trusting)
                .build()
                .map_err(std::io::Error::other)
        };
        let inner = Inner {
            base_url,
            endpoints: Mutex::default(),
            layers: RwLock::new(Arc::default()),
            client: client(false)?,
            trusting: client(true)?,
            tasks: Mutex::default(),
        };
        let relay = Self { inner: Arc::new(inner) };
        let mut server = JoinSet::new();
        server.spawn(accept(listener, relay.clone()));
        Ok((relay, server))
    }

    pub(crate) fn set_layers(&self, layers: Vec<Layer>) {
        *self.inner.layers.write().unwrap_or_else(PoisonError::into_inner) = layers.into();
    }

    fn layers(&self) -> Arc<[Layer]> {
        Arc::clone(&self.inner.layers.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// An address of the proxy that stands for `target`.
    pub fn open(&self, target: &str) -> Endpoint {
        let mut endpoints = self.endpoints_mut();
        let endpoint =
            Endpoint { number: endpoints.len(), target: target.to_owned(), secrets: Vec::new(), is_removed: false };
        endpoints.push(endpoint.clone());
        endpoint
    }

    /// The address of an endpoint, to be registered.
    pub fn url(&self, endpoint: &Endpoint) -> String {
        format!("{}{PREFIX}{}", self.inner.base_url, endpoint.number)
    }

    /// Every endpoint so far.
    pub fn endpoints(&self) -> Vec<Endpoint> {
        self.endpoints_mut().clone()
    }

    /// Takes note of a secret that signs for an endpoint from now on, beside those known.
    pub fn learn_secret(&self, number: usize, secret: &str) {
        if let Some(endpoint) = self.endpoints_mut().get_mut(number) {
            endpoint.secrets.insert(0, secret.to_owned());
        }
    }

    /// Takes note that an endpoint was removed, as far as its owner knows.
    pub fn mark_removed(&self, number: usize) {
        if let Some(endpoint) = self.endpoints_mut().get_mut(number) {
            endpoint.is_removed = true;
        }
    }

    fn endpoints_mut(&self) -> std::sync::MutexGuard<'_, Vec<Endpoint>> {
        self.inner.endpoints.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a hook to `url`, past all faults. What goes wrong is a 502, which a sender takes for a failure.
    pub async fn send(&self, url: &str, hook: Request) -> Response {
        send(&self.inner.client, url, hook).await
    }

    /// The same, to a receiver for which no certificate vouches.
    pub async fn send_trusting(&self, url: &str, hook: Request) -> Response {
        send(&self.inner.trusting, url, hook).await
    }

    /// Does something beside what is answered, such as sending a hook later; it ends with the proxy.
    pub fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.inner.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        while tasks.try_join_next().is_some() {}
        tasks.spawn(work);
    }

    async fn pass(&self, request: hyper::Request<Incoming>) -> Response {
        let (head, body) = request.into_parts();
        let number = head.uri.path().strip_prefix(PREFIX).and_then(|number| number.parse::<usize>().ok());
        let endpoint = number.and_then(|number| self.endpoints_mut().get(number).cloned());
        let Some(endpoint) = endpoint else { return Response::new(404, "no such endpoint") };
        let Ok(body) = Limited::new(body, MAX_BODY).collect().await else {
            return Response::new(413, "longer than any hook");
        };
        let mut headers = head.headers;
        for name in ["host", "connection", "content-length", "transfer-encoding"] {
            headers.remove(name);
        }
        let path = head.uri.path().to_owned();
        let hook = Request { method: head.method, path, query: None, headers, body: body.to_bytes(), address: None };
        Delivery::new(hook, endpoint, self.clone(), self.layers()).pass().await
    }
}

async fn send(client: &reqwest::Client, url: &str, hook: Request) -> Response {
    let Request { method, headers, body, .. } = hook;
    let sent = client.request(method, url).headers(headers).body(body).send().await;
    let failed = |error: reqwest::Error| Response::new(502, format!("the receiver did not answer: {error}"));
    let mut answer = match sent {
        Ok(answer) => answer,
        Err(error) => return failed(error.without_url()),
    };
    let mut response = Response::new(answer.status().as_u16(), Bytes::new());
    response.headers = answer.headers().clone();
    for name in ["connection", "content-length", "transfer-encoding"] {
        response.remove(name);
    }
    let mut body = Vec::new();
    // A receiver may go on for ever: what it says counts for nothing but its status.
    while let Ok(Some(chunk)) = answer.chunk().await {
        body.extend_from_slice(&chunk);
        if body.len() > MAX_RESPONSE {
            break;
        }
    }
    response.body = body.into();
    response
}

async fn accept(listener: TcpListener, relay: Relay) {
    let mut connections = JoinSet::new();
    loop {
        // A failed accept concerns one connection; the sender will come again.
        let Ok((stream, _)) = listener.accept().await else { continue };
        while connections.try_join_next().is_some() {}
        let relay = relay.clone();
        connections.spawn(async move {
            let service = service_fn(move |request: hyper::Request<Incoming>| {
                let relay = relay.clone();
                async move { Ok::<_, Infallible>(written(relay.pass(request).await)) }.boxed()
            });
            let connection = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .serve_connection(TokioIo::new(stream), service);
            // A sender that hangs up breaks its own delivery only.
            let _ = connection.await;
        });
    }
}

fn written(response: Response) -> hyper::Response<Full<Bytes>> {
    let mut answer = hyper::Response::new(Full::from(response.body.clone()));
    *answer.status_mut() = response.status_code();
    *answer.headers_mut() = response.headers;
    answer
}

/// A hook to a receiver, with JSON and nothing else.
impl Request {
    /// A hook with this payload, which nobody has signed.
    pub fn hook(payload: &serde_json::Value) -> Self {
        let mut hook = Self::get("/");
        hook.method = Method::POST;
        hook.body = payload.to_string().into();
        hook.set("content-type", "application/json");
        hook
    }
}
