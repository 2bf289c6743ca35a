//! The request of a call, with all that it needs. The builders of operations set its parts.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Request, Url};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::bounds::{self, Bounded};
use crate::client::Client;
use crate::config::ConfigError;
use crate::error::Error;
use crate::generated::types::{FieldError, FieldErrorCode};
use crate::idempotency::{self, IDEMPOTENCY_KEY};
use crate::invalid_request::{Faults, Place};
use crate::operation::{CUSTOM, KeyUse, Operation};
use crate::response::Response;
use crate::{attempts, segment};

static PREFER: HeaderName = HeaderName::from_static("prefer");
/// Maximum time that a server holds a response for `Prefer: wait=N`.
const LONGEST_HOLD: Duration = Duration::from_secs(60);

/// A request that is being put together.
#[derive(Clone)]
pub(crate) struct Call {
    operation: &'static Operation,
    method: Method,
    /// Path after the base URL.
    path: Cow<'static, str>,
    query: Vec<(Cow<'static, str>, String)>,
    headers: HeaderMap,
    body: Option<Bytes>,
    /// Problems found so far that keep the request from being sent.
    faults: Faults,
}

impl Call {
    /// Starts a request of an operation, with the ids of its path.
    pub(crate) fn new(operation: &'static Operation, ids: &[(&str, String)]) -> Self {
        let mut call = Self::at(operation, operation.method.clone(), Cow::Borrowed(operation.path));
        for (name, id) in ids {
            match segment::encode_segment(name, id) {
                Ok(segment) => call.path = call.path.replace(&format!("{{{name}}}"), &segment).into(),
                Err(fault) => call.faults.add(*fault),
            }
        }
        call
    }

    /// Starts a request outside the document.
    pub(crate) fn custom(method: Method, path: String) -> Self {
        Self::at(&CUSTOM, method, path.into())
    }

    fn at(operation: &'static Operation, method: Method, path: Cow<'static, str>) -> Self {
        let (query, headers, faults) = (Vec::new(), HeaderMap::new(), Faults::default());
        Self { operation, method, path, query, headers, body: None, faults }
    }

    /// Sets a query parameter that occurs once, or removes it.
    pub(crate) fn set_query(&mut self, name: &'static str, value: Option<impl Serialize>) {
        self.query.retain(|(set, _)| set != name);
        if let Some(value) = value {
            let text = match serde_json::to_value(value).expect("a parameter is a text or a number") {
                Value::String(text) => text,
                other => other.to_string(),
            };
            self.add_query(name, text);
        }
    }

    /// Adds a query parameter.
    pub(crate) fn add_query(&mut self, name: impl Into<Cow<'static, str>>, value: String) {
        self.query.push((name.into(), value));
    }

    /// Returns the value of a query parameter.
    pub(crate) fn query(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(set, _)| set == name).map(|(_, value)| value.as_str())
    }

    /// Sets a header from a text, or removes it.
    pub(crate) fn set_header(&mut self, name: &'static str, value: Option<String>) {
        self.headers.remove(name);
        self.faults.forget_header(name);
        match value.map(|value| bounds::header(name, &value)) {
            Some(Ok(value)) => _ = self.headers.insert(name, value),
            Some(Err(fault)) => self.faults.add(*fault),
            None => {}
        }
    }

    /// Sets a header.
    pub(crate) fn insert_header(&mut self, name: HeaderName, value: HeaderValue) {
        self.headers.insert(name, value);
    }

    /// Sets the body.
    pub(crate) fn set_body(&mut self, body: impl Into<Bytes>) {
        self.body = Some(body.into());
    }

    /// Sets a JSON body.
    pub(crate) fn set_json(&mut self, body: &impl Serialize) {
        self.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        match serde_json::to_vec(body) {
            Ok(bytes) => self.set_body(bytes),
            Err(fault) => {
                let detail = format!("cannot serialize the body as JSON: {fault}");
                self.add_fault(Place::Body.error(FieldErrorCode::InvalidFormat, detail));
            }
        }
    }

    /// Returns the request with the body of an operation, and checks the body's bounds.
    pub(crate) fn with_body<T: Bounded + Serialize>(mut self, body: &T) -> Self {
        body.find_faults(&mut bounds::Check::new(&mut self.faults));
        self.set_json(body);
        self
    }

    /// Adds a problem of the request.
    pub(crate) fn add_fault(&mut self, fault: FieldError) {
        self.faults.add(fault);
    }

    /// Returns the error of the problems found so far, if there are any.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.faults.check().map_err(|refused| Error::from(refused).before_sending(self.operation.id))
    }

    /// Returns the idempotency key of the call, and makes one unless it is set.
    pub(crate) fn ensure_idempotency_key(&mut self) -> Result<HeaderValue, Error> {
        self.check()?;
        if let Some(own) = self.headers.get(&IDEMPOTENCY_KEY) {
            return Ok(own.clone());
        }
        let key = idempotency::fresh().ok_or_else(|| Error::without_randomness().before_sending(self.operation.id))?;
        self.headers.insert(&IDEMPOTENCY_KEY, key.clone());
        Ok(key)
    }

    /// Sends the request and reads the response.
    pub(crate) async fn send<T: DeserializeOwned>(self, client: Client) -> Result<Response<T>, Error> {
        Response::decode(attempts::send(self, client).await?)
    }

    /// Sends the request. The response is not decoded.
    pub(crate) async fn send_unread(self, client: Client) -> Result<Response<()>, Error> {
        attempts::send(self, client).await.map(Response::unread)
    }
}

/// Shows neither query, headers and body nor the path of a request outside the document, which may contain personal data.
impl fmt::Debug for Call {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("Call");
        debug.field("method", &self.method);
        if self.operation.is_documented() {
            debug.field("path", &self.path);
        }
        debug.finish_non_exhaustive()
    }
}

/// Effect of sending the same request twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WhenRetried {
    /// Two requests do what one does.
    SameEffect,
    /// Two requests do what one does, if the server keeps idempotency keys.
    SameEffectByKey,
    /// The second request acts again.
    AnotherEffect,
}

/// A call that is being sent. Its request is the same in each attempt. It is rebuilt for each retry: keeping a copy would slow down each
/// call that succeeds at once.
pub(crate) struct PreparedCall {
    call: Call,
    pub(crate) client: Client,
    /// Idempotency key of the call, set by the caller or made before the first attempt. Retries repeat it.
    pub(crate) key: Option<HeaderValue>,
    /// Effect of sending the request twice.
    pub(crate) when_retried: WhenRetried,
    /// Time that the request asks the server to hold the response.
    pub(crate) hold: Duration,
}

impl PreparedCall {
    /// Completes a call and makes its first request.
    pub(crate) fn new(mut call: Call, client: Client) -> Result<(Self, Request), Error> {
        call.check()?;
        let operation = call.operation;
        let refused = |error: Error| error.before_sending(operation.id);
        if operation.key == KeyUse::Required && client.inner.key.header().is_none() {
            return Err(refused(ConfigError::MissingKey.into()));
        }
        if operation.keeps_idempotency_keys {
            call.ensure_idempotency_key()?;
        }
        let key = call.headers.get(&IDEMPOTENCY_KEY).cloned();
        let when_retried = if call.method.is_idempotent() || operation.is_repeatable {
            WhenRetried::SameEffect
        } else if key.is_some() {
            WhenRetried::SameEffectByKey
        } else {
            WhenRetried::AnotherEffect
        };
        let mut prepared = Self { call, client, key, when_retried, hold: Duration::ZERO };
        let request = prepared.request().map_err(refused)?;
        prepared.hold = requested_hold(request.headers());
        Ok((prepared, request))
    }

    /// The operation of the call.
    pub(crate) fn operation(&self) -> &'static Operation {
        self.call.operation
    }

    /// Returns true if the caller says, or the server has shown, that it keeps idempotency keys.
    pub(crate) fn server_keeps_keys(&self) -> bool {
        let client = &self.client;
        client.options().server_keeps_idempotency_keys
            || (self.operation().keeps_idempotency_keys && client.inner.server.keeps_keys())
    }

    /// Returns true if redirects may be followed, which only an application's own HTTP client does.
    pub(crate) fn may_be_redirected(&self) -> bool {
        self.client.inner.is_foreign_client
    }

    /// Returns true if a redirect led to the address of the response.
    pub(crate) fn was_redirected(&self, responding: &Url) -> bool {
        self.url().map_or(true, |url| url != *responding)
    }

    /// Builds the request of an attempt.
    pub(crate) fn request(&self) -> Result<Request, Error> {
        let (call, client) = (&self.call, &self.client.inner);
        let mut request = Request::new(call.method.clone(), self.url().map_err(Error::not_sent)?);
        *request.body_mut() = call.body.clone().map(Into::into);
        let headers = request.headers_mut();
        headers.clone_from(&call.headers);
        if let Some(key) = client.key.header().filter(|_| call.operation.key != KeyUse::Never) {
            headers.insert(AUTHORIZATION, key.clone());
        }
        for (name, value) in &client.headers {
            headers.insert(name, value.clone());
        }
        for (name, value) in &client.options.headers {
            if *name == PREFER {
                headers.append(name, value.clone());
            } else {
                headers.insert(name, value.clone());
            }
        }
        Ok(request)
    }

    /// Returns the address. The path is appended unchanged to the base URL, so it cannot reach another server or leave the base URL's path.
    /// Errors do not show the path, since it may contain personal data.
    fn url(&self) -> Result<Url, &'static str> {
        let Call { path, query, .. } = &self.call;
        if !path.starts_with('/') || path.starts_with("//") {
            return Err("the path must begin with exactly one slash");
        }
        if path.contains(['?', '#']) {
            return Err("the path must not contain a query or a fragment; add parameters with `query`");
        }
        let address = format!("{}{path}", self.client.base_url());
        let url = Url::parse(&address).ok().filter(|url| url.as_str() == address);
        // The parser trims, drops tabs and line breaks, and resolves `..` in every encoding.
        let mut url = url
            .ok_or("the path must not contain the segments `.` and `..`, or characters that must be percent-encoded")?;
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        Ok(url)
    }
}

/// Returns the time that a request asks the server to hold the response (RFC 7240 section 4.3), in any form that section 2 allows.
fn requested_hold(headers: &HeaderMap) -> Duration {
    let values = headers.get_all(&PREFER).iter().filter_map(|value| value.to_str().ok());
    let seconds = values.flat_map(|value| value.split([',', ';'])).find_map(|preference| {
        let (name, value) = preference.split_once('=')?;
        let digits = value.trim().trim_matches('"');
        let is_wait = name.trim().eq_ignore_ascii_case("wait") && digits.bytes().all(|byte| byte.is_ascii_digit());
        // Ignore a value that is not a number. Treat a number that overflows as the maximum.
        (is_wait && !digits.is_empty()).then(|| digits.parse().unwrap_or(u64::MAX))
    });
    Duration::from_secs(seconds.unwrap_or(0)).min(LONGEST_HOLD)
}

#[cfg(test)]
mod tests {
    use super::{Duration, HeaderMap, PREFER, requested_hold};

    #[test]
    fn a_wait_is_read_in_every_form() {
        let hold = |prefer: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(&PREFER, prefer.parse().expect("a header value"));
            requested_hold(&headers)
        };
        for prefer in ["wait=7", "Wait=7", "wait = \"7\"", "handling=strict, wait=7", "respond-async; x=1,WAIT=7"] {
            assert_eq!(hold(prefer), Duration::from_secs(7), "{prefer}");
        }
        for prefer in ["wait", "wait=", "wait=-7", "wait=soon", "waiting=7", "handling=strict"] {
            assert_eq!(hold(prefer), Duration::ZERO, "{prefer}");
        }
        assert_eq!(hold("wait=99999999999999999999999"), Duration::from_secs(60));
    }
}
