//! Requests whose response is lost, and that are retried with the same key.

use std::time::Duration;

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{Capability, Cases, Context, Halt, Look, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::keyed::keyed;
use crate::steps::lists::{self, POSTS};
use crate::steps::pipeline;

/// Latest time after which a connection is closed, in eighths of the usual response time, and maximum number of connections that are closed.
const MAX_EIGHTHS: usize = 12;
const MAX_CLOSED: usize = 3;
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
        .drawn("1 to 3 connections, each closed after up to 1.5 of the usual response time", Cases::Divided(8), |_, draw| {
            let closed: Vec<usize> = (0..MAX_CLOSED).map(|_| draw.below(MAX_EIGHTHS) + 1).collect();
            let count = draw.below(MAX_CLOSED) + 1;
            json!(closed[..count])
        }),
    ]
}

/// Factors of the times, until a request of a closed connection had an effect. A busy target may be slower than usual.
const STRETCHES: [u32; 3] = [1, 4, 16];

async fn retried(context: Context, case: Value) -> Verdict {
    for stretch in STRETCHES {
        if lost_and_retried(&context, &case, stretch).await? {
            return Ok(());
        }
    }
    Err(Halt::Unmet("no request of a closed connection had an effect".to_owned()))
}

/// Closes the connections, retries, and demands one job. Returns true if the retry got the job of an earlier request.
async fn lost_and_retried(context: &Context, case: &Value, stretch: u32) -> Result<bool, Halt> {
    let topic = context.fresh("lost");
    let (body, key) = (steps::quiet_request(context, &topic), context.fresh("key"));
    for eighths in case.as_array().into_iter().flatten().filter_map(Value::as_u64) {
        context.send_and_close(keyed(&body, &key), u32::try_from(eighths).unwrap_or(1) * stretch).await?;
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
    steps::discard(context, &answer).await?;
    context.waiting(tokio::time::sleep(SETTLES)).await;
    let query = format!("limit=100&website_id={}", steps::segment(&context.facts().website_id));
    let posts = lists::found(context, POSTS, &query, |row| row["topic"] == topic.as_str()).await?;
    let job_id = steps::queued(context, &answer)?;
    let own = pipeline::entries_of(context, &job_id).await?;
    let jobs: Vec<&Value> = own
        .iter()
        .chain(posts.iter().filter(|post| post["job_id"] != job_id.as_str()))
        .map(|post| &post["job_id"])
        .collect();
    ensure(jobs == [job_id.as_str()], "one scheduled post, of the job in the response", || {
        demand::brief(&json!(jobs))
    })?;
    Ok(answer.header("idempotency-replayed") == Some("true"))
}
