//! One logical call: its attempts, the pauses between them, and its deadline.

use reqwest::Request;
use tracing::Instrument as _;

use crate::answer::{Answer, Origin};
use crate::error::Error;
use crate::generated::Client;
use crate::platform::{self, Instant, after};
use crate::recipe::{Build, Recipe};
use crate::settings::Settings;
use crate::{exchange, retry, trace};

/// Sends what `build` puts together until it succeeds, fails for good, or has no time or attempts left.
pub(crate) async fn send(client: &Client, operation: &'static str, build: Build<'_>) -> Result<Answer, Error> {
    let (recipe, request) = Recipe::new(build, operation, &client.inner.options.headers)
        .map_err(|error| error.before_sending(operation))?;
    let span = trace::call(operation);
    let begin = Instant::now();
    let execute = |request| platform::on_this_thread(client.client.execute(request));
    // Nothing is sent before it is waited for; a request that is handed on takes much more room.
    let first = execute(request);
    let mut attempts = 0;
    let outcome = {
        // On the heap, so that the future that users hand about stays small: it would be copied each time.
        let sending =
            Box::pin(until_final(&client.inner, operation, &recipe, (execute, first), (begin, &mut attempts)));
        if span.is_disabled() { sending.await } else { sending.instrument(span.clone()).await }
    };
    trace::ended(&span, &outcome, attempts, begin);
    match outcome {
        Ok(answer) => Ok(Answer { key: recipe.key, span, ..answer }),
        Err(error) => Err(error.sent_with(recipe.key)),
    }
}

/// Waits for the first answer, and sends the request again until its outcome will not change; counts how often.
async fn until_final<A: Future<Output = reqwest::Result<reqwest::Response>>>(
    settings: &Settings,
    operation: &'static str,
    recipe: &Recipe<'_>,
    (execute, first): (impl Fn(Request) -> A, A),
    (mut begin, attempts): (Instant, &mut u32),
) -> Result<Answer, Error> {
    let options = &settings.options;
    let deadline = after(begin, options.total_timeout);
    let attempt_timeout = options.attempt_timeout.saturating_add(recipe.hold);
    let retries = if recipe.is_repeatable { options.max_retries } else { 0 };
    let mut answer = first;
    for attempt in 0.. {
        let end = after(begin, attempt_timeout).min(deadline);
        *attempts = attempt + 1;
        let origin = Origin { operation, attempts: *attempts };
        let outcome = exchange::once(settings, answer, origin, (begin, end)).await;
        trace::attempt(&outcome, *attempts, begin);
        let error = match outcome {
            Ok(answer) => return Ok(answer),
            Err(error) => error.of(origin),
        };
        let pause = if attempt < retries { retry::pause(&error, attempt, options) } else { None };
        match pause {
            Some(pause) if after(Instant::now(), pause) < deadline => {
                trace::repeats(&error, *attempts, pause);
                platform::sleep(pause).await;
                begin = Instant::now();
                answer = execute(recipe.again().map_err(|fault| fault.of(origin))?);
            }
            _ => return Err(error),
        }
    }
    unreachable!("the loop ends when no attempt is left")
}
