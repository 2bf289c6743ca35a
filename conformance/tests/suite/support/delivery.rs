//! Passes webhooks to the suite's log without a network, as its receiver would.

use std::time::Duration;

use contentgen_conformance::inbox::{HookAnswer, HookLog, HookRequest};
use tokio::time::sleep;

/// Time after which the receiver ends a delivery without a response, or with an incomplete one.
const RECEIVER_PATIENCE: Duration = Duration::from_secs(65);

/// Response to a webhook. The default has status 0: the receiver is gone.
#[derive(Default)]
pub(crate) struct Answered {
    pub(crate) status: u16,
    pub(crate) retry_after: u64,
    /// Seconds by which the receiver's clock is behind, if `Retry-After` is a date.
    pub(crate) date_behind: Option<u64>,
}

impl Answered {
    fn status(status: u16) -> Self {
        Self { status, ..Self::default() }
    }
}

/// Returns the path of an address of the receiver.
pub(crate) fn path_of(url: &str) -> String {
    url.splitn(4, '/').nth(3).map(|path| format!("/{path}")).unwrap()
}

/// Passes one webhook from a sender that waits up to `patience` for a response. `reads_all`: the sender reads the response to its end.
pub(crate) async fn deliver(log: &HookLog, mut request: HookRequest, patience: Duration, reads_all: bool) -> Answered {
    let path = request.path.clone();
    let (answer, _) = log.answer_for(&request);
    request.answered = answer.status();
    log.record(request);
    match answer {
        HookAnswer::Status(status) | HookAnswer::Json(status, _) => Answered::status(status),
        HookAnswer::RetryAfter(status, retry_after) => Answered { retry_after, ..Answered::status(status) },
        HookAnswer::RetryAtDate { status, seconds, behind } => {
            Answered { status, retry_after: seconds, date_behind: Some(behind) }
        }
        HookAnswer::Slow(time, status) => kept_waiting(log, &path, patience, time, status).await,
        HookAnswer::Hang => kept_waiting(log, &path, patience, RECEIVER_PATIENCE, 504).await,
        HookAnswer::Endless => {
            let waiting = log.keep_waiting(&path);
            let read_for = if reads_all { RECEIVER_PATIENCE } else { Duration::ZERO };
            sleep(read_for).await;
            log.let_go(waiting);
            log.record_given_up(&path, read_for);
            Answered::status(200)
        }
    }
}

async fn kept_waiting(
    log: &HookLog,
    path: &str,
    patience: Duration,
    answered_after: Duration,
    status: u16,
) -> Answered {
    let waiting = log.keep_waiting(path);
    sleep(answered_after.min(patience)).await;
    log.let_go(waiting);
    if answered_after <= patience {
        return Answered::status(status);
    }
    log.record_given_up(path, patience);
    Answered::default()
}
