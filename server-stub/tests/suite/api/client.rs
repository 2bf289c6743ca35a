//! A client that checks every response against the document.

use reqwest::header::HeaderMap;
use reqwest::{Client, Method, Request, RequestBuilder};
use serde_json::Value;

use super::contract;
use crate::plain_http;

/// A complete response.
#[derive(Debug)]
pub(crate) struct ApiResponse {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: Vec<u8>,
}

impl ApiResponse {
    /// Returns the body as JSON, or null if it is not JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_default()
    }

    /// Returns the body as text.
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.bytes.clone()).unwrap()
    }

    /// Returns a header's text, or an empty text if it is absent.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// Returns status and problem code.
    pub(crate) fn problem(&self) -> (u16, String) {
        (self.status, self.json()["code"].as_str().unwrap_or_default().to_owned())
    }

    /// Returns the field errors as sorted pairs of code and place.
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

/// Sets a JSON body. In reqwest this needs a feature that the tests do not use otherwise.
pub(crate) trait WithJson {
    fn with_json(self, body: &Value) -> Self;
}

impl WithJson for RequestBuilder {
    fn with_json(self, body: &Value) -> Self {
        self.header("content-type", "application/json").body(body.to_string())
    }
}

/// Sends requests to one server, with one default key.
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

    /// Returns a caller of the same server with another key, or none.
    pub(crate) fn with_key(&self, key: Option<&str>) -> Self {
        Self { key: key.map(str::to_owned), ..self.clone() }
    }

    /// Returns a request that can get further headers or a body.
    pub(crate) fn request(&self, method: &str, path_and_query: &str) -> RequestBuilder {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let request = self.http.request(method, format!("{}{path_and_query}", self.base_url));
        match &self.key {
            Some(key) => request.bearer_auth(key),
            None => request,
        }
    }

    /// Sends a request and checks the response against the document.
    pub(crate) async fn send(&self, request: RequestBuilder) -> ApiResponse {
        let request = request.build().unwrap();
        let (method, path) = (request.method().to_string(), request.url().path().to_owned());
        let answer = self.exchange(request).await;
        contract::check(&method, &path, answer.status, &answer.headers, &answer.bytes);
        answer
    }

    /// Sends a request. The caller checks the response.
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

    /// Posts this text as JSON, even if it is not valid JSON.
    pub(crate) async fn post_text(&self, path: &str, text: &str) -> ApiResponse {
        let request = self.request("POST", path).header("content-type", "application/json");
        self.send(request.body(text.to_owned())).await
    }

    pub(crate) async fn generate(&self, body: &Value) -> ApiResponse {
        self.post_json("/api/v1/generate", body).await
    }
}
