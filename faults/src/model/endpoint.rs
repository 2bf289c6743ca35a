//! The HTTP server of a language model.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::response::Response;
use bytes::Bytes;
use futures::{StreamExt as _, stream};
use http::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::completion::Answer;
use super::dialect::{Dialect, Turn};
use super::prompt::Prompt;

/// Maximum size of a request, in bytes.
const MAX_REQUEST_BYTES: usize = 8 * 1024 * 1024;

/// How an endpoint responds, besides its dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelOptions {
    /// Equal seeds give equal responses. Other seeds choose other sentences and other forms of the dialect.
    pub seed: u64,
    /// Pause before each event of `slow-stream`.
    pub pause: Duration,
}

impl Default for ModelOptions {
    fn default() -> Self {
        Self { seed: 0, pause: Duration::from_secs(1) }
    }
}

/// A language model that listens. It ends when this is dropped.
#[derive(Debug)]
pub struct ModelEndpoint {
    address: String,
    state: Model,
    _tasks: JoinSet<()>,
}

#[derive(Debug, Clone)]
struct Model {
    dialect: Dialect,
    options: ModelOptions,
    requests: Arc<Mutex<Vec<Value>>>,
}

impl ModelEndpoint {
    /// Starts a model at this address; port 0 takes any free one.
    ///
    /// # Errors
    /// When listening on the address fails.
    pub async fn listen(dialect: Dialect, options: ModelOptions, address: &str) -> std::io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?.to_string();
        let state = Model { dialect, options, requests: Arc::default() };
        let router = Router::new().fallback(serve).with_state(state.clone());
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let _ = axum::serve(listener, router).await;
        });
        Ok(Self { address, state, _tasks: tasks })
    }

    /// Starts a model on a free port of the loopback interface.
    ///
    /// # Errors
    /// When no port is free.
    pub async fn start(dialect: Dialect, options: ModelOptions) -> std::io::Result<Self> {
        Self::listen(dialect, options, "127.0.0.1:0").await
    }

    /// Returns the base URL of the model.
    pub fn base_url(&self) -> String {
        match self.state.dialect.name {
            "azure" => format!("http://{}/openai/deployments/test?api-version=2024-10-21", self.address),
            "proxy" => "http://model.invalid/v1".to_owned(),
            _ => format!("http://{}/v1", self.address),
        }
    }

    /// Returns the URL of the proxy that requests must be sent through, if the dialect needs one.
    pub fn proxy_url(&self) -> Option<String> {
        (self.state.dialect.name == "proxy").then(|| format!("http://{}", self.address))
    }

    /// Returns the bodies of the requests for text so far.
    pub fn requests(&self) -> Vec<Value> {
        self.state.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

async fn serve(State(model): State<Model>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let path = head.uri.path();
    if head.method == Method::GET && path.ends_with("/models") {
        return whole(200, &json!({ "object": "list", "data": [{ "id": "test-model", "object": "model" }] }));
    }
    if head.method != Method::POST || !path.ends_with("/chat/completions") {
        return whole(404, &json!({ "error": { "message": "unknown path" } }));
    }
    let Ok(bytes) = to_bytes(body, MAX_REQUEST_BYTES).await else {
        return whole(413, &json!({ "error": { "message": "the request is too large" } }));
    };
    let body: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let number = {
        let mut requests = model.requests.lock().unwrap_or_else(PoisonError::into_inner);
        requests.push(body.clone());
        requests.len() - 1
    };
    let mut turn = Turn {
        number,
        body: &body,
        headers: &head.headers,
        has_api_version: head.uri.query().is_some_and(|query| query.starts_with("api-version=")),
        is_through_proxy: head.uri.host().is_some(),
        prompt: Prompt::read(&body),
        seed: model.options.seed,
        pause: model.options.pause,
    };
    let answer = (model.dialect.respond)(&mut turn);
    tracing::info!(dialect = model.dialect.name, number, status = status_of(&answer), "a request was answered");
    match answer {
        Answer::Whole(status, body) => whole(status, &body),
        Answer::Stream(events, pause) => streamed(events, pause),
        Answer::Never => std::future::pending().await,
    }
}

fn status_of(answer: &Answer) -> Option<u16> {
    match answer {
        Answer::Whole(status, _) => Some(*status),
        Answer::Stream(..) => Some(200),
        Answer::Never => None,
    }
}

fn whole(status: u16, body: &Value) -> Response {
    let mut response = Response::new(Body::from(body.to_string()));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let kind = http::HeaderValue::from_static("application/json");
    response.headers_mut().insert(http::header::CONTENT_TYPE, kind);
    response
}

fn streamed(events: Vec<Value>, pause: Duration) -> Response {
    let lines = events.into_iter().map(|event| event.to_string()).chain(["[DONE]".to_owned()]);
    let sent = stream::iter(lines).then(move |line| async move {
        if !pause.is_zero() {
            sleep(pause).await;
        }
        Ok::<_, Infallible>(Bytes::from(format!("data: {line}\n\n")))
    });
    let mut response = Response::new(Body::from_stream(sent));
    let kind = http::HeaderValue::from_static("text/event-stream");
    response.headers_mut().insert(http::header::CONTENT_TYPE, kind);
    response
}
