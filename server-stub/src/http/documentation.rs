//! How to call the API: the reference for people, the document for programs. Both are built into the server.

use std::sync::LazyLock;

use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderMap, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderValue, StatusCode};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::conditional::matches_if_none_match;
use super::response::{encode, value};
use crate::app::DOCUMENT_TEXT;
use crate::domain::entity_tag::entity_tag;

/// The reference, made by `cargo xtask codegen`.
const REFERENCE: &str = include_str!("../../assets/reference.html");
/// The document as OpenAPI 3.1, made by `cargo xtask codegen`.
const EDITION_3_1: &str = include_str!("../../assets/openapi-3.1.json");
/// Anybody may keep it, and asks each time whether it is still current: the addresses stay when the server is updated.
const CACHING: HeaderValue = HeaderValue::from_static("public, no-cache");

/// What one address shows, the same for everybody for as long as the process runs.
struct Representation {
    body: Bytes,
    tag: HeaderValue,
    media_type: &'static str,
    /// Only a page needs one.
    security_policy: Option<HeaderValue>,
}

static DOCS: LazyLock<Representation> = LazyLock::new(|| Representation {
    security_policy: Some(security_policy(REFERENCE)),
    ..Representation::new(Bytes::from_static(REFERENCE.as_bytes()), "text/html; charset=utf-8")
});

static OPENAPI_YAML: LazyLock<Representation> =
    LazyLock::new(|| Representation::new(Bytes::from_static(DOCUMENT_TEXT.as_bytes()), "application/yaml"));

static OPENAPI_JSON: LazyLock<Representation> = LazyLock::new(|| {
    let document: Node =
        serde_saphyr::from_str(DOCUMENT_TEXT).expect("the document is read by every test of this crate");
    Representation::new(encode(&document), "application/json")
});

static OPENAPI_3_1_JSON: LazyLock<Representation> =
    LazyLock::new(|| Representation::new(Bytes::from_static(EDITION_3_1.as_bytes()), "application/json"));

/// The API reference.
pub(super) async fn docs(headers: HeaderMap) -> Response {
    DOCS.response(&headers)
}

/// The OpenAPI document as it was written.
pub(super) async fn openapi_yaml(headers: HeaderMap) -> Response {
    OPENAPI_YAML.response(&headers)
}

/// The OpenAPI document, for programs that read JSON only.
pub(super) async fn openapi_json(headers: HeaderMap) -> Response {
    OPENAPI_JSON.response(&headers)
}

/// The OpenAPI document as OpenAPI 3.1.
pub(super) async fn openapi_3_1_json(headers: HeaderMap) -> Response {
    OPENAPI_3_1_JSON.response(&headers)
}

impl Representation {
    fn new(body: Bytes, media_type: &'static str) -> Self {
        let tag = value(&entity_tag(&body));
        Self { body, tag, media_type, security_policy: None }
    }

    /// The response to a request with these headers.
    fn response(&self, request: &HeaderMap) -> Response {
        let is_current = self.tag.to_str().is_ok_and(|tag| matches_if_none_match(request, tag));
        let mut response = if is_current {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            let mut response = self.body.clone().into_response();
            response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(self.media_type));
            response
        };
        let headers = response.headers_mut();
        headers.insert(ETAG, self.tag.clone());
        headers.insert(CACHE_CONTROL, CACHING);
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        if let Some(policy) = &self.security_policy {
            headers.insert(CONTENT_SECURITY_POLICY, policy.clone());
            headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
        }
        response
    }
}

/// A value of the document. Unlike `serde_json`'s own type it keeps the order of members, which is the order in which
/// tools show operations and properties.
#[derive(Deserialize, Serialize)]
#[serde(untagged)]
enum Node {
    Map(IndexMap<String, Node>),
    List(Vec<Node>),
    Scalar(serde_json::Value),
}

/// Lets the page run its own script and use its own style, each known by its hash, and load nothing at all.
fn security_policy(page: &str) -> HeaderValue {
    value(&format!(
        "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        source_hash(page, "style"),
        source_hash(page, "script"),
    ))
}

/// The hash of what stands in the page's one element of this name, as a source of the policy (CSP 3 section 2.3.1).
fn source_hash(page: &str, element: &str) -> String {
    let (_, rest) = page.split_once(&format!("<{element}>")).expect("the page has the element, as a test sees");
    let (text, _) = rest.split_once(&format!("</{element}>")).expect("the element ends, as a test sees");
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}
