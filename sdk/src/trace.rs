//! Output for `tracing`: a span for each call, an event for each attempt. It contains neither bodies nor the texts of errors, since both
//! may contain personal data.

use std::time::Duration;

use tracing::field::Empty;
use tracing::{Span, debug, info_span, warn};

use crate::error::Error;
use crate::error_kind::ErrorKind;
use crate::platform::Instant;
use crate::response::{Origin, WholeResponse};

/// Header with the id by which a server's operators find a request.
const REQUEST_ID: &str = "x-request-id";

/// Makes the span of one call over all its attempts. Costs one comparison if no subscriber listens.
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

/// Records the result of a call.
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

/// Logs the result of an attempt. Its fields are computed only if a subscriber listens.
pub(crate) fn attempt(outcome: &Result<WholeResponse, Error>, attempt: u32, begin: Instant) {
    match outcome {
        Ok(response) => debug!(
            attempt,
            status = response.status.as_u16(),
            request_id = request_id(response),
            duration_ms = milliseconds(begin.elapsed()),
            "answered"
        ),
        // The caller's copy is current, and the request asked for just that.
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

/// Logs that a call is retried after a delay.
pub(crate) fn retries(error: &Error, attempt: u32, pause: Duration) {
    let status = error.status().map(|status| status.as_u16());
    // The operation is in the span too, but a subscriber for warnings only does not see the span.
    let operation = error.operation();
    warn!(operation, attempt, status, error = ?error.kind(), pause_ms = milliseconds(pause), "the call is retried");
}

/// Logs that a call is not retried, because the retry budget is used up.
pub(crate) fn is_not_retried(error: &Error, attempt: u32) {
    let status = error.status().map(|status| status.as_u16());
    let operation = error.operation();
    warn!(operation, attempt, status, error = ?error.kind(), "the call is not retried: the retry budget is used up");
}

/// Logs that a response cannot be read as a response of the operation: the call has failed, but its attempts have not.
pub(crate) fn unreadable(span: &Span, origin: Origin, kind: ErrorKind) {
    span.record("error", tracing::field::debug(kind));
    // Log inside the span of the call. If the span is disabled, the event belongs to the caller's span.
    span.in_scope(|| warn!(operation = origin.operation, attempts = origin.attempts, "the response cannot be read"));
}

/// Logs that a field of a response does not match the document and counts as absent. Logs the expected form, not the received value.
pub(crate) fn left_out(expected: &'static str) {
    warn!(expected, "a field of the response is left out: it does not match the API document");
}

/// Logs that a replay guard forgets events before their time, because it holds as many as it may.
pub(crate) fn forgets_early(most: usize) {
    warn!(most, "the replay guard is full and forgets its oldest events: a retry of them would be handled again");
}

/// Returns the id that the server gave a request.
fn request_id(response: &WholeResponse) -> Option<&str> {
    response.headers.get(REQUEST_ID)?.to_str().ok()
}

/// A duration in whole milliseconds.
fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
