//! An answer taken apart, so that it can be changed and put together again.

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderName};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::Value;

/// What was asked, as far as the answer depends on it.
pub(in crate::http) struct Asked {
    pub(in crate::http) operation: &'static str,
    pub(in crate::http) method: Method,
    pub(in crate::http) query: String,
    pub(in crate::http) headers: HeaderMap,
    pub(in crate::http) authority: String,
    pub(in crate::http) now: String,
}

/// An answer in parts.
pub(super) struct Answer {
    pub(super) parts: http::response::Parts,
    /// The body where it is JSON.
    pub(super) json: Option<Value>,
    /// The body as it goes out unless `json` was changed.
    pub(super) bytes: Bytes,
    is_changed: bool,
}

impl Answer {
    pub(super) async fn read(response: Response) -> Self {
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
        let media_type = parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let json = media_type.contains("json").then(|| serde_json::from_slice(&bytes).ok()).flatten();
        Self { parts, json, bytes, is_changed: false }
    }

    pub(super) fn status(&self) -> u16 {
        self.parts.status.as_u16()
    }

    pub(super) fn set_status(&mut self, status: StatusCode) {
        self.parts.status = status;
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.parts.headers.get(name)?.to_str().ok()
    }

    pub(super) fn set_header(&mut self, name: &'static str, value: &str) {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.parts.headers.insert(HeaderName::from_static(name), value);
        }
    }

    pub(super) fn remove_header(&mut self, name: &'static str) {
        self.parts.headers.remove(name);
    }

    /// Changes the JSON of the body, if it has any.
    pub(super) fn edit(&mut self, edit: impl FnOnce(&mut Value)) {
        if let Some(json) = &mut self.json {
            edit(json);
            self.is_changed = true;
        }
    }

    /// Changes each row of a page.
    pub(super) fn edit_rows(&mut self, edit: impl Fn(&mut Value)) {
        self.edit(|page| page["items"].as_array_mut().into_iter().flatten().for_each(edit));
    }

    /// Another body.
    pub(super) fn set_body(&mut self, media_type: &str, body: impl Into<Bytes>) {
        self.set_header("content-type", media_type);
        (self.json, self.bytes, self.is_changed) = (None, body.into(), true);
    }

    /// The bytes to send.
    pub(super) fn body(&self, write: impl FnOnce(&Value) -> Vec<u8>, is_rewritten: bool) -> Bytes {
        match &self.json {
            Some(json) if self.is_changed || is_rewritten => write(json).into(),
            _ => self.bytes.clone(),
        }
    }

    /// The answer as it was, or with another body.
    pub(super) fn finish(mut self, body: Body, length: Option<usize>) -> Response {
        let is_head = self.bytes.is_empty() && !self.is_changed;
        if !is_head {
            self.parts.headers.remove(CONTENT_LENGTH);
            if let Some(length) = length {
                self.parts.headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
            }
        }
        Response::from_parts(self.parts, body)
    }
}
