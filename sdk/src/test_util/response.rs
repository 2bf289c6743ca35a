//! Responses and requests of the stand-in, in types of this crate.

use std::fmt;

use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use serde::Serialize;
use serde_json::Value;
use wiremock::{Request, ResponseTemplate};

use super::operation;

/// A response of the stand-in, for what no sample can say: another status, headers, bytes that are no JSON.
///
/// ```
/// use contentgen_sdk::test_util::MockResponse;
///
/// let busy = MockResponse::new(503).header("Retry-After", "1");
/// let odd = MockResponse::new(200).json(&serde_json::json!({ "title": "Odd" }));
/// let page = MockResponse::new(502).body("<html>Bad gateway</html>", "text/html");
/// ```
#[derive(Clone)]
#[must_use = "a response is sent once the service is told to"]
pub struct MockResponse {
    status: StatusCode,
    template: ResponseTemplate,
}

impl MockResponse {
    /// A response without headers and body.
    ///
    /// # Panics
    ///
    /// If it is no status: 100 to 999.
    pub fn new(status: u16) -> Self {
        let status = StatusCode::from_u16(status).expect("`status` must be from 100 to 999");
        Self { status, template: ResponseTemplate::new(status) }
    }

    /// A header of this name in the place of any other.
    ///
    /// # Panics
    ///
    /// If they are no name or no value of a header.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        let name: HeaderName = name.parse().expect("`name` must be a header name");
        let value = HeaderValue::from_str(value).expect("`value` must be a header value");
        self.template = self.template.insert_header(name, value);
        self
    }

    /// A JSON body.
    ///
    /// # Panics
    ///
    /// If the value cannot be written as JSON.
    pub fn json(self, body: &impl Serialize) -> Self {
        let body = serde_json::to_vec(body).expect("`body` must be serializable as JSON");
        self.body(body, "application/json")
    }

    /// A body of any bytes, of a media type.
    pub fn body(mut self, bytes: impl Into<Vec<u8>>, media_type: &str) -> Self {
        self.template = self.template.set_body_raw(bytes.into(), media_type);
        self
    }

    /// What the server below sends.
    pub(super) fn into_template(self) -> ResponseTemplate {
        self.template
    }
}

/// Without the body, which may be long.
impl fmt::Debug for MockResponse {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("MockResponse").field("status", &self.status.as_u16()).finish_non_exhaustive()
    }
}

/// A request that the stand-in has received.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReceivedRequest {
    /// The operation, by its name in the document; `None` if the path and the method are none of an operation.
    pub operation: Option<&'static str>,
    /// The method.
    pub method: Method,
    /// The path, encoded as it was sent, with the query where there is one.
    pub path_and_query: String,
    /// The headers.
    pub headers: HeaderMap,
    /// The body; empty if there is none.
    pub body: Vec<u8>,
}

impl ReceivedRequest {
    /// The body as JSON; null if it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// A request as the server below keeps it.
    pub(super) fn of(request: Request) -> Self {
        let operation = operation::of(&request).map(|(name, _id)| name);
        let url = &request.url;
        let path_and_query =
            url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path()));
        let Request { method, headers, body, .. } = request;
        Self { operation, method, path_and_query, headers, body }
    }
}
