//! Requests whose response is lost, and that are retried with the same key.

use std::time::Duration;

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{Capability, Cases, Context, Halt, Look, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::keyed::keyed;
use crate::steps::lists::{self, POSTS};

/// Longest time in milliseconds after which a connection is closed, and maximum number of connections that are closed.
const LONGEST: usize = 12;
const MOST: usize = 3;
/// Time in which a request of a closed connection may still have its effect.
const SETTLES: Duration = Duration::from_millis(150);

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "idempotency.lost.one-job",
            "A request whose connection is closed before its response, and that is retried with the same key, makes one job and one scheduled post.",
            &[
                Sentence("Repeating the call with the same key does not queue a second job."),
                Sentence(
                    "Identical calls with one `Idempotency-Key` make one job and one scheduled post, also if they are concurrent.",
                ),
                Sentence("Retrying a `POST` is safe with an `Idempotency-Key`."),
            ],
            retried,
        )
        .needs(&[Capability::JOBS, Capability::PIPELINE])
        .drawn("1 to 3 connections, each closed after up to 12 ms", Cases::Searched, |_, draw| {
            let closed: Vec<usize> = (0..MOST).map(|_| draw.below(LONGEST + 1)).collect();
            let count = draw.below(MOST) + 1;
            json!(closed[..count])
        }),
    ]
}

async fn retried(context: Context, case: Value) -> Verdict {
    let topic = context.fresh("lost");
    let (body, key) = (steps::quiet_request(&context, &topic), context.fresh("key"));
    for limit in case.as_array().into_iter().flatten().filter_map(Value::as_u64) {
        context.send_briefly(keyed(&body, &key), Duration::from_millis(limit)).await?;
    }
    let retry = || async {
        let exchange = context.send(keyed(&body, &key)).await?;
        if exchange.status == 409 {
            demand::problem(&exchange, 409, &["idempotency_in_flight"])?;
            let reason = "a request whose connection was closed is still being processed";
            return Ok(Look::NotYet(Halt::inconclusive(reason)));
        }
        demand::success(&exchange)?;
        Ok(Look::Found(exchange))
    };
    let answer = context.eventually(context.grace(), retry).await?;
    steps::discard(&context, &answer).await?;
    context.waiting(tokio::time::sleep(SETTLES)).await;
    let query = format!("limit=100&website_id={}", steps::segment(&context.facts().website_id));
    let posts = lists::found(&context, POSTS, &query, |row| row["topic"] == topic.as_str()).await?;
    let jobs: Vec<&Value> = posts.iter().map(|post| &post["job_id"]).collect();
    ensure(jobs == [&demand::json(&answer)?["job_id"]], "one scheduled post, of the job in the response", || {
        demand::brief(&json!(jobs))
    })
}
