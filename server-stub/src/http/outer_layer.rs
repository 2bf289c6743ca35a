//! Completes every request: adds a request id, security headers and a log line, renders the body of a problem, and turns a handler's
//! panic into a problem. Readers of the hosted site get a page instead of a problem. If the hosted site has a separate host,
//! keeps the API and the dashboard away from it.

use std::convert::Infallible;
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use futures::FutureExt as _;
use http::header::{CONTENT_SECURITY_POLICY, HOST, LINK, LOCATION, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
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
/// Content security policy of responses that are not pages.
const NO_PAGE: HeaderValue =
    HeaderValue::from_static("default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'");
/// Makes browsers use https for a year (RFC 6797).
const ONE_YEAR: HeaderValue = HeaderValue::from_static("max-age=31536000");
/// All operations on the separate host of the hosted site.
const OPERATIONS_OF_SITE: [&str; 7] =
    ["hosted_site", "asset", "capture_lead", "show_confirmation", "confirm_lead", "healthz", "readyz"];

/// The router and the resources that complete responses.
#[derive(Debug, Clone)]
pub(super) struct OuterLayer {
    pub(super) router: Router,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) randomness: Arc<dyn Randomness>,
    pub(super) metrics: Arc<Metrics>,
    /// Turns the path of a request into the path that the client used.
    pub(super) public_url: PublicUrl,
    /// The same for requests to the hosted site, if it has a separate host.
    pub(super) site_url: Option<PublicUrl>,
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
        let site_url = self.site_url.clone().filter(|url| host(&request).is_some_and(|host| url.is_at(host)));
        let url = site_url.as_ref().unwrap_or(&public_url);
        let is_elsewhere = site_url.is_some() && !OPERATIONS_OF_SITE.contains(&operation);
        let is_moved = site_url.is_none() && operation == "hosted_site";
        let new_address = if is_moved { self.address_on_site(&request) } else { None };
        // The error level keeps the id on warnings even if the log omits lower levels. Path and query are left out: a
        // client can write anything in them.
        let span = tracing::error_span!("request", request_id, operation, %method);
        let handling = async {
            let mut response = if is_draining && !matches!(operation, "healthz" | "readyz") {
                Problem::new(Code::Unavailable, "The service is shutting down.").retry_after(5).into_response()
            } else if is_elsewhere {
                StatusCode::NOT_FOUND.into_response()
            } else if let Some(address) = new_address {
                (StatusCode::PERMANENT_REDIRECT, [(LOCATION, address)]).into_response()
            } else {
                self.route(peer, request).await
            };
            let problem = response.extensions_mut().remove::<Problem>();
            if (operation == "hosted_site" || is_elsewhere) && response.status().as_u16() >= 400 {
                pages::turn_into_reader_page(&mut response, problem, url.path());
            } else if let Some(problem) = problem {
                let help = public_url.link_from(url, &format!("/problems/{}", problem.code().row().0));
                problem.render(&mut response, &url.reference(uri.path()), &request_id);
                response.headers_mut().insert(LINK, value(&format!("<{help}>; rel=\"help\"")));
            }
            response.headers_mut().insert(X_REQUEST_ID, value(&request_id));
            protect(response.headers_mut(), url);
            let elapsed = began.elapsed();
            metrics.request_handled(operation, &method, response.status().as_u16(), elapsed);
            log(operation, response.status(), elapsed);
            response
        };
        Ok(handling.instrument(span).await)
    }

    /// Returns the address of a page on the separate host of the hosted site, if there is one.
    fn address_on_site(&self, request: &Request) -> Option<HeaderValue> {
        let path = request.uri().path_and_query()?;
        let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
        let site_url = self.site_url.as_ref().filter(|_| is_read)?;
        HeaderValue::from_str(&site_url.absolute(path.as_str())).ok()
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

/// Adds the security headers that a response to a request for `url` lacks.
fn protect(headers: &mut HeaderMap, url: &PublicUrl) {
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(NO_PAGE);
    if url.origin().starts_with("https://") {
        headers.insert(STRICT_TRANSPORT_SECURITY, ONE_YEAR);
    }
}

/// Returns the host that a request is for, with its port (RFC 9112, section 3.2.2).
fn host(request: &Request) -> Option<&str> {
    let authority = request.uri().authority().map(http::uri::Authority::as_str);
    authority.or_else(|| request.headers().get(HOST)?.to_str().ok())
}

/// Returns the approximate size in bytes of the header block as sent: names, values, and four bytes for each header.
fn header_size(uri: &Uri, headers: &HeaderMap) -> usize {
    let target = uri.path().len() + uri.query().map_or(0, str::len);
    target + headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum::<usize>()
}
