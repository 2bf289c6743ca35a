//! Reads `Prefer: wait=N` and delays responses.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::conditional::{holds, not_modified};
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response};
use serde_json::Value;

/// Maximum wait in the document, in seconds.
const LONGEST: u64 = 60;
/// Delay of a late response: long enough to notice, short enough to wait for.
const TOO_LATE: Duration = Duration::from_secs(6);

/// Returns the time that a caller wants to wait for a job; `None` if the preference is missing or malformed.
pub(in crate::catalogue) fn wait_of(request: &Request) -> Option<Duration> {
    let digits = wait_digits(request)?;
    let seconds = digits.parse().unwrap_or(LONGEST).min(LONGEST);
    (seconds > 0).then(|| Duration::from_secs(seconds))
}

/// Returns the number of seconds as written.
pub(in crate::catalogue) fn wait_digits(request: &Request) -> Option<String> {
    if !request.is(Operation::GetJob) {
        return None;
    }
    preferences(request).iter().find_map(|preference| {
        let (name, value) = preference.split_once('=')?;
        let digits = value.split(';').next().unwrap_or_default().trim();
        let is_wait = name.trim().eq_ignore_ascii_case("wait");
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        (is_wait && is_number).then(|| digits.to_owned())
    })
}

/// Returns the request without its wish to wait.
pub(in crate::catalogue) fn without_wait(request: &Request) -> Request {
    let mut request = request.clone();
    let mut kept = preferences(&request);
    kept.retain(|preference| {
        let name = preference.split(['=', ';']).next().unwrap_or_default();
        !name.trim().eq_ignore_ascii_case("wait")
    });
    request.remove("prefer");
    if !kept.is_empty() {
        request.set("prefer", &kept.join(", "));
    }
    request
}

fn preferences(request: &Request) -> Vec<String> {
    let lines = request.headers.get_all("prefer").iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).map(|preference| preference.trim().to_owned()).collect()
}

/// Returns true if the response shows a finished job.
pub(in crate::catalogue) fn is_ended(response: &Response) -> bool {
    response.is_success() && response.json().is_some_and(|job| job["done"] == true)
}

/// Delays a response until the end of the caller's wait, up to a limit.
pub(in crate::catalogue) fn keep_back(response: &mut Response, wait: Duration, begun: Instant) {
    response.delay = wait.saturating_sub(begun.elapsed()).min(TOO_LATE);
}

/// Reads the job repeatedly until `is_enough` returns true or the time is over.
pub(in crate::catalogue) async fn look(
    exchange: &Exchange,
    wait: Duration,
    pause: Duration,
    is_enough: impl Fn(&Value) -> bool + Send,
) -> Response {
    let begun = Instant::now();
    let mut request = without_wait(&exchange.request);
    request.remove("if-none-match");
    loop {
        let mut response = exchange.send(request.clone()).await;
        let left = wait.saturating_sub(begun.elapsed());
        let job = response.json().filter(|_| response.is_success());
        if !left.is_zero() && job.is_some_and(|job| !is_enough(&job)) {
            sleep(pause.min(left)).await;
            continue;
        }
        if response.is_success() {
            response.set("preference-applied", &format!("wait={}", wait.as_secs()));
        }
        let tag = response.header("etag").filter(|_| response.is_success());
        let is_held = tag.is_some_and(|tag| holds(&exchange.request, tag));
        return if is_held { not_modified(response) } else { response };
    }
}
