//! The endpoints of the webhook proxy, and its connections to receivers.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::stream::{self, StreamExt as _};
use http::Method;
use hyper::body::Bytes;
use tokio::task::JoinSet;

use super::endpoint::Endpoint;
use crate::message::{BodyForm, BrokenOff, Request, Response, Rest};

/// Maximum size and time to read of a response before the rest is streamed. The sender must handle a receiver that
/// never ends its body.
const MAX_RESPONSE: usize = 64 * 1024;
const SOON: Duration = Duration::from_millis(200);
/// Maximum time of a receiver. The sender's own limit is shorter and so takes effect first.
const MAX_TIME: Duration = Duration::from_mins(2);
/// Path prefix of an endpoint.
pub(super) const PREFIX: &str = "/endpoints/";

/// The webhook proxy without its listener. Copies share it.
#[derive(Debug, Clone)]
pub struct Relay {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    base_url: String,
    endpoints: Mutex<Vec<Endpoint>>,
    client: reqwest::Client,
    trusting: reqwest::Client,
    title_case: reqwest::Client,
    /// Background tasks of faults, such as delayed sends.
    tasks: Mutex<JoinSet<()>>,
}

impl Relay {
    /// Returns a proxy whose listener has this URL.
    pub(super) fn new(base_url: String) -> std::io::Result<Self> {
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
            client: client(false, false)?,
            trusting: client(true, false)?,
            title_case: client(false, true)?,
            tasks: Mutex::default(),
        };
        Ok(Self { inner: Arc::new(inner) })
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

    /// Returns the endpoint with this number.
    pub(super) fn endpoint(&self, number: usize) -> Option<Endpoint> {
        self.endpoints_mut().get(number).cloned()
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
