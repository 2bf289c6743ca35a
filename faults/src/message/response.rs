//! A response on its way to the caller.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};

use super::headers;
use super::request::Request;
use super::rest::Rest;

/// Form of the body on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BodyForm {
    /// In one piece, with its length.
    #[default]
    Whole,
    /// In chunks of this many bytes.
    Chunks(usize),
    /// Breaks the connection after this many bytes, although more were announced.
    CutAfter(usize),
    /// Stalls after this many bytes, with the connection open.
    StallAfter(usize),
}

/// A whole response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// Headers, without those that concern one connection only.
    pub headers: HeaderMap,
    /// Whole body, or as much of it as arrived in time.
    pub body: Bytes,
    /// Rest of a receiver's body that had not ended yet.
    pub rest: Option<Rest>,
    /// Form of the body on the wire.
    pub form: BodyForm,
    /// Delay before the response is sent.
    pub delay: Duration,
    /// True if the connection closes after the response.
    pub closes: bool,
}

impl Response {
    /// Returns a response without headers.
    pub fn new(status: u16, body: impl Into<Bytes>) -> Self {
        Self {
            status,
            headers: HeaderMap::new(),
            body: body.into(),
            rest: None,
            form: BodyForm::Whole,
            delay: Duration::ZERO,
            closes: false,
        }
    }

    /// Returns a response with JSON.
    pub fn json_of(status: u16, value: &Value) -> Self {
        let mut response = Self::new(status, value.to_string());
        response.set("content-type", "application/json");
        response
    }

    /// Returns a problem (RFC 9457) of the document, with the fields that every problem has. The request id and the
    /// quota are copied from `template`, a response of the same server.
    pub fn problem(template: &Self, status: u16, code: &str, title: &str) -> Self {
        let request_id = template.header("x-request-id").unwrap_or_default().to_owned();
        let body = json!({
            "type": format!("urn:problem-type:content-generation:{code}"),
            "title": title,
            "status": status,
            "detail": format!("{title}."),
            "code": code,
            "request_id": request_id,
        });
        let mut response = Self { headers: template.headers.clone(), ..Self::json_of(status, &body) };
        for name in ["etag", "last-modified", "location", "content-location", "link", "content-length"] {
            response.remove(name);
        }
        response.set("content-type", "application/problem+json");
        response.set("cache-control", "no-store");
        response
    }

    /// Returns true if the status is a 2xx.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Returns the status with its reason phrase, if registered.
    pub(crate) fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// Returns the first value of a header, if it is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        headers::get(&self.headers, name)
    }

    /// Sets a header to one value.
    pub fn set(&mut self, name: &str, value: &str) {
        headers::set(&mut self.headers, name, value);
    }

    /// Sets Link to the request for the next page (RFC 8288).
    pub fn set_next_link(&mut self, next: &Request) {
        let query = next.query.as_ref().map(|query| format!("?{query}")).unwrap_or_default();
        self.set("link", &format!("<{}{query}>; rel=\"next\"", next.public_path()));
    }

    /// Replaces a header if it exists.
    pub fn change(&mut self, name: &str, change: impl FnOnce(&str) -> String) {
        if let Some(value) = self.header(name).map(change) {
            self.set(name, &value);
        }
    }

    /// Removes a header.
    pub fn remove(&mut self, name: &str) {
        self.headers.remove(name);
    }

    /// Adds a value to a header.
    pub fn append(&mut self, name: &str, value: &str) {
        headers::append(&mut self.headers, name, value);
    }

    /// Returns the body, if it is JSON.
    pub fn json(&self) -> Option<Value> {
        serde_json::from_slice(&self.body).ok()
    }

    /// Returns a text of the JSON body, by its JSON pointer.
    pub fn text(&self, pointer: &str) -> Option<String> {
        self.json()?.pointer(pointer)?.as_str().map(ToOwned::to_owned)
    }

    /// Returns the code of a problem.
    pub fn code(&self) -> Option<String> {
        if self.is_success() { None } else { self.text("/code") }
    }

    /// Changes the body, if it is JSON.
    pub fn edit(&mut self, edit: impl FnOnce(&mut Value)) {
        if let Some(mut value) = self.json() {
            let before = value.clone();
            edit(&mut value);
            if value != before {
                self.body = value.to_string().into();
            }
        }
    }

    /// Changes every row of a page.
    pub fn edit_rows(&mut self, edit: impl FnMut(&mut Value)) {
        self.edit(|page| {
            if let Some(rows) = page.get_mut("items").and_then(Value::as_array_mut) {
                rows.iter_mut().for_each(edit);
            }
        });
    }

    /// Replaces the body and the media type.
    pub fn set_body(&mut self, media_type: &str, body: impl Into<Bytes>) {
        self.body = body.into();
        self.set("content-type", media_type);
    }
}
