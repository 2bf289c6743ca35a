//! Constructs errors from the HTTP client, from responses, from generated code, and from jobs that did not succeed.

use std::sync::Arc;

use reqwest::StatusCode;
use reqwest::header::{HeaderMap, HeaderValue};
use serde::Deserialize as _;
use serde_json::Value;

use crate::config::ConfigError;
use crate::error::{Error, Inner};
use crate::error_kind::ErrorKind;
use crate::error_words::{excerpt, place};
use crate::generated::types;
use crate::key::ApiKey;
use crate::pagination::UnreadableItem;
use crate::response::Origin;
use crate::retry_safety::RetrySafety;
use crate::{platform, retry_after};

/// Maximum number of request faults in an error's text; the problem has them all.
const MOST_FAULTS: usize = 3;
/// Maximum length of the kept body of a response without success, in bytes.
const LONGEST_BODY: usize = 64 * 1024;

impl Error {
    /// Makes an error of a kind with a text.
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self::from(Inner {
            kind,
            message: message.into(),
            source: None,
            operation: None,
            attempts: 0,
            status: None,
            headers: HeaderMap::new(),
            was_redirected: false,
            problem: None,
            code: None,
            body: None,
            body_excerpt: None,
            retry_after: None,
            job_id: None,
            idempotency_key: None,
            retry_safety: None,
            field_errors: Vec::new(),
            job_error: None,
            unreadable_item: None,
            unreadable_body: None,
        })
    }

    /// Returns the error with a change applied.
    pub(crate) fn with(mut self, change: impl FnOnce(&mut Inner)) -> Self {
        change(Arc::make_mut(&mut self.inner));
        self
    }

    /// Returns the error with the call that it ended.
    pub(crate) fn of(self, origin: Origin) -> Self {
        self.with(|inner| {
            inner.operation = Some(origin.operation);
            inner.attempts = origin.attempts;
        })
    }

    /// Returns the error with the idempotency key of its call.
    pub(crate) fn sent_with(self, key: Option<HeaderValue>) -> Self {
        if key.is_none() { self } else { self.with(|inner| inner.idempotency_key = key) }
    }

    /// Returns the error with the effect of making its call again, if the call may succeed then.
    pub(crate) fn if_retried(self, safety: RetrySafety) -> Self {
        if self.may_pass() { self.with(|inner| inner.retry_safety = Some(safety)) } else { self }
    }

    /// Makes the error of a system without random numbers.
    pub(crate) fn without_randomness() -> Self {
        Self::new(ErrorKind::Config, "the random number generator of the system is unavailable")
    }

    /// Makes the error of a time limit that passed.
    pub(crate) fn timed_out(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Timeout, message)
    }

    /// Makes the error of a response that is longer than the options allow.
    pub(crate) fn too_large(limit: usize) -> Self {
        Self::new(ErrorKind::TooLarge, format!("the response is larger than the limit of {limit} bytes"))
    }

    /// Converts an error of the HTTP client. Removes its URL: the operation's name identifies the call.
    pub(crate) fn from_transport(error: reqwest::Error) -> Self {
        let error = error.without_url();
        let (kind, message) = if platform::fails_to_connect(&error) {
            (ErrorKind::Connect, "no connection to the server")
        } else if error.is_builder() {
            (ErrorKind::InvalidRequest, "the request cannot be sent")
        } else if error.is_timeout() {
            // A time limit of the application's own HTTP client, or of the system.
            (ErrorKind::Timeout, "no complete response in time")
        } else {
            (ErrorKind::Transport, "the connection failed before the response was complete")
        };
        Self::new(kind, message).with(|inner| inner.source = Some(Arc::new(error)))
    }

    /// Makes the error of a response without success. Its headers have been masked.
    pub(crate) fn from_response(status: StatusCode, headers: HeaderMap, body: &[u8], key: &ApiKey) -> Self {
        let retry_after = retry_after::parse(&headers, platform::now());
        let members = serde_json::from_slice::<Value>(body).ok().map(|value| key.mask_value(value));
        // A key that contains escapes is masked only in the parsed JSON.
        let mut text = members.as_ref().map_or_else(|| key.mask(&String::from_utf8_lossy(body)), Value::to_string);
        text.truncate((0..=LONGEST_BODY.min(text.len())).rfind(|&end| text.is_char_boundary(end)).unwrap_or_default());
        let problem = members.and_then(|members| types::Problem::deserialize(complete(members)).ok());
        let problem = problem.filter(says_something);
        let code = problem.as_ref().and_then(|problem| problem.code.as_ref()).map(|code| excerpt(&code.to_string()));
        let mut message = format!("the server answered {}", status.as_u16());
        if let Some(code) = &code {
            message = format!("{message} {code}");
        }
        if let Some(words) = problem.as_ref().and_then(words_of) {
            message = format!("{message}: {words}");
        }
        let kind = if status == StatusCode::NOT_MODIFIED { ErrorKind::NotModified } else { ErrorKind::Api };
        Self::new(kind, message).with(|inner| {
            inner.body_excerpt = (problem.is_none() && !body.is_empty()).then(|| excerpt(&text));
            inner.body = (!body.is_empty()).then_some(text);
            inner.status = Some(status);
            inner.headers = headers;
            inner.problem = problem;
            inner.code = code;
            inner.retry_after = retry_after;
        })
    }

    /// Makes the error of a successful response that cannot be read. Shows only the place of the fault: the decoder's text may quote the
    /// response, and responses contain personal data.
    pub(crate) fn undecodable(status: StatusCode, headers: HeaderMap, fault: &serde_json::Error) -> Self {
        let text = fault.to_string();
        let reason = if text.starts_with("missing field") || text.starts_with("EOF") { text } else { place(fault) };
        Self::new(ErrorKind::UnexpectedResponse, format!("the response cannot be read: {reason}")).with(|inner| {
            inner.status = Some(status);
            inner.headers = headers;
        })
    }

    /// Returns the error of an item on a page that has this error.
    pub(crate) fn of_item(self, item: UnreadableItem, fault: &serde_json::Error) -> Self {
        let fault = fault.to_string();
        let is_shown = fault.starts_with("missing field");
        let reason = if is_shown { fault.as_str() } else { "a field does not match the API document" };
        let id = item.id.as_ref().map_or_else(String::new, |id| format!(" ({id})"));
        let message = format!("the item {}{id} of the page cannot be read: {reason}", item.pointer);
        self.with(|inner| {
            inner.message = message;
            inner.unreadable_item = Some(item);
            inner.unreadable_body = None;
        })
    }

    /// Makes the error of a success status that the operation does not define.
    pub(crate) fn unknown_success(status: StatusCode, headers: HeaderMap) -> Self {
        let message = format!(
            "the server answered {}, which the API document does not define for this operation",
            status.as_u16()
        );
        Self::new(ErrorKind::UnexpectedResponse, message).with(|inner| {
            inner.status = Some(status);
            inner.headers = headers;
        })
    }

    /// Makes the error of a request that breaks a bound of the document.
    pub(crate) fn not_sent(reason: impl std::fmt::Display) -> Self {
        Self::new(ErrorKind::InvalidRequest, format!("the request was not sent: {reason}"))
    }

    /// Returns the error with the call that was not sent.
    pub(crate) fn before_sending(self, operation: &'static str) -> Self {
        self.of(Origin { operation, attempts: 0 })
    }
}

impl From<Inner> for Error {
    fn from(inner: Inner) -> Self {
        Self { inner: Arc::new(inner) }
    }
}

impl From<ConfigError> for Error {
    fn from(error: ConfigError) -> Self {
        Self::new(ErrorKind::Config, error.to_string())
    }
}

/// Completes the field errors of a problem, so that one without a code or a detail does not hide the others. RFC 9457 requires neither, and
/// its own example has no codes.
fn complete(mut problem: Value) -> Value {
    if let Some(errors) = problem.get_mut("errors").and_then(Value::as_array_mut) {
        errors.retain(Value::is_object);
        for error in errors {
            for name in ["code", "detail"] {
                if !error[name].is_string() {
                    error[name] = Value::from("");
                }
            }
        }
    }
    problem
}

/// Returns true if an object has any field of a problem. Any object can be deserialized as a problem.
fn says_something(problem: &types::Problem) -> bool {
    let types::Problem { code, detail, title, type_, request_id, errors, .. } = problem;
    [detail, title, type_, request_id].iter().any(|text| text.is_some()) || code.is_some() || !errors.is_empty()
}

/// Describes a problem: its detail, and the first faults with their places.
fn words_of(problem: &types::Problem) -> Option<String> {
    let happened = problem.detail.iter().chain(&problem.title).map(|text| sentence(text)).next().unwrap_or_default();
    let faults: Vec<String> = problem.errors.iter().take(MOST_FAULTS).map(|fault| fault_of(fault, &happened)).collect();
    let faults = faults.into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join("; ");
    match (happened.is_empty(), faults.is_empty()) {
        (true, true) => None,
        (false, true) => Some(happened),
        (true, false) => Some(faults),
        (false, false) => Some(format!("{happened} ({faults})")),
    }
}

/// Describes a fault: its place, and its detail unless that was said before.
fn fault_of(fault: &types::FieldError, said: &str) -> String {
    let place = fault.pointer.as_ref().or(fault.parameter.as_ref()).or(fault.header.as_ref());
    let detail = sentence(&fault.detail);
    let detail = if detail.to_lowercase() == said.to_lowercase() { String::new() } else { detail };
    match (place, detail.is_empty()) {
        (Some(place), true) => excerpt(place),
        (Some(place), false) => format!("{}: {detail}", excerpt(place)),
        (None, _) => detail,
    }
}

/// Returns the start of a text from outside, without a final full stop, so that the sentence can continue.
fn sentence(text: &str) -> String {
    let text = excerpt(text);
    text.strip_suffix('.').map_or_else(|| text.clone(), str::to_owned)
}
