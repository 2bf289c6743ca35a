//! What a repeated request answers, also after its job has gone on.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::check::{
    About as _, Capability, Cases, Context, Exchange, Halt, Requirement, Verdict, demand, ensure, ensure_met,
};
use crate::steps::charges::{LOOKS, Policy, judged, left};
use crate::steps::keyed::{first, key, keyed};
use crate::steps::quotas::small;
use crate::steps::{self, articles};

const SOURCE: &str = "draft-ietf-httpapi-idempotency-key-header-07; openapi.yaml, IdempotencyKey";

const JOBS: &[Capability] = &[Capability::JOBS];

/// How often a job may be written faster than it can be cancelled.
const ATTEMPTS: usize = 20;

const SMALL: &[Capability] = &[Capability::SMALL_QUOTA];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("idempotency.replay.same-answer", "The same key with the same body gets the first answer again: status, Location and body, with Idempotency-Replayed: true.", SOURCE, replay)
            .drawn("keys of visible ASCII", Cases::Divided(4), key),
        Requirement::must("idempotency.replay.parsed-body", "The same key with the same JSON, with other white space or members in another order, is a replay.", SOURCE, parsed_body),
        Requirement::must("idempotency.replay.fresh-headers", "A replay has its own X-Request-Id, and the first answer has no Idempotency-Replayed.", SOURCE, fresh_headers),
        Requirement::must(
            "idempotency.replay.equal-values",
            "The same key with the same JSON, written with escapes or with nested members in another order, is a replay.",
            "openapi.yaml, info.description, Idempotency, and IdempotencyKey",
            equal_values,
        ),
        Requirement::must(
            "idempotency.replay.after-cancel",
            "After its job was cancelled, the same request with the same key is still answered with that job, and queues no other.",
            "openapi.yaml, info.description, Idempotency: within 24 hours the same key with the same body answers with the first success again and queues nothing",
            after_cancel,
        )
        .needs(JOBS),
        Requirement::must(
            "idempotency.replay.after-publishing",
            "After its article was published, the same request with the same key is still answered with that job, and queues no other.",
            "openapi.yaml, info.description, Idempotency: within 24 hours the same key with the same body answers with the first success again and queues nothing",
            after_publishing,
        )
        .needs(JOBS)
        .background(),
        Requirement::must(
            "idempotency.replay.fresh-quota",
            "A replay counts against the quota, and its RateLimit tells what is left now.",
            "draft-ietf-httpapi-ratelimit-headers-11; openapi.yaml, info.description, Limits",
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
    for _ in 0..2 {
        let again = context.send(keyed(&body, &key)).await?;
        demand::status(&again, first.status)?;
        demand::same("the body", demand::json(&first)?, demand::json(&again)?)?;
        demand::same("Location", &json!(first.header("location")), &json!(again.header("location")))?;
        demand::same("Idempotency-Replayed", &json!("true"), &json!(again.header("idempotency-replayed")))?;
    }
    steps::discard(&context, &first).await
}

async fn parsed_body(context: Context, _: Value) -> Verdict {
    let (body, key, first) = first(&context, "Washing windows").await?;
    let members = body.as_object().cloned().unwrap_or_default();
    let reversed: Vec<String> =
        members.iter().rev().map(|(name, value)| format!("  {} :\n {value}", json!(name))).collect();
    let mut request = keyed(&body, &key);
    request.body = Some(format!("\n{{{}}}\t", reversed.join(" ,\n")).into());
    let again = context.send(request).await?;
    demand::status(&again, first.status)?;
    demand::same("job_id", &demand::json(&first)?["job_id"], &demand::json(&again)?["job_id"])
}

async fn fresh_headers(context: Context, _: Value) -> Verdict {
    let (body, key, first) = first(&context, "Washing a car").await?;
    ensure(first.header("idempotency-replayed") != Some("true"), "a first answer not marked as replayed", || {
        demand::seen(&first)
    })?;
    let again = context.send(keyed(&body, &key)).await?;
    ensure_met(again.header("idempotency-replayed") == Some("true"), "the repeat was not answered as one")?;
    let ids = (demand::header(&first, "x-request-id")?, demand::header(&again, "x-request-id")?);
    ensure(ids.0 != ids.1, "two request ids", || ids.0.to_owned())
}

async fn equal_values(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Painting a door");
    body["metadata"] = json!({ "a": "1", "b": "/" });
    let key = context.fresh("key");
    let first = context.send(keyed(&body, &key)).await?;
    demand::success(&first)?;
    let website_id = &body["website_id"];
    let text = format!(
        "{{\"metadata\":{{\"b\":\"\\/\",\"\\u0061\":\"1\"}},\"topic\":\"\\u0050ainting a door\",\"website_id\":{website_id},\"auto_publish\":false,\"target_word_count\":200}}"
    );
    let mut request = keyed(&body, &key);
    request.body = Some(text.into());
    let again = context.send(request).await?;
    demand::status(&again, first.status)?;
    demand::same("job_id", &demand::json(&first)?["job_id"], &demand::json(&again)?["job_id"])?;
    steps::discard(&context, &first).await
}

/// Sends the request of `first` once more: it is answered with the same job, and says that it is a repeat.
async fn is_repeated(context: &Context, first: &Exchange) -> Verdict {
    let again = context.send(first.request.clone()).await?;
    demand::success(&again)?;
    let (wanted, told) = (&demand::json(first)?["job_id"], &demand::json(&again)?["job_id"]);
    let mark = json!(again.header("idempotency-replayed"));
    let verdict = demand::same("job_id of the repeat", wanted, told)
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
    let mut body = steps::quiet_request(&context, "Cancelling a subscription politely");
    // The longer the article, the better the chance to be faster than the writer.
    body["target_word_count"] = json!(5_000);
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
        // An order that is refused costs one too, and writes nothing.
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
        if is_quick {
            seen.push(format!("{before}, then {after}"));
        }
    }
    judged("less left after a replay than after the first request", &seen)
}
