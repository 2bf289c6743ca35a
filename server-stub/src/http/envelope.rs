//! What every answer gets, whatever answered: a request id, the body of its problem, a line in the log. A handler that
//! panics becomes a problem here.

use std::convert::Infallible;
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use futures::FutureExt as _;
use http::{HeaderMap, HeaderName, StatusCode, Uri};
use tower::Service as _;
use tracing::Instrument as _;

use super::problem::{Code, Problem};
use super::response::value;
use super::route::operation_of;
#[cfg(feature = "faults")]
use super::slips;
use crate::domain::clock::Clock;
#[cfg(feature = "faults")]
use crate::domain::clock::Timestamp;
use crate::domain::fault::table::{http as edge, idempotency as slip, outside};
use crate::domain::id::{self, Kind};
use crate::metrics::Metrics;

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The largest header block, request line included, bytes (CONTRACT 3.4).
const HEADER_LIMIT: usize = 16 * 1024;

/// The address that a request came from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Peer(pub(super) IpAddr);

/// The router, the clock that request ids are made with, and what counts the answers.
#[derive(Debug, Clone)]
pub(super) struct Envelope {
    pub(super) router: Router,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) metrics: Arc<Metrics>,
}

impl Envelope {
    /// Answers one request. While the server drains only those that ask how it is are let in.
    pub(super) async fn answer(
        self,
        peer: IpAddr,
        is_draining: bool,
        request: Request,
    ) -> Result<Response, Infallible> {
        let began = Instant::now();
        let request_id = request_id(&request, id::new(Kind::Request, self.clock.now()));
        #[cfg(feature = "faults")]
        let asked = asked(&request, self.clock.now());
        #[cfg(feature = "faults")]
        let request = slips::readdress(request);
        let (method, uri) = (request.method().clone(), request.uri().clone());
        let operation = operation_of(&method, uri.path());
        let metrics = Arc::clone(&self.metrics);
        // At the level of errors, so that the id stands on a warning even where nothing less is written. Neither path nor
        // query: what a client puts there may be anything.
        let span = tracing::error_span!("request", request_id, operation, %method);
        let answered = async {
            let mut response = if is_draining && !matches!(operation, "healthz" | "readyz") {
                Problem::new(Code::Unavailable, "The service is shutting down.").retry_after(5).into_response()
            } else {
                self.route(peer, request).await
            };
            if let Some(problem) = response.extensions_mut().remove::<Problem>() {
                problem.render(&mut response, uri.path(), &request_id);
            }
            response.headers_mut().insert(X_REQUEST_ID, value(&request_id));
            #[cfg(feature = "faults")]
            let response = slips::spoil(&asked, response).await;
            let elapsed = began.elapsed();
            metrics.answered(operation, &method, response.status().as_u16(), elapsed);
            log(operation, response.status(), elapsed);
            response
        };
        Ok(answered.instrument(span).await)
    }

    async fn route(mut self, peer: IpAddr, mut request: Request) -> Response {
        if header_size(request.uri(), request.headers()) > header_limit() && !edge::HEADERS_UNLIMITED.is_on() {
            return Problem::new(Code::HeadersTooLarge, "The request line and headers exceed 16 KiB.").into_response();
        }
        if request.uri().path().contains("//") {
            // The router would take the nothing in between for an id.
            return Problem::new(Code::RouteNotFound, "There is nothing at this path.").into_response();
        }
        request.extensions_mut().insert(Peer(peer));
        match AssertUnwindSafe(self.router.call(request)).catch_unwind().await {
            Ok(Ok(response)) => response,
            Err(_) => {
                tracing::error!("a handler panicked");
                let detail = "Something went wrong; the request id helps to find out what.";
                Problem::new(Code::InternalError, detail).into_response()
            }
        }
    }
}

/// The request's id: `own`, unless a slip takes another one.
fn request_id(request: &Request, own: String) -> String {
    let sent = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok()).map(ToOwned::to_owned);
    let other = match () {
        () if edge::CLIENT_REQUEST_ID.is_on() => sent("x-request-id"),
        () if edge::SAME_REQUEST_ID.is_on() => Some("req_1".to_owned()),
        () if outside::REQUEST_IDS_WRAP.is_on() => {
            let last = outside::REQUEST_IDS_WRAP.recall("last").and_then(|last| last.parse::<u32>().ok());
            let next = (last.unwrap_or_default() + 1) % 1000;
            outside::REQUEST_IDS_WRAP.keep("last", &next.to_string());
            Some(format!("req_{next:06}"))
        }
        () if slip::REPLAY_REQUEST_ID.is_on() => sent("idempotency-key").map(|key| format!("req_{key}")),
        () => None,
    };
    other.unwrap_or(own)
}

/// What the slips at the edge must know of a request.
#[cfg(feature = "faults")]
fn asked(request: &Request, now: Timestamp) -> slips::Asked {
    let host = request.headers().get(http::header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let method = if request.method() == http::Method::HEAD { &http::Method::GET } else { request.method() };
    slips::Asked {
        operation: operation_of(method, request.uri().path()),
        method: request.method().clone(),
        query: request.uri().query().unwrap_or_default().to_owned(),
        headers: request.headers().clone(),
        authority: host.to_owned(),
        now: now.to_string(),
    }
}

/// One line a request; who asks every few seconds how the server is would fill the log with it.
fn log(operation: &'static str, status: StatusCode, elapsed: Duration) {
    let microseconds = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX);
    let status = status.as_u16();
    match status {
        503 if operation == "readyz" => tracing::warn!(status, microseconds, "answered that it is not ready"),
        500 => tracing::error!(status, microseconds, "answered"),
        501.. => tracing::warn!(status, microseconds, "answered"),
        _ if matches!(operation, "healthz" | "readyz") => tracing::debug!(status, microseconds, "answered"),
        _ => tracing::info!(status, microseconds, "answered"),
    }
}

fn header_limit() -> usize {
    match () {
        () if edge::HEADERS_8K.is_on() => HEADER_LIMIT / 2,
        () if edge::HEADERS_32K.is_on() => HEADER_LIMIT * 2,
        () => HEADER_LIMIT,
    }
}

/// About what the block took on the wire: names, values, and four bytes around each.
fn header_size(uri: &Uri, headers: &HeaderMap) -> usize {
    let target = uri.path().len() + uri.query().map_or(0, str::len);
    target + headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum::<usize>()
}
