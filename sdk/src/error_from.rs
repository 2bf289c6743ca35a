//! How errors come about: from the HTTP client, from answers, from generated code, from jobs that ended badly.

use std::sync::Arc;

use reqwest::StatusCode;
use reqwest::header::HeaderMap;

use crate::answer::Origin;
use crate::config::ConfigError;
use crate::error::{Error, Inner};
use crate::error_kind::ErrorKind;
use crate::generated::types;
use crate::{clock, retry_after};

/// How much of a body that is no problem is kept, in characters.
const EXCERPT_CHARACTERS: usize = 300;
/// How many faults of a request an error's text tells; the problem has them all.
const MOST_FAULTS: usize = 3;

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
            problem: None,
            code: None,
            body_excerpt: None,
            retry_after: None,
            job_id: None,
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

    /// A time limit that passed.
    pub(crate) fn timed_out(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Timeout, message)
    }

    /// An answer that is longer than the options allow.
    pub(crate) fn too_large(limit: usize) -> Self {
        Self::new(ErrorKind::TooLarge, format!("the answer is longer than the {limit} bytes that are read"))
    }

    /// An error of the HTTP client. Its URL is taken off: the operation's name says where the call went.
    pub(crate) fn from_transport(error: reqwest::Error) -> Self {
        let error = error.without_url();
        let (kind, message) = if error.is_timeout() {
            (ErrorKind::Timeout, "no connection in time")
        } else if error.is_connect() {
            (ErrorKind::Connect, "no connection to the server")
        } else if error.is_builder() {
            (ErrorKind::InvalidRequest, "the request cannot be sent")
        } else {
            (ErrorKind::Transport, "the connection failed before the answer was complete")
        };
        let message = format!("{message}: {}", innermost(&error));
        Self::new(kind, message).with(|inner| inner.source = Some(Arc::new(error)))
    }

    /// An answer that is no success.
    pub(crate) fn from_answer(status: StatusCode, headers: HeaderMap, body: &str) -> Self {
        let problem = serde_json::from_str::<types::Problem>(body).ok().filter(says_something);
        let code = problem.as_ref().and_then(|problem| problem.code.as_ref()).map(ToString::to_string);
        let mut message = format!("the server answered {}", status.as_u16());
        if let Some(code) = &code {
            message = format!("{message} {code}");
        }
        if let Some(words) = problem.as_ref().and_then(words_of) {
            message = format!("{message}: {words}");
        }
        let kind = if status == StatusCode::NOT_MODIFIED { ErrorKind::NotModified } else { ErrorKind::Api };
        let retry_after = retry_after::parse(&headers, clock::now());
        Self::new(kind, message).with(|inner| {
            inner.body_excerpt = (problem.is_none() && !body.is_empty()).then(|| excerpt(body));
            inner.status = Some(status);
            inner.headers = headers;
            inner.problem = problem;
            inner.code = code;
            inner.retry_after = retry_after;
        })
    }

    /// A success that cannot be read. Only the place of the fault is told: the text of the decoder's error may quote
    /// the answer, and answers have personal data in them.
    pub(crate) fn undecodable(status: StatusCode, headers: HeaderMap, fault: &serde_json::Error) -> Self {
        let text = fault.to_string();
        let told = if text.starts_with("missing field") || text.starts_with("EOF") { text } else { place(fault) };
        Self::new(ErrorKind::UnexpectedAnswer, format!("the answer cannot be read: {told}")).with(|inner| {
            inner.status = Some(status);
            inner.headers = headers;
        })
    }

    /// A success with a status that the operation does not know.
    pub(crate) fn unknown_success(status: StatusCode, headers: HeaderMap) -> Self {
        let message = format!("the server answered {}, which this operation does not know", status.as_u16());
        Self::new(ErrorKind::UnexpectedAnswer, message).with(|inner| {
            inner.status = Some(status);
            inner.headers = headers;
        })
    }

    /// A request that breaks a bound of the document.
    pub(crate) fn not_sent(reason: impl std::fmt::Display) -> Self {
        Self::new(ErrorKind::InvalidRequest, format!("the request was not sent: {reason}"))
    }

    /// A request that generated code could not put together.
    pub(crate) fn not_built(error: progenitor_client::Error<()>) -> Self {
        match error {
            progenitor_client::Error::InvalidRequest(reason) => Self::not_sent(reason),
            progenitor_client::Error::CommunicationError(error) => Self::from_transport(error),
            other => Self::not_sent(other),
        }
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

/// Whether an object has anything of a problem in it: any object can be read as one.
fn says_something(problem: &types::Problem) -> bool {
    let types::Problem { code, detail, title, type_, request_id, errors, .. } = problem;
    [detail, title, type_, request_id].iter().any(|text| text.is_some()) || code.is_some() || !errors.is_empty()
}

/// A problem in words: what happened, and the first faults with their places.
fn words_of(problem: &types::Problem) -> Option<String> {
    let mut words: Vec<String> =
        problem.detail.iter().chain(&problem.title).take(1).map(|text| excerpt(text)).collect();
    words.extend(problem.errors.iter().take(MOST_FAULTS).map(|fault| {
        let place = fault.pointer.as_ref().or(fault.parameter.as_ref()).or(fault.header.as_ref());
        excerpt(&format!("{} {}", place.map_or("", String::as_str), fault.detail))
    }));
    words.retain(|text| !text.is_empty());
    (!words.is_empty()).then(|| words.join("; "))
}

/// Where in an answer the decoder stopped.
fn place(fault: &serde_json::Error) -> String {
    let what = match fault.classify() {
        serde_json::error::Category::Data => "a member has another form than the document says",
        serde_json::error::Category::Eof => "it ends too early",
        serde_json::error::Category::Syntax => "it is not JSON",
        serde_json::error::Category::Io => "it could not be read",
    };
    format!("{what}, at line {} column {}", fault.line(), fault.column())
}

/// The text of the cause below all others, which is the one that tells something.
pub(crate) fn innermost(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(below) = cause.source() {
        cause = below;
    }
    cause.to_string()
}

/// The beginning of a text from outside, on one line and without control characters.
fn excerpt(text: &str) -> String {
    let words: Vec<&str> = text.split(|letter: char| letter.is_whitespace() || letter.is_control()).collect();
    let line = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    line.chars().take(EXCERPT_CHARACTERS).collect()
}
