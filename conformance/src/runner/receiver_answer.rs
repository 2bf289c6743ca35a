//! Scripted responses of the webhook receiver: immediate, late, never, endless.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use chrono::DateTime;
use http::{HeaderValue, Response, StatusCode, header};
use hyper::body::{Body, Frame};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval};

use super::clock::unix_seconds;
use crate::inbox::{HookAnswer, HookLog, redirection};

/// Maximum duration of a hanging or endless response.
const PATIENCE: Duration = Duration::from_secs(65);
/// Size of one piece of an endless body, and interval between pieces: about 1 MiB a second.
const PIECE: usize = 16 * 1024;
const PACE: Duration = Duration::from_millis(16);

/// The body of a response: a text, which may be empty, or an endless body.
pub(super) enum AnswerBody {
    /// The bytes that were not sent yet.
    Text(Bytes),
    Endless(EndlessBody),
}

pub(super) struct EndlessBody {
    pace: Interval,
    waiting: Waiting,
}

/// Notifies the log when the sender gives up.
struct Waiting {
    log: Arc<HookLog>,
    path: String,
    since: Instant,
    is_answered: bool,
    number: usize,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.log.let_go(self.number);
        if !self.is_answered {
            self.log.record_given_up(&self.path, self.since.elapsed());
        }
    }
}

impl Body for AnswerBody {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let drip = match &mut *self {
            Self::Text(text) => {
                let text = std::mem::take(text);
                return Poll::Ready((!text.is_empty()).then(|| Ok(Frame::data(text))));
            }
            Self::Endless(drip) => drip,
        };
        if drip.waiting.since.elapsed() >= PATIENCE {
            return Poll::Ready(None);
        }
        drip.pace.poll_tick(context).map(|_| Some(Ok(Frame::data(Bytes::from_static(&[b' '; PIECE])))))
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Self::Text(text) if text.is_empty())
    }
}

/// Returns a response without a body.
pub(super) fn plain(status: StatusCode) -> Response<AnswerBody> {
    let mut response = Response::new(AnswerBody::Text(Bytes::new()));
    *response.status_mut() = status;
    response
}

/// Returns a redirection, if the status is one.
fn leading(status: StatusCode, marker: &str) -> Response<AnswerBody> {
    let mut response = plain(status);
    // Relative, so that it leads through the same tunnel as the webhook.
    if let (true, Ok(elsewhere)) = (status.is_redirection(), HeaderValue::try_from(redirection(marker))) {
        response.headers_mut().insert(header::LOCATION, elsewhere);
    }
    response
}

/// Returns a second since 1970 in the preferred form of RFC 9110, section 5.6.7.
fn http_date(second: i64) -> Option<HeaderValue> {
    let date = DateTime::from_timestamp(second, 0)?.format("%a, %d %b %Y %H:%M:%S GMT");
    HeaderValue::try_from(date.to_string()).ok()
}

/// Returns the response that was scripted for `marker`, to a webhook at `path`.
pub(super) async fn make(answer: HookAnswer, marker: &str, log: &Arc<HookLog>, path: String) -> Response<AnswerBody> {
    let status = StatusCode::from_u16(answer.status()).unwrap_or(StatusCode::NO_CONTENT);
    let waiting = || Waiting {
        log: Arc::clone(log),
        path: path.clone(),
        since: Instant::now(),
        is_answered: false,
        number: log.keep_waiting(&path),
    };
    match answer {
        HookAnswer::Status(_) => leading(status, marker),
        HookAnswer::RetryAfter(_, seconds) => {
            let mut response = plain(status);
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
            response
        }
        HookAnswer::RetryAtDate { seconds, behind, .. } => {
            let mut response = plain(status);
            let date = unix_seconds().saturating_sub_unsigned(behind);
            for (name, second) in [(header::DATE, date), (header::RETRY_AFTER, date.saturating_add_unsigned(seconds))] {
                response.headers_mut().extend(http_date(second).map(|value| (name, value)));
            }
            response
        }
        HookAnswer::Json(_, text) => {
            let mut response = Response::new(AnswerBody::Text(Bytes::from_static(text.as_bytes())));
            *response.status_mut() = status;
            response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
            response
        }
        HookAnswer::Slow(time, _) => {
            let mut waiting = waiting();
            tokio::time::sleep(time).await;
            waiting.is_answered = true;
            plain(status)
        }
        HookAnswer::Hang => {
            // Dropped with this future if the sender closes the connection.
            let _waiting = waiting();
            tokio::time::sleep(PATIENCE).await;
            plain(StatusCode::GATEWAY_TIMEOUT)
        }
        HookAnswer::Endless => {
            let mut pace = interval(PACE);
            pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
            Response::new(AnswerBody::Endless(EndlessBody { pace, waiting: waiting() }))
        }
    }
}
