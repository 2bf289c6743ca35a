//! The listener of the webhook proxy, its endpoints, and its connections to receivers.

use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use futures::future::FutureExt;
use futures::stream::{self, StreamExt as _};
use http::Method;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, Limited, StreamBody};
use hyper::body::{Bytes, Frame, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use super::delivery::Delivery;
use super::endpoint::Endpoint;
use super::layer::Layer;
use crate::message::{BodyForm, BrokenOff, Request, Response, Rest};

/// Maximum size of a webhook, in bytes.
const MAX_BODY: usize = 1024 * 1024;
/// Maximum size and time to read of a response before the rest is streamed. The sender must handle a receiver that
/// never ends its body.
const MAX_RESPONSE: usize = 64 * 1024;
const SOON: Duration = Duration::from_millis(200);
/// Maximum time of a receiver. The sender's own limit is shorter and so takes effect first.
const MAX_TIME: Duration = Duration::from_mins(2);
/// Path prefix of an endpoint.
const PREFIX: &str = "/endpoints/";

/// The webhook proxy. Copies share it.
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
    title_case: reqwest::Client,
    /// Background tasks of faults, such as delayed sends.
    tasks: Mutex<JoinSet<()>>,
}

impl Relay {
    /// Listens on `address`, port 0 for any free port. Serves as long as the returned set lives.
    pub(crate) async fn start(address: &str) -> std::io::Result<(Self, JoinSet<()>)> {
        let listener = TcpListener::bind(address).await?;
        let base_url = format!("http://{}", listener.local_addr()?);
        let client = |trusting: bool, title_case: bool| {
            let _ = rustls::crypto::ring::default_provider().install_default();
            let builder = reqwest::Client::builder()
                .redirect(reqwest::redirect::Policy::none())
                .retry(reqwest::retry::never())
                .no_proxy()
                .http1_only()
                .timeout(MAX_TIME)
                .pool_idle_timeout(Duration::from_secs(2))
                .tls_danger_accept_invalid_certs(trusting);
            let builder = if title_case { builder.http1_title_case_headers() } else { builder };
            builder.build().map_err(std::io::Error::other)
        };
        let inner = Inner {
            base_url,
            endpoints: Mutex::default(),
            layers: RwLock::new(Arc::default()),
            client: client(false, false)?,
            trusting: client(true, false)?,
            title_case: client(false, true)?,
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

    /// Returns an endpoint of the proxy for `target`.
    pub fn open(&self, target: &str) -> Endpoint {
        let mut endpoints = self.endpoints_mut();
        let endpoint =
            Endpoint { number: endpoints.len(), target: target.to_owned(), secrets: Vec::new(), is_removed: false };
        endpoints.push(endpoint.clone());
        endpoint
    }

    /// Returns the address of an endpoint to register.
    pub fn url(&self, endpoint: &Endpoint) -> String {
        format!("{}{PREFIX}{}", self.inner.base_url, endpoint.number)
    }

    /// Same for a server that reaches this machine at `public_url`, in which `{port}` is replaced by the port.
    pub fn url_at(&self, endpoint: &Endpoint, public_url: &str) -> String {
        let port = self.inner.base_url.rsplit(':').next().unwrap_or_default();
        format!("{}{PREFIX}{}", public_url.replace("{port}", port).trim_end_matches('/'), endpoint.number)
    }

    /// Returns all endpoints so far.
    pub fn endpoints(&self) -> Vec<Endpoint> {
        self.endpoints_mut().clone()
    }

    /// Adds a secret that signs for an endpoint from now on.
    pub fn learn_secret(&self, number: usize, secret: &str) {
        if let Some(endpoint) = self.endpoints_mut().get_mut(number) {
            endpoint.secrets.insert(0, secret.to_owned());
        }
    }

    /// Marks an endpoint as removed by its owner.
    pub fn mark_removed(&self, number: usize) {
        if let Some(endpoint) = self.endpoints_mut().get_mut(number) {
            endpoint.is_removed = true;
        }
    }

    fn endpoints_mut(&self) -> std::sync::MutexGuard<'_, Vec<Endpoint>> {
        self.inner.endpoints.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a webhook to `url`, without any faults. Without a response, returns a 502 that breaks the sender's
    /// connection.
    pub async fn send(&self, url: &str, hook: Request) -> Response {
        send(&self.inner.client, url, hook).await
    }

    /// Same, but accepts any certificate of the receiver.
    pub async fn send_trusting(&self, url: &str, hook: Request) -> Response {
        send(&self.inner.trusting, url, hook).await
    }

    /// Same as `send`, with capitals in header names.
    pub async fn send_in_title_case(&self, url: &str, hook: Request) -> Response {
        send(&self.inner.title_case, url, hook).await
    }

    /// Runs a background task, such as a delayed send. It ends with the proxy.
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
            return Response::new(413, "the webhook is too large");
        };
        let mut headers = head.headers;
        for name in ["host", "connection", "content-length", "transfer-encoding"] {
            headers.remove(name);
        }
        let path = head.uri.path().to_owned();
        let hook = Request { headers, body: body.to_bytes(), method: head.method, ..Request::get(&path) };
        let target = endpoint.target.clone();
        let mut response = Delivery::new(hook, endpoint, self.clone(), self.layers()).pass().await;
        // A sender that follows redirects goes to the receiver's address, not to one of the proxy.
        response.change("location", |to| {
            url::Url::parse(&target).and_then(|url| url.join(to)).map_or_else(|_| to.to_owned(), Into::into)
        });
        response
    }
}

async fn send(client: &reqwest::Client, url: &str, hook: Request) -> Response {
    let Request { method, headers, body, .. } = hook;
    let answer = match client.request(method, url).headers(headers).body(body).send().await {
        Ok(answer) => answer,
        Err(error) => {
            let told = format!("the receiver did not respond: {}", error.without_url());
            return Response { form: BodyForm::CutAfter(0), ..Response::new(502, told) };
        }
    };
    let mut response = Response::new(answer.status().as_u16(), Bytes::new());
    response.headers = answer.headers().clone();
    for name in ["connection", "content-length", "transfer-encoding"] {
        response.remove(name);
    }
    let mut pieces = stream::unfold(Some(answer), async |answer| {
        let mut answer = answer?;
        match answer.chunk().await {
            Ok(piece) => piece.map(|piece| (Ok(piece), Some(answer))),
            Err(_) => Some((Err(BrokenOff), None)),
        }
    })
    .boxed();
    let mut body = Vec::new();
    let deadline = tokio::time::Instant::now() + SOON;
    while body.len() < MAX_RESPONSE {
        match tokio::time::timeout_at(deadline, pieces.next()).await {
            Ok(Some(Ok(piece))) => body.extend_from_slice(&piece),
            Ok(Some(Err(error))) => {
                pieces = stream::iter([Err(error)]).boxed();
                break;
            }
            Ok(None) => {
                response.body = body.into();
                return response;
            }
            Err(_) => break,
        }
    }
    response.body = body.into();
    response.rest = Some(Rest::new(pieces));
    response
}

async fn accept(listener: TcpListener, relay: Relay) {
    let mut connections = JoinSet::new();
    loop {
        // A failed accept concerns one connection. The sender will try again.
        let Ok((stream, _)) = listener.accept().await else { continue };
        while connections.try_join_next().is_some() {}
        let relay = relay.clone();
        connections.spawn(async move {
            let service = service_fn(move |request: hyper::Request<Incoming>| {
                let relay = relay.clone();
                async move { written(relay.pass(request).await) }.boxed()
            });
            let connection = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .serve_connection(TokioIo::new(stream), service);
            // A sender that disconnects breaks only its own delivery.
            let _ = connection.await;
        });
    }
}

/// Converts a response for the wire; `None` if the connection must break.
fn written(response: Response) -> Result<hyper::Response<UnsyncBoxBody<Bytes, BrokenOff>>, BrokenOff> {
    if response.form == BodyForm::CutAfter(0) {
        return Err(BrokenOff);
    }
    let status = response.status_code();
    let whole = Full::from(response.body.clone()).map_err(|never| match never {});
    let body = match &response.rest {
        None => UnsyncBoxBody::new(whole),
        Some(rest) => {
            let begin = stream::iter([Ok(response.body.clone())]);
            let frames = begin.chain(rest.take()).map(|piece| piece.map(Frame::data));
            UnsyncBoxBody::new(StreamBody::new(frames))
        }
    };
    let mut answer = hyper::Response::new(body);
    *answer.status_mut() = status;
    *answer.headers_mut() = response.headers;
    Ok(answer)
}

/// Returns a webhook to a receiver, with only JSON headers.
impl Request {
    /// Returns a webhook with this payload and without a signature.
    pub fn hook(payload: &serde_json::Value) -> Self {
        let mut hook = Self::get("/");
        hook.method = Method::POST;
        hook.body = payload.to_string().into();
        hook.set("content-type", "application/json");
        hook
    }
}
