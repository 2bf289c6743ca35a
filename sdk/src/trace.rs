//! What a call tells those who listen with `tracing`: a span for each call, an event for each attempt. Neither bodies nor
//! the texts of errors are told: both may have personal data in them.

use std::time::Duration;

use tracing::field::Empty;
use tracing::{Span, debug, info_span, warn};

use crate::answer::{Answer, Origin};
use crate::error::Error;
use crate::error_kind::ErrorKind;
use crate::platform::Instant;

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
pub(crate) fn ended(span: &Span, outcome: &Result<Answer, Error>, attempts: u32, begin: Instant) {
    if span.is_disabled() {
        return;
    }
    span.record("attempts", attempts).record("duration_ms", milliseconds(begin.elapsed()));
    match outcome {
        Ok(answer) => {
            span.record("status", answer.status.as_u16());
            span.record("request_id", request_id(answer));
        }
        Err(error) => {
            span.record("status", error.status().map(|status| status.as_u16()));
            span.record("request_id", error.request_id());
            span.record("error", tracing::field::debug(error.kind()));
        }
    }
}

/// Tells how an attempt ended. What is told is looked up only where somebody listens.
pub(crate) fn attempt(outcome: &Result<Answer, Error>, attempt: u32, begin: Instant) {
    match outcome {
        Ok(answer) => debug!(
            attempt,
            status = answer.status.as_u16(),
            request_id = request_id(answer),
            duration_ms = milliseconds(begin.elapsed()),
            "answered"
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
    warn!(operation, attempt, status, error = ?error.kind(), pause_ms = milliseconds(pause), "the call is repeated");
}

/// Tells that an answer has arrived, but is none of the operation's: the call has failed, though its attempts have not.
pub(crate) fn unreadable(span: &Span, origin: Origin, kind: ErrorKind) {
    span.record("error", tracing::field::debug(kind));
    // Within the span, which those see who do not listen to it; where nobody does, within that of the caller.
    span.in_scope(|| warn!(operation = origin.operation, attempts = origin.attempts, "the answer cannot be read"));
}

/// The id that the server gave a request.
fn request_id(answer: &Answer) -> Option<&str> {
    answer.headers.get(REQUEST_ID)?.to_str().ok()
}

/// A duration in whole milliseconds.
fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
