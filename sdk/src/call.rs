//! One logical call: its attempts, the pauses between them, and its deadline.

use reqwest::Request;
use tracing::Instrument as _;

use crate::error::Error;
use crate::error_kind::ErrorKind;
use crate::generated::Client;
use crate::invalid_request::InvalidRequest;
use crate::platform::{self, Instant, after};
use crate::request_template::{Build, RequestTemplate};
use crate::retry_safety::RetrySafety;
use crate::settings::Settings;
use crate::whole_response::{Origin, WholeResponse};
use crate::{exchange, retry, trace};

/// Sends the request of `build` until it succeeds, fails for good, or has no time or attempts left.
pub(crate) async fn send(client: &Client, operation: &'static str, build: Build<'_>) -> Result<WholeResponse, Error> {
    let (template, request) =
        RequestTemplate::new(build, operation, &client.inner).map_err(|error| error.before_sending(operation))?;
    let span = trace::call(operation);
    let begin = Instant::now();
    let execute = |request| platform::on_this_thread(client.client.execute(request));
    // The future sends nothing before it is awaited. Pass it on instead of the request, which is much larger.
    let first = execute(request);
    let mut attempts = 0;
    let outcome = {
        // Boxed, so that the future that users move around stays small.
        let sending =
            Box::pin(until_final(&client.inner, operation, &template, (execute, first), (begin, &mut attempts)));
        if span.is_disabled() { sending.await } else { sending.instrument(span.clone()).await }
    };
    trace::ended(&span, &outcome, attempts, begin);
    match outcome {
        Ok(response) => Ok(WholeResponse { key: template.key, span, ..response }),
        Err(error) => Err(error.sent_with(template.key)),
    }
}

/// Returns the error of a call whose request is invalid.
pub(crate) fn refused(request: InvalidRequest, operation: &'static str) -> Error {
    Error::from(request).before_sending(operation)
}

/// Waits for the first response and retries until the result is final. Counts the attempts.
async fn until_final<A: Future<Output = reqwest::Result<reqwest::Response>>>(
    settings: &Settings,
    operation: &'static str,
    template: &RequestTemplate<'_>,
    (execute, first): (impl Fn(Request) -> A, A),
    (mut begin, attempts): (Instant, &mut u32),
) -> Result<WholeResponse, Error> {
    let options = &settings.options;
    let deadline = after(begin, options.total_timeout);
    let attempt_timeout = options.attempt_timeout.saturating_add(template.hold);
    let mut response = first;
    let mut had_effect = false;
    for attempt in 0.. {
        let end = after(begin, attempt_timeout).min(deadline);
        *attempts = attempt + 1;
        let origin = Origin { operation, attempts: *attempts };
        let outcome = exchange::one_attempt(template, response, origin, (begin, end)).await;
        trace::attempt(&outcome, *attempts, begin);
        if outcome.as_ref().map_or_else(|error| error.status().is_some(), |_| true) {
            settings.shared.count_response();
        }
        let error = match outcome {
            Ok(response) => {
                settings.shared.retry_budget.put_back(attempt);
                return Ok(response);
            }
            Err(error) => error.of(origin),
        };
        if error.kind() == ErrorKind::NotModified {
            settings.shared.retry_budget.put_back(attempt);
        }
        had_effect |= retry::may_have_had_effect(&error, template);
        let safety = retry::safety(&error, template, had_effect);
        let error = error.if_retried(safety);
        let may_retry = attempt < options.max_retries && safety != RetrySafety::MayDuplicate;
        let pause = if may_retry { retry::pause(&error, attempt, options) } else { None };
        match pause.filter(|pause| after(Instant::now(), *pause) < deadline) {
            Some(_) if !settings.shared.retry_budget.take() => {
                trace::is_not_retried(&error, *attempts);
                return Err(error);
            }
            Some(pause) => {
                trace::retries(&error, *attempts, pause);
                platform::sleep(pause).await;
                begin = Instant::now();
                response = execute(template.again().map_err(|fault| fault.of(origin))?);
            }
            None => return Err(error),
        }
    }
    unreachable!("the loop ends when no attempt is left")
}
