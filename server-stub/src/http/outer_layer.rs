//! Completes every request: adds a request id and a log line, renders the body of a problem, and turns a handler's panic into a
//! problem. Readers of the hosted site get a page instead of a problem.

use std::convert::Infallible;
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use futures::FutureExt as _;
use http::header::LINK;
use http::{HeaderMap, HeaderName, StatusCode, Uri};
use ipnet::IpNet;
use tower::Service as _;
use tracing::Instrument as _;

use super::problem::{Code, Problem};
use super::response::value;
use super::route::operation_of;
use super::{forwarded, pages};
use crate::app::Peer;
use crate::domain::clock::Clock;
use crate::domain::id::{self, Kind};
use crate::domain::public_url::PublicUrl;
use crate::domain::randomness::Randomness;
use crate::metrics::Metrics;

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Maximum size of the request line and headers in bytes (`header_block` under `x-limits`).
const MAX_HEADER_BYTES: usize = 16 * 1024;

/// The router and the resources that complete responses.
#[derive(Debug, Clone)]
pub(super) struct OuterLayer {
    pub(super) router: Router,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) randomness: Arc<dyn Randomness>,
    pub(super) metrics: Arc<Metrics>,
    /// Turns the path of a request into the path that the client used.
    pub(super) public_url: PublicUrl,
    /// Proxies whose `X-Forwarded-For` is trusted.
    pub(super) trusted_proxies: Arc<[IpNet]>,
}

impl OuterLayer {
    /// Handles one request. While the server drains, it only accepts health checks.
    pub(super) async fn handle(
        self,
        peer: IpAddr,
        is_draining: bool,
        request: Request,
    ) -> Result<Response, Infallible> {
        let began = Instant::now();
        let request_id = id::new(Kind::Request, self.clock.wall(), &*self.randomness);
        let (method, uri) = (request.method().clone(), request.uri().clone());
        let operation = operation_of(&method, uri.path());
        let (metrics, public_url) = (Arc::clone(&self.metrics), self.public_url.clone());
        // The error level keeps the id on warnings even if the log omits lower levels. Path and query are left out: a
        // client can write anything in them.
        let span = tracing::error_span!("request", request_id, operation, %method);
        let handling = async {
            let mut response = if is_draining && !matches!(operation, "healthz" | "readyz") {
                Problem::new(Code::Unavailable, "The service is shutting down.").retry_after(5).into_response()
            } else {
                self.route(peer, request).await
            };
            let problem = response.extensions_mut().remove::<Problem>();
            if operation == "hosted_site" && response.status().as_u16() >= 400 {
                pages::turn_into_reader_page(&mut response, problem, public_url.path());
            } else if let Some(problem) = problem {
                let help = public_url.reference(&format!("/problems/{}", problem.code().row().0));
                problem.render(&mut response, &public_url.reference(uri.path()), &request_id);
                response.headers_mut().insert(LINK, value(&format!("<{help}>; rel=\"help\"")));
            }
            response.headers_mut().insert(X_REQUEST_ID, value(&request_id));
            let elapsed = began.elapsed();
            metrics.request_handled(operation, &method, response.status().as_u16(), elapsed);
            log(operation, response.status(), elapsed);
            response
        };
        Ok(handling.instrument(span).await)
    }

    async fn route(mut self, peer: IpAddr, mut request: Request) -> Response {
        if header_size(request.uri(), request.headers()) > MAX_HEADER_BYTES {
            return Problem::new(Code::HeadersTooLarge, "The request line and headers are larger than 16 KiB.")
                .into_response();
        }
        if request.uri().path().contains("//") {
            // The router would treat the empty segment as an id.
            return Problem::new(Code::RouteNotFound, "There is nothing at this path.").into_response();
        }
        let client = forwarded::client(peer, request.headers(), &self.trusted_proxies);
        request.extensions_mut().insert(Peer(client));
        match AssertUnwindSafe(self.router.call(request)).catch_unwind().await {
            Ok(Ok(response)) => response,
            Err(_) => {
                tracing::error!("a handler panicked");
                let detail = "The service failed. Quote the request id when you report it.";
                Problem::new(Code::InternalError, detail).into_response()
            }
        }
    }
}

/// Writes one log line for a request. Health checks come every few seconds, so they are only logged at the debug level.
fn log(operation: &'static str, status: StatusCode, elapsed: Duration) {
    let microseconds = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX);
    let status = status.as_u16();
    match status {
        503 if operation == "readyz" => tracing::warn!(status, microseconds, "the server is not ready"),
        500 => tracing::error!(status, microseconds, "answered"),
        501.. => tracing::warn!(status, microseconds, "answered"),
        _ if matches!(operation, "healthz" | "readyz") => tracing::debug!(status, microseconds, "answered"),
        _ => tracing::info!(status, microseconds, "answered"),
    }
}

/// Returns the approximate size in bytes of the header block as sent: names, values, and four bytes for each header.
fn header_size(uri: &Uri, headers: &HeaderMap) -> usize {
    let target = uri.path().len() + uri.query().map_or(0, str::len);
    target + headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum::<usize>()
}
