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
    /// The method, also one that nobody knows.
    pub method: Method,
    /// The path within the API, still percent-encoded.
    pub path: String,
    /// What stands before it in the request line, where the API has no host of its own.
    pub base_path: Arc<str>,
    /// The query without its question mark, still percent-encoded.
    pub query: Option<String>,
    /// Headers; those that concern one connection only are left out.
    pub headers: HeaderMap,
    /// The whole body.
    pub body: Bytes,
    /// The network address that it came from; none where the edge or the server made it.
    pub address: Option<IpAddr>,
}

impl Request {
    /// A `GET` without headers, for what a fault wants to know of the server.
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

    /// The same with a key.
    #[must_use]
    pub fn with_key(mut self, key: &str) -> Self {
        self.set("authorization", &format!("Bearer {key}"));
        self
    }

    /// The path as callers write it.
    pub fn public_path(&self) -> String {
        format!("{}{}", self.base_path, self.path)
    }

    /// The operation it asks for.
    pub fn operation(&self) -> Option<Operation> {
        Operation::parse(&self.method, &self.path).map(|(operation, _)| operation)
    }

    /// Whether it asks for `operation`.
    pub fn is(&self, operation: Operation) -> bool {
        self.operation() == Some(operation)
    }

    /// The id in its path, percent-decoded.
    pub fn id(&self) -> Option<String> {
        let id = Operation::parse(&self.method, &self.path)?.1?;
        Some(decode(id))
    }

    /// Where the id stands in its path.
    pub fn id_range(&self) -> Option<Range<usize>> {
        let id = Operation::parse(&self.method, &self.path)?.1?;
        let start = id.as_ptr() as usize - self.path.as_ptr() as usize;
        Some(start..start + id.len())
    }

    /// Puts another id into its path, percent-encoded.
    pub fn set_id(&mut self, id: &str) {
        if let Some(range) = self.id_range() {
            self.path.replace_range(range, &encode(id));
        }
    }

    /// The key after `Bearer`, in any case, if there is one.
    pub fn key(&self) -> Option<&str> {
        let (scheme, key) = self.header("authorization")?.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
    }

    /// The first value of a header, if it is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        headers::get(&self.headers, name)
    }

    /// Sets a header to one value.
    pub fn set(&mut self, name: &str, value: &str) {
        headers::set(&mut self.headers, name, value);
    }

    /// Takes a header away.
    pub fn remove(&mut self, name: &str) {
        self.headers.remove(name);
    }

    /// The body, if it is JSON.
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
    // `+` is no blank in a path.
    let pair = format!("={}", text.replace('+', "%2B"));
    url::form_urlencoded::parse(pair.as_bytes()).next().map(|(_, value)| value.into_owned()).unwrap_or_default()
}

/// A text as a segment of a path, percent-encoded.
pub(crate) fn encode(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect()
}
