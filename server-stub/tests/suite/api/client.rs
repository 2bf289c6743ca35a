//! A client that checks every answer against the document.

use reqwest::header::HeaderMap;
use reqwest::{Client, Method, Request, RequestBuilder};
use serde_json::Value;

use super::contract;
use crate::plain_http;

/// An answer, whole.
#[derive(Debug)]
pub(crate) struct ApiResponse {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: Vec<u8>,
}

impl ApiResponse {
    /// The body as JSON; null when it is none.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_default()
    }

    /// The body as text.
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.bytes.clone()).unwrap()
    }

    /// A header's text; empty when it is absent.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// Status and problem code.
    pub(crate) fn problem(&self) -> (u16, String) {
        (self.status, self.json()["code"].as_str().unwrap_or_default().to_owned())
    }

    /// The field errors as (code, place), sorted.
    pub(crate) fn field_errors(&self) -> Vec<(String, String)> {
        let errors = self.json()["errors"].as_array().cloned().unwrap_or_default();
        let place = |error: &Value| {
            ["pointer", "parameter", "header"].iter().find_map(|name| error[*name].as_str().map(str::to_owned))
        };
        let mut errors: Vec<_> =
            errors.iter().map(|error| (error["code"].as_str().unwrap().to_owned(), place(error).unwrap())).collect();
        errors.sort();
        errors
    }
}

/// A JSON body, which reqwest offers only with a feature that nothing else here needs.
pub(crate) trait WithJson {
    fn with_json(self, body: &Value) -> Self;
}

impl WithJson for RequestBuilder {
    fn with_json(self, body: &Value) -> Self {
        self.header("content-type", "application/json").body(body.to_string())
    }
}

/// Sends requests to one server, with one key unless told otherwise.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    http: Client,
    base_url: String,
    key: Option<String>,
}

impl Caller {
    pub(crate) fn new(base_url: &str, key: Option<&str>) -> Self {
        let http = plain_http::client();
        Self { http, base_url: base_url.to_owned(), key: key.map(str::to_owned) }
    }

    /// The same server with another key, or none.
    pub(crate) fn with_key(&self, key: Option<&str>) -> Self {
        Self { key: key.map(str::to_owned), ..self.clone() }
    }

    /// A request that still wants headers or a body.
    pub(crate) fn request(&self, method: &str, path_and_query: &str) -> RequestBuilder {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let request = self.http.request(method, format!("{}{path_and_query}", self.base_url));
        match &self.key {
            Some(key) => request.bearer_auth(key),
            None => request,
        }
    }

    /// Sends a request and checks the answer against the document.
    pub(crate) async fn send(&self, request: RequestBuilder) -> ApiResponse {
        let request = request.build().unwrap();
        let (method, path) = (request.method().to_string(), request.url().path().to_owned());
        let answer = self.exchange(request).await;
        contract::check(&method, &path, answer.status, &answer.headers, &answer.bytes);
        answer
    }

    /// Sends a request and leaves checking the answer to the caller.
    pub(crate) async fn exchange(&self, request: Request) -> ApiResponse {
        let response = self.http.execute(request).await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let bytes = response.bytes().await.unwrap().to_vec();
        ApiResponse { status, headers, bytes }
    }

    pub(crate) async fn get(&self, path_and_query: &str) -> ApiResponse {
        self.send(self.request("GET", path_and_query)).await
    }

    pub(crate) async fn post_json(&self, path: &str, body: &Value) -> ApiResponse {
        self.post_text(path, &body.to_string()).await
    }

    /// Posts this text as JSON, whether it is or not.
    pub(crate) async fn post_text(&self, path: &str, text: &str) -> ApiResponse {
        let request = self.request("POST", path).header("content-type", "application/json");
        self.send(request.body(text.to_owned())).await
    }

    pub(crate) async fn generate(&self, body: &Value) -> ApiResponse {
        self.post_json("/api/v1/generate", body).await
    }
}
