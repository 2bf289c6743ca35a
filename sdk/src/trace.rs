//! What a call tells those who listen with `tracing`: a span for each call, an event for each attempt. Neither bodies nor
//! the texts of errors are told: both may have personal data in them.

use std::time::Duration;

use tracing::field::Empty;
use tracing::{Span, debug, info_span, warn};

use crate::error::Error;
use crate::error_kind::ErrorKind;
use crate::platform::Instant;
use crate::whole_response::{Origin, WholeResponse};

/// The header by which a server's operators find a request.
const REQUEST_ID: &str = "x-request-id";

/// The span of one call over all its attempts. It costs a comparison where nobody listens.
pub(crate) fn call(operation: &'static str) -> Span {
    info_span!(
        "contentgen.call",
        operation,
        attempts = Empty,
        status = Empty,
        request_id = Empty,
        error = Empty,
        duration_ms = Empty,
    )
}

/// Records how a call ended.
pub(crate) fn ended(span: &Span, outcome: &Result<WholeResponse, Error>, attempts: u32, begin: Instant) {
    if span.is_disabled() {
        return;
    }
    span.record("attempts", attempts).record("duration_ms", milliseconds(begin.elapsed()));
    match outcome {
        Ok(response) => {
            span.record("status", response.status.as_u16());
            span.record("request_id", request_id(response));
        }
        Err(error) => {
            span.record("status", error.status().map(|status| status.as_u16()));
            span.record("request_id", error.request_id());
            if error.kind() != ErrorKind::NotModified {
                span.record("error", tracing::field::debug(error.kind()));
            }
        }
    }
}

/// Tells how an attempt ended. What is told is looked up only where somebody listens.
pub(crate) fn attempt(outcome: &Result<WholeResponse, Error>, attempt: u32, begin: Instant) {
    match outcome {
        Ok(response) => debug!(
            attempt,
            status = response.status.as_u16(),
            request_id = request_id(response),
            duration_ms = milliseconds(begin.elapsed()),
            "answered"
        ),
        // The caller's copy is current, which is what it asked about.
        Err(error) if error.kind() == ErrorKind::NotModified => debug!(
            attempt,
            status = error.status().map(|status| status.as_u16()),
            request_id = error.request_id(),
            duration_ms = milliseconds(begin.elapsed()),
            "not modified"
        ),
        Err(error) => debug!(
            attempt,
            status = error.status().map(|status| status.as_u16()),
            error = ?error.kind(),
            request_id = error.request_id(),
            duration_ms = milliseconds(begin.elapsed()),
            "failed"
        ),
    }
}

/// Tells that a call is repeated after a pause.
pub(crate) fn repeats(error: &Error, attempt: u32, pause: Duration) {
    let status = error.status().map(|status| status.as_u16());
    // The operation stands on the span, too, which is not there for those who listen to warnings only.
    let operation = error.operation();
    warn!(operation, attempt, status, error = ?error.kind(), pause_ms = milliseconds(pause), "the call is retried");
}

/// Tells that a call is not repeated, since too many were lately.
pub(crate) fn is_not_repeated(error: &Error, attempt: u32) {
    let status = error.status().map(|status| status.as_u16());
    let operation = error.operation();
    warn!(operation, attempt, status, error = ?error.kind(), "the call is not retried: the retry budget is used up");
}

/// Tells that a response has arrived, but is none of the operation's: the call has failed, though its attempts have not.
pub(crate) fn unreadable(span: &Span, origin: Origin, kind: ErrorKind) {
    span.record("error", tracing::field::debug(kind));
    // Within the span, which those see who do not listen to it; where nobody does, within that of the caller.
    span.in_scope(|| warn!(operation = origin.operation, attempts = origin.attempts, "the response cannot be read"));
}

/// Tells that a member of a response has another form than the document says, and counts as absent. What it should have been is told, and
/// not what it was.
pub(crate) fn left_out(expected: &'static str) {
    warn!(expected, "a field of the response is left out: it does not match the API document");
}

/// The id that the server gave a request.
fn request_id(response: &WholeResponse) -> Option<&str> {
    response.headers.get(REQUEST_ID)?.to_str().ok()
}

/// A duration in whole milliseconds.
fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
