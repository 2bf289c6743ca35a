//! How errors come about: from the HTTP client, from responses, from generated code, from jobs that ended badly.

use std::sync::Arc;

use reqwest::StatusCode;
use reqwest::header::{HeaderMap, HeaderValue};
use serde::Deserialize as _;
use serde_json::Value;

use crate::config::ConfigError;
use crate::error::{Error, Inner};
use crate::error_kind::ErrorKind;
use crate::error_words::{excerpt, innermost, place, says_something, words_of};
use crate::generated::types;
use crate::key::ApiKey;
use crate::whole_response::Origin;
use crate::{platform, retry_after};

impl Error {
    /// An error of a kind with a text.
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
            body_excerpt: None,
            retry_after: None,
            job_id: None,
            idempotency_key: None,
            field_errors: Vec::new(),
            job_error: None,
        })
    }

    /// The same error with something added.
    pub(crate) fn with(mut self, change: impl FnOnce(&mut Inner)) -> Self {
        change(Arc::make_mut(&mut self.inner));
        self
    }

    /// The same error, of the call that it ended.
    pub(crate) fn of(self, origin: Origin) -> Self {
        self.with(|inner| {
            inner.operation = Some(origin.operation);
            inner.attempts = origin.attempts;
        })
    }

    /// The same error, of a call that was sent with this idempotency key.
    pub(crate) fn sent_with(self, key: Option<HeaderValue>) -> Self {
        if key.is_none() { self } else { self.with(|inner| inner.idempotency_key = key) }
    }

    /// A time limit that passed.
    pub(crate) fn timed_out(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Timeout, message)
    }

    /// A response that is longer than the options allow.
    pub(crate) fn too_large(limit: usize) -> Self {
        Self::new(ErrorKind::TooLarge, format!("the response is larger than the limit of {limit} bytes"))
    }

    /// An error of the HTTP client. Its URL is taken off: the operation's name says where the call went.
    pub(crate) fn from_transport(error: reqwest::Error) -> Self {
        let error = error.without_url();
        // A limit of time passed below only while connecting, or when the system itself gave a connection up.
        let (kind, message) = if platform::fails_to_connect(&error) {
            (ErrorKind::Connect, "no connection to the server")
        } else if error.is_builder() {
            (ErrorKind::InvalidRequest, "the request cannot be sent")
        } else {
            (ErrorKind::Transport, "the connection failed before the response was complete")
        };
        let message = format!("{message}: {}", innermost(&error));
        Self::new(kind, message).with(|inner| inner.source = Some(Arc::new(error)))
    }

    /// A response that is no success. Its headers have been masked.
    pub(crate) fn from_response(status: StatusCode, headers: HeaderMap, body: &[u8], key: &ApiKey) -> Self {
        let retry_after = retry_after::parse(&headers, platform::now());
        let members = serde_json::from_slice::<Value>(body).ok().map(|value| key.mask_value(value));
        // A key with escapes in it is masked only where they have been read.
        let text = || members.as_ref().map_or_else(|| key.mask(&String::from_utf8_lossy(body)), Value::to_string);
        let problem = members.as_ref().and_then(|members| types::Problem::deserialize(members).ok());
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
            inner.body_excerpt = (problem.is_none() && !body.is_empty()).then(|| excerpt(&text()));
            inner.status = Some(status);
            inner.headers = headers;
            inner.problem = problem;
            inner.code = code;
            inner.retry_after = retry_after;
        })
    }

    /// A success that cannot be read. Only the place of the fault is told: the text of the decoder's error may quote
    /// the response, and responses have personal data in them.
    pub(crate) fn undecodable(status: StatusCode, headers: HeaderMap, fault: &serde_json::Error) -> Self {
        let text = fault.to_string();
        let told = if text.starts_with("missing field") || text.starts_with("EOF") { text } else { place(fault) };
        // A response whose length nobody said ends with its connection, also where that broke off.
        let kind = if fault.is_eof() { ErrorKind::Transport } else { ErrorKind::UnexpectedResponse };
        Self::new(kind, format!("the response cannot be read: {told}")).with(|inner| {
            inner.status = Some(status);
            inner.headers = headers;
        })
    }

    /// A success with a status that the operation does not know.
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

    /// A request that breaks a bound of the document.
    pub(crate) fn not_sent(reason: impl std::fmt::Display) -> Self {
        Self::new(ErrorKind::InvalidRequest, format!("the request was not sent: {reason}"))
    }

    /// The same error, of a call that was not sent.
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
        Self::new(ErrorKind::Config, error.to_string()).with(|inner| inner.source = Some(Arc::new(error)))
    }
}
