//! Replays: responses to a repeated request, also after its job has ended.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::check::Source::Sentence;
use crate::check::{
    About as _, Capability, Cases, Context, Exchange, Halt, Requirement, Source, Verdict, demand, ensure, ensure_met,
};
use crate::steps::jobs::{failing_order, longest};
use crate::steps::keyed::{first, key, keyed};
use crate::steps::quotas::{LOOKS, Policy, judged, left, small};
use crate::steps::{self, articles};

const REPLAY: &[Source] = &[
    Sentence(
        "For 24 hours the same key with the same body queues nothing and returns the first success again, with \
         `Idempotency-Replayed: true`.",
    ),
    Sentence("Only `status` and the further fields of `Job` may be newer."),
];

const SAME_BODY: &[Source] = &[Sentence("Bodies are the same if their JSON values are equal.")];

const JOBS: &[Capability] = &[Capability::JOBS];

/// Maximum number of jobs that end before they can be cancelled.
const ATTEMPTS: usize = 20;

const SMALL: &[Capability] = &[Capability::SMALL_QUOTA];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "idempotency.replay.same-answer",
            "The same key with the same body gets the first response again, with Idempotency-Replayed: true. Only the status of the job \
             and fields beyond QueuedJob may be newer.",
            REPLAY,
            replay,
        )
        .drawn("keys of visible ASCII", Cases::Divided(4), key),
        Requirement::new(
            "idempotency.replay.fresh-headers",
            "A replay has its own X-Request-Id, and the first response has no Idempotency-Replayed: true.",
            &[
                Sentence("Id of this request in logs and in `Problem.request_id`."),
                Sentence("`true` if this response repeats an earlier one."),
            ],
            fresh_headers,
        ),
        Requirement::new(
            "idempotency.replay.equal-values",
            "The same key with the same JSON is a replay, also with other white space, with escapes, or with fields in another order.",
            SAME_BODY,
            equal_values,
        ),
        Requirement::new(
            "idempotency.replay.after-cancel",
            "After its job was cancelled, the same request with the same key still gets that job and queues no other.",
            REPLAY,
            after_cancel,
        )
        .needs(JOBS),
        Requirement::new(
            "idempotency.replay.after-failure",
            "After its job has failed, the same request with the same key still gets that job and queues no other.",
            REPLAY,
            after_failure,
        )
        .needs(&[Capability::JOBS, Capability::FAILING_JOB]),
        Requirement::new(
            "idempotency.replay.after-publishing",
            "After its article was published, the same request with the same key still gets that job and queues no other.",
            REPLAY,
            after_publishing,
        )
        .needs(JOBS)
        .background(),
        Requirement::new(
            "idempotency.replay.fresh-quota",
            "A replay counts against the quota, and its RateLimit has the current rest.",
            &[
                Sentence("Each call is charged to one policy: `generate` for `POST /api/v1/generate`, `api` for all others."),
                Sentence("`RateLimit-Policy` and `RateLimit` announce the quotas."),
                Sentence("Rest of the quota, as `\"name\";r=remaining;t=seconds until it is full again`."),
            ],
            fresh_quota,
        )
        .needs(SMALL)
        .background(),
    ]
}

async fn replay(context: Context, word: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Polishing silver");
    let key = format!("{}{}", word.as_str().unwrap_or("k"), context.fresh("-"));
    let first = context.send(keyed(&body, &key)).await?;
    demand::success(&first)?;
    let queued = demand::json(&first)?;
    let fields = context.document().schema("QueuedJob")["properties"].as_object().into_iter().flatten();
    let kept: Vec<&str> = fields.map(|(name, _)| name.as_str()).filter(|name| *name != "status").collect();
    for _ in 0..2 {
        let again = context.send(keyed(&body, &key)).await?;
        demand::status(&again, first.status)?;
        let repeated = demand::json(&again)?;
        kept.iter().try_for_each(|name| demand::same(name, &queued[name], &repeated[name])).about(&again)?;
        demand::same("Location", &json!(first.header("location")), &json!(again.header("location")))?;
        demand::same("Idempotency-Replayed", &json!("true"), &json!(again.header("idempotency-replayed")))?;
    }
    steps::discard(&context, &first).await
}

async fn fresh_headers(context: Context, _: Value) -> Verdict {
    let (body, key, first) = first(&context, "Washing a car").await?;
    ensure(
        first.header("idempotency-replayed") != Some("true"),
        "a first response without Idempotency-Replayed: true",
        || demand::seen(&first),
    )?;
    let again = context.send(keyed(&body, &key)).await?;
    ensure_met(
        again.header("idempotency-replayed") == Some("true"),
        "the repeated request was not marked as a replay",
    )?;
    let ids = (demand::header(&first, "x-request-id")?, demand::header(&again, "x-request-id")?);
    ensure(ids.0 != ids.1, "two request ids", || ids.0.to_owned())
}

async fn equal_values(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Painting a door");
    body["metadata"] = json!({ "a": "1", "b": "/" });
    let key = context.fresh("key");
    let first = context.send(keyed(&body, &key)).await?;
    demand::success(&first)?;
    for text in [with_spaces(&body), with_escapes(&body)] {
        let mut request = keyed(&body, &key);
        request.body = Some(text.into());
        let again = context.send(request).await?;
        demand::status(&again, first.status)?;
        demand::same("job_id", &demand::json(&first)?["job_id"], &demand::json(&again)?["job_id"]).about(&again)?;
    }
    steps::discard(&context, &first).await
}

/// Writes the fields in reverse order, with white space around everything.
fn with_spaces(body: &Value) -> String {
    let fields = body.as_object().cloned().unwrap_or_default();
    let written: Vec<String> =
        fields.iter().rev().map(|(name, value)| format!("  {} :\n {value}", json!(name))).collect();
    format!("\n{{{}}}\t", written.join(" ,\n"))
}

/// Writes the topic and the metadata of `equal_values` with escapes, and the metadata in another order.
fn with_escapes(body: &Value) -> String {
    let fields = body.as_object().cloned().unwrap_or_default();
    let written: Vec<String> = fields
        .iter()
        .map(|(name, value)| match name.as_str() {
            "topic" => r#""topic":"\u0050ainting a door""#.to_owned(),
            "metadata" => r#""metadata":{"b":"\/","\u0061":"1"}"#.to_owned(),
            _ => format!("{}:{value}", json!(name)),
        })
        .collect();
    format!("{{{}}}", written.join(","))
}

/// Sends the request of `first` again and demands a replay with the same job.
async fn is_repeated(context: &Context, first: &Exchange) -> Verdict {
    let again = context.send(first.request.clone()).await?;
    demand::success(&again)?;
    let (wanted, told) = (&demand::json(first)?["job_id"], &demand::json(&again)?["job_id"]);
    let mark = json!(again.header("idempotency-replayed"));
    let verdict = demand::same("job_id of the replay", wanted, told)
        .and_then(|()| demand::same("Idempotency-Replayed", &json!("true"), &mark))
        .about(&again);
    if verdict.is_err() {
        steps::discard(context, &again).await?;
    }
    verdict
}

async fn queued(context: &Context, body: &Value) -> Result<(Arc<Exchange>, String), Halt> {
    let first = context.send(keyed(body, &context.fresh("key"))).await?;
    demand::success(&first)?;
    let job_id = demand::text(demand::json(&first)?, "job_id")?.to_owned();
    Ok((first, job_id))
}

async fn after_cancel(context: Context, _: Value) -> Verdict {
    let body = longest(&context, steps::quiet_request(&context, "Cancelling a subscription politely"));
    for _ in 0..ATTEMPTS {
        let (first, job_id) = queued(&context, &body).await?;
        let cancel = context.send(steps::cancel_job(&job_id)).await?;
        if cancel.status == 409 {
            continue;
        }
        demand::status(&cancel, 200)?;
        return is_repeated(&context, &first).await;
    }
    Err(Halt::inconclusive("every job was finished before it could be cancelled"))
}

async fn after_failure(context: Context, _: Value) -> Verdict {
    let (first, job_id) = queued(&context, &failing_order(&context, false)).await?;
    let ended = steps::finished(&context, &job_id).await?;
    ensure_met(demand::json(&ended)?["status"] == "failed", "the job of [failing_job] did not fail")?;
    is_repeated(&context, &first).await
}

async fn after_publishing(context: Context, _: Value) -> Verdict {
    let body = steps::published_request(&context, "Sending a letter twice");
    let (first, job_id) = queued(&context, &body).await?;
    let job = steps::finished(&context, &job_id).await?;
    let Some(id) = demand::json(&job)?["article_id"].as_str() else {
        return Err(Halt::inconclusive("the job did not complete"));
    };
    articles::until_published(&context, id, context.facts().ready_within).await?;
    is_repeated(&context, &first).await
}

async fn fresh_quota(context: Context, _: Value) -> Verdict {
    let _turn = context.quota_turn().await;
    let body = steps::quiet_request(&context, "Paying twice for one thing");
    let mut seen = Vec::new();
    for _ in 0..LOOKS {
        // A refused request is charged too, and queues nothing.
        let policy = Policy::rested(&context, steps::generate(&json!({})), 2).await?;
        let begun = Instant::now();
        let request = steps::generate(&body).header("idempotency-key", context.fresh("paid"));
        let first = context.send(small(request.clone())).await?;
        let again = context.send(small(request)).await?;
        let is_quick = policy.is_as_it_was(begun);
        steps::discard(&context, &first).await?;
        if !(first.succeeded() && again.succeeded()) {
            continue;
        }
        let (before, after) = (left(&first)?, left(&again)?);
        if after < before {
            return Ok(());
        }
        if is_quick && before > 0 {
            seen.push(format!("{before}, then {after}"));
        }
    }
    judged("less left after a replay than after the first request", &seen)
}
