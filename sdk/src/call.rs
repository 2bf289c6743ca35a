//! One logical call: its attempts, the pauses between them, and its deadline.

use std::pin::pin;
use std::time::Duration;

use reqwest::header::HeaderName;
use reqwest::{Method, Request};
use tokio::time::Instant;
use tracing::Instrument as _;

use crate::error::Error;
use crate::error_response::{Arrived, Origin, note};
use crate::hooks::IDEMPOTENCY_KEY;
use crate::settings::Settings;
use crate::{exchange, retry, trace};

/// Operations that change something and may be repeated all the same: a job that is cancelled stays cancelled, and
/// cancelling it again is a success.
const REPEATABLE_CHANGES: [&str; 1] = ["cancel_job"];
static PREFER: HeaderName = HeaderName::from_static("prefer");
/// The longest time that a server holds an answer for `Prefer: wait=N`.
const LONGEST_HOLD: Duration = Duration::from_mins(1);
/// What stands for a time that no clock can tell: a limit that is that long is none.
const FOREVER: Duration = Duration::from_hours(24 * 365 * 30);

/// Sends a request until it succeeds, fails for good, or has no time or attempts left.
pub(crate) async fn run(
    client: &reqwest::Client,
    settings: &Settings,
    request: Request,
    operation: &'static str,
) -> Result<reqwest::Response, Error> {
    let span = trace::call(operation);
    let begin = Instant::now();
    let mut attempts = 0;
    let outcome = {
        // Pinned here, since handing it over would copy all the room that it needs.
        let sending = pin!(until_final(client, settings, request, operation, (begin, &mut attempts)));
        if span.is_disabled() { sending.await } else { sending.instrument(span.clone()).await }
    };
    trace::ended(&span, &outcome, attempts, begin);
    outcome
}

/// Sends a request until its outcome will not change; counts how often.
async fn until_final(
    client: &reqwest::Client,
    settings: &Settings,
    mut request: Request,
    operation: &'static str,
    (mut begin, attempts): (Instant, &mut u32),
) -> Result<reqwest::Response, Error> {
    let options = &settings.options;
    let deadline = after(begin, options.total_timeout);
    let attempt_timeout = options.attempt_timeout.saturating_add(requested_hold(&request));
    let retries = if is_repeatable(&request, operation) { options.max_retries } else { 0 };
    for attempt in 0.. {
        let spare = if attempt < retries { request.try_clone() } else { None };
        let end = after(begin, attempt_timeout).min(deadline);
        *attempts = attempt + 1;
        let outcome = exchange::once(client, settings, request, (begin, end)).await;
        trace::attempt(&outcome, *attempts, begin);
        let error = match outcome {
            Ok((mut response, body)) => {
                note(&mut response, Arrived { origin: Origin { operation, attempts: *attempts }, body });
                return Ok(response);
            }
            Err(error) => error.of(operation, *attempts),
        };
        let pause = retry::pause(&error, attempt, options);
        match (spare, pause) {
            (Some(spare), Some(pause)) if after(Instant::now(), pause) < deadline => {
                trace::repeats(&error, *attempts, pause);
                tokio::time::sleep(pause).await;
                request = spare;
                begin = Instant::now();
            }
            _ => return Err(error),
        }
    }
    unreachable!("the loop ends when no attempt is left")
}

/// A moment that may be further away than clocks can tell.
fn after(begin: Instant, time: Duration) -> Instant {
    begin.checked_add(time).unwrap_or_else(|| begin + FOREVER)
}

/// Whether sending a request twice has the effect of sending it once.
fn is_repeatable(request: &Request, operation: &str) -> bool {
    matches!(*request.method(), Method::GET | Method::HEAD)
        || request.headers().contains_key(&IDEMPOTENCY_KEY)
        || REPEATABLE_CHANGES.contains(&operation)
}

/// How long the request asks the server to hold the answer (RFC 7240 section 4.3).
fn requested_hold(request: &Request) -> Duration {
    let values = request.headers().get_all(&PREFER).iter().filter_map(|value| value.to_str().ok());
    let seconds = values
        .flat_map(|value| value.split([',', ';']))
        .find_map(|preference| preference.trim().strip_prefix("wait=")?.parse().ok());
    Duration::from_secs(seconds.unwrap_or(0)).min(LONGEST_HOLD)
}
