//! Responses and requests of the mock service, in types of this crate.

use std::fmt;

use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use serde::Serialize;
use serde_json::Value;
use wiremock::{Request, ResponseTemplate};

use super::operation;

/// A response of the mock service, for cases without a sample: another status, headers, bytes that are not JSON.
///
/// ```
/// use contentgen_sdk::test_util::MockResponse;
///
/// let busy = MockResponse::new(503).header("Retry-After", "1");
/// let odd = MockResponse::new(200).json(&serde_json::json!({ "title": "Odd" }));
/// let page = MockResponse::new(502).body("<html>Bad gateway</html>", "text/html");
/// ```
#[derive(Clone)]
#[must_use = "a response is sent after it was passed to the service"]
pub struct MockResponse {
    status: StatusCode,
    template: ResponseTemplate,
}

impl MockResponse {
    /// Makes a response without headers and body.
    ///
    /// # Panics
    ///
    /// If the status is not between 100 and 999.
    pub fn new(status: u16) -> Self {
        let status = StatusCode::from_u16(status).expect("`status` must be from 100 to 999");
        Self { status, template: ResponseTemplate::new(status) }
    }

    /// Sets a header and replaces any other of this name.
    ///
    /// # Panics
    ///
    /// If the name or the value is not valid for a header.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        let name: HeaderName = name.parse().expect("`name` must be a header name");
        let value = HeaderValue::from_str(value).expect("`value` must be a header value");
        self.template = self.template.insert_header(name, value);
        self
    }

    /// Sets a JSON body.
    ///
    /// # Panics
    ///
    /// If the value cannot be written as JSON.
    pub fn json(self, body: &impl Serialize) -> Self {
        let body = serde_json::to_vec(body).expect("`body` must be serializable as JSON");
        self.body(body, "application/json")
    }

    /// Sets a body of any bytes, with a media type.
    pub fn body(mut self, bytes: impl Into<Vec<u8>>, media_type: &str) -> Self {
        self.template = self.template.set_body_raw(bytes.into(), media_type);
        self
    }

    /// Converts into a response of the underlying server.
    pub(super) fn into_template(self) -> ResponseTemplate {
        self.template
    }
}

/// Omits the body, which may be long.
impl fmt::Debug for MockResponse {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("MockResponse").field("status", &self.status.as_u16()).finish_non_exhaustive()
    }
}

/// A request that the mock service has received.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReceivedRequest {
    /// Name of the operation in the document; `None` if method and path do not match any.
    pub operation: Option<&'static str>,
    /// The method.
    pub method: Method,
    /// Path, encoded as sent, with the query if there is one.
    pub path_and_query: String,
    /// The headers.
    pub headers: HeaderMap,
    /// Body; empty if the request has none.
    pub body: Vec<u8>,
}

impl ReceivedRequest {
    /// Returns the body as JSON; null if it is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// Converts a request of the underlying server.
    pub(super) fn of(request: Request) -> Self {
        let operation = operation::of(&request).map(|(name, _id)| name);
        let url = &request.url;
        let path_and_query =
            url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path()));
        let Request { method, headers, body, .. } = request;
        Self { operation, method, path_and_query, headers, body }
    }
}
