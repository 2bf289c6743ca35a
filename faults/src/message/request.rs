//! A request on its way to the server.

use std::net::IpAddr;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, Method};
use serde_json::Value;

use super::headers;
use super::operation::Operation;

/// A whole request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Method, known or unknown.
    pub method: Method,
    /// Path within the API, still percent-encoded.
    pub path: String,
    /// Path prefix in the request line, if the API shares its host.
    pub base_path: Arc<str>,
    /// Query without its question mark, still percent-encoded.
    pub query: Option<String>,
    /// Headers, without those that concern one connection only.
    pub headers: HeaderMap,
    /// Whole body.
    pub body: Bytes,
    /// Network address of the client; `None` if the proxy or the server made the request.
    pub address: Option<IpAddr>,
}

impl Request {
    /// Returns a `GET` without headers, for a fault's own reads.
    pub fn get(path: &str) -> Self {
        let (path, query) = path.split_once('?').map_or((path, None), |(path, query)| (path, Some(query)));
        Self {
            method: Method::GET,
            path: path.to_owned(),
            base_path: Arc::default(),
            query: query.map(ToOwned::to_owned),
            headers: HeaderMap::new(),
            body: Bytes::new(),
            address: None,
        }
    }

    /// Same with a key.
    #[must_use]
    pub fn with_key(mut self, key: &str) -> Self {
        self.set("authorization", &format!("Bearer {key}"));
        self
    }

    /// Returns the path as callers write it.
    pub fn public_path(&self) -> String {
        format!("{}{}", self.base_path, self.path)
    }

    /// Returns the requested operation.
    pub fn operation(&self) -> Option<Operation> {
        Operation::parse(&self.method, &self.path).map(|(operation, _)| operation)
    }

    /// Returns true if the request is for `operation`.
    pub fn is(&self, operation: Operation) -> bool {
        self.operation() == Some(operation)
    }

    /// Returns the id in the path, percent-decoded.
    pub fn id(&self) -> Option<String> {
        let id = Operation::parse(&self.method, &self.path)?.1?;
        Some(decode(id))
    }

    /// Returns the range of the id in the path.
    pub fn id_range(&self) -> Option<Range<usize>> {
        let id = Operation::parse(&self.method, &self.path)?.1?;
        let start = id.as_ptr() as usize - self.path.as_ptr() as usize;
        Some(start..start + id.len())
    }

    /// Replaces the id in the path, percent-encoded.
    pub fn set_id(&mut self, id: &str) {
        if let Some(range) = self.id_range() {
            self.path.replace_range(range, &encode(id));
        }
    }

    /// Returns the key after `Bearer`, in any case.
    pub fn key(&self) -> Option<&str> {
        let (scheme, key) = self.header("authorization")?.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
    }

    /// Returns the first value of a header, if it is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        headers::get(&self.headers, name)
    }

    /// Sets a header to one value.
    pub fn set(&mut self, name: &str, value: &str) {
        headers::set(&mut self.headers, name, value);
    }

    /// Removes a header.
    pub fn remove(&mut self, name: &str) {
        self.headers.remove(name);
    }

    /// Returns the body, if it is JSON.
    pub fn json(&self) -> Option<Value> {
        serde_json::from_slice(&self.body).ok()
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
}

fn decode(text: &str) -> String {
    // `+` does not mean a space in a path.
    let pair = format!("={}", text.replace('+', "%2B"));
    url::form_urlencoded::parse(pair.as_bytes()).next().map(|(_, value)| value.into_owned()).unwrap_or_default()
}

/// Percent-encodes a text as a segment of a path.
pub(crate) fn encode(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect()
}
