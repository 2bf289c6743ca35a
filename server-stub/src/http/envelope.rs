//! What every answer gets, whatever answered: a request id, the body of its problem, a line in the log. A handler that
//! panics becomes a problem here.

use std::convert::Infallible;
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use futures::FutureExt as _;
use http::{HeaderMap, HeaderName, Uri};
use tower::Service as _;

use super::problem::{Code, Problem};
use super::response::value;
use crate::domain::clock::Clock;
use crate::domain::id::{self, Kind};

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The largest header block, request line included, bytes (CONTRACT 3.4).
const HEADER_LIMIT: usize = 16 * 1024;

/// The address that a request came from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Peer(pub(super) IpAddr);

/// The router, and the clock that request ids are made with.
#[derive(Debug, Clone)]
pub(super) struct Envelope {
    pub(super) router: Router,
    pub(super) clock: Arc<dyn Clock>,
}

impl Envelope {
    /// Answers one request.
    pub(super) async fn answer(mut self, peer: IpAddr, mut request: Request) -> Result<Response, Infallible> {
        let began = Instant::now();
        let request_id = id::new(Kind::Request, self.clock.now());
        let method = request.method().clone();
        let uri = request.uri().clone();
        let mut response = if header_size(request.uri(), request.headers()) > HEADER_LIMIT {
            Problem::new(Code::HeadersTooLarge, "The request line and headers exceed 16 KiB.").into_response()
        } else if uri.path().contains("//") {
            // The router would take the nothing in between for an id.
            Problem::new(Code::RouteNotFound, "There is nothing at this path.").into_response()
        } else {
            request.extensions_mut().insert(Peer(peer));
            match AssertUnwindSafe(self.router.call(request)).catch_unwind().await {
                Ok(Ok(response)) => response,
                Err(_) => {
                    tracing::error!(request_id, %method, path = uri.path(), "a handler panicked");
                    let detail = "Something went wrong; the request id helps to find out what.";
                    Problem::new(Code::InternalError, detail).into_response()
                }
            }
        };
        if let Some(problem) = response.extensions_mut().remove::<Problem>() {
            problem.render(&mut response, uri.path(), &request_id);
        }
        response.headers_mut().insert(X_REQUEST_ID, value(&request_id));
        // Paths hold ids only; queries may hold tokens and are left out.
        let microseconds = began.elapsed().as_micros();
        tracing::debug!(request_id, %method, path = uri.path(), status = response.status().as_u16(), microseconds, "answered");
        Ok(response)
    }
}

/// About what the block took on the wire: names, values, and four bytes around each.
fn header_size(uri: &Uri, headers: &HeaderMap) -> usize {
    let target = uri.path().len() + uri.query().map_or(0, str::len);
    target + headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum::<usize>()
}
