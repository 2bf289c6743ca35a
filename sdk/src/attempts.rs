//! One logical call: its attempts, the pauses between them, and its deadline.

use reqwest::Request;
use tracing::Instrument as _;

use crate::call::{Call, PreparedCall};
use crate::client::Client;
use crate::error::Error;
use crate::error_kind::ErrorKind;
use crate::platform::{self, Instant, after};
use crate::response::{Origin, WholeResponse};
use crate::retry_safety::RetrySafety;
use crate::{exchange, retry, trace};

/// Sends a call until it succeeds, fails for good, or has no time or attempts left.
pub(crate) async fn send(call: Call, client: Client) -> Result<WholeResponse, Error> {
    let (call, request) = PreparedCall::new(call, client)?;
    let span = trace::call(call.operation().id);
    let begin = Instant::now();
    let execute = |request| platform::on_this_thread(call.client.inner.http.execute(request));
    // The future sends nothing before it is awaited. It is much smaller than the request, so pass on the future.
    let first = execute(request);
    let mut attempts = 0;
    let outcome = {
        // Boxed, so that the future that users move around stays small.
        let sending = Box::pin(until_final(&call, (execute, first), (begin, &mut attempts)));
        if span.is_disabled() { sending.await } else { sending.instrument(span.clone()).await }
    };
    trace::ended(&span, &outcome, attempts, begin);
    match outcome {
        Ok(response) => {
            let successes = &call.operation().successes;
            WholeResponse { key: call.key, span, ..response }.expecting(successes)
        }
        Err(error) => Err(error.sent_with(call.key)),
    }
}

/// Waits for the first response and retries until the result is final. Counts the attempts.
async fn until_final<A: Future<Output = reqwest::Result<reqwest::Response>>>(
    call: &PreparedCall,
    (execute, first): (impl Fn(Request) -> A, A),
    (mut begin, attempts): (Instant, &mut u32),
) -> Result<WholeResponse, Error> {
    let (options, usage) = (call.client.options(), &call.client.inner.usage);
    let deadline = after(begin, options.total_timeout);
    let attempt_timeout = options.attempt_timeout.saturating_add(call.hold);
    let mut response = first;
    let mut had_effect = false;
    for attempt in 0.. {
        let end = after(begin, attempt_timeout).min(deadline);
        *attempts = attempt + 1;
        let origin = Origin { operation: call.operation().id, attempts: *attempts };
        let outcome = exchange::one_attempt(call, response, origin, (begin, end)).await;
        trace::attempt(&outcome, *attempts, begin);
        if outcome.as_ref().map_or_else(|error| error.status().is_some(), |_| true) {
            usage.count_response();
        }
        let error = match outcome {
            Ok(response) => {
                usage.retry_budget.put_back(attempt);
                return Ok(response);
            }
            Err(error) => error.of(origin),
        };
        if error.kind() == ErrorKind::NotModified {
            usage.retry_budget.put_back(attempt);
        }
        had_effect |= retry::may_have_had_effect(&error, call);
        let safety = retry::safety(&error, call, had_effect);
        let error = error.if_retried(safety);
        let may_retry = attempt < options.max_retries && safety != RetrySafety::MayDuplicate;
        let pause = if may_retry { retry::pause(&error, attempt, options) } else { None };
        match pause.filter(|pause| after(Instant::now(), *pause) < deadline) {
            Some(_) if !usage.retry_budget.take() => {
                trace::is_not_retried(&error, *attempts);
                return Err(error);
            }
            Some(pause) => {
                trace::retries(&error, *attempts, pause);
                platform::sleep(pause).await;
                begin = Instant::now();
                response = execute(call.request().map_err(|fault| fault.of(origin))?);
            }
            None => return Err(error),
        }
    }
    unreachable!("the loop ends when no attempt is left")
}
