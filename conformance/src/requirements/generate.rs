//! `POST /generate` with valid requests: accepted, echoed, named, unique.
//!
//! Refusals are in `generate_invalid` and `generate_json`.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::requirement::{Cases, Requirement};
use super::steps;
use super::verdict::{Verdict, ensure};
use crate::strategies::{Draw, Space};

const JOBS: &[Capability] = &[Capability::Jobs];
const DOCUMENTED: &str = "service description, section 4.1";
const GENERATE: &str = "openapi.yaml, generate";

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "generate.documented.accepted",
            "POST /api/v1/generate with topic and website_id queues a job and answers with a JSON body that contains job_id.",
            DOCUMENTED,
            documented,
        )
        .core()
        .drawn("the documented request", Cases::Divided(8), Space::documented_request),
        Requirement::must(
            "generate.documented.at-once",
            "The call queues a job and answers at once; generation happens afterwards.",
            DOCUMENTED,
            at_once,
        )
        .core()
        .should()
        .drawn("the documented request", Cases::Exactly(3), Space::documented_request),
        Requirement::must(
            "generate.documented.any-text",
            "A topic is text: in any script, with marks and signs of any kind, it is accepted like every other.",
            DOCUMENTED,
            documented,
        )
        .core()
        .should()
        .drawn("topics in several scripts", Cases::Exactly(8), Space::topic_in_any_script),
        Requirement::must(
            "generate.job-id.unique",
            "Every accepted call queues its own job, so no two answers share a job_id.",
            DOCUMENTED,
            unique_ids,
        )
        .core()
        .drawn("the documented request", Cases::Exactly(1), Space::documented_request),
        valid("generate.valid.accepted", "Every request that keeps the schema is accepted with 202 and a QueuedJob whose status is queued.", accepted),
        valid("generate.valid.echoed", "topic, website_id and metadata of the answer are what was sent: trimming serves counting only.", echoed),
        valid("generate.valid.named", "Location names the job: reading it answers 200 with the same job_id.", named)
            .needs(JOBS),
        Requirement::must(
            "generate.valid.retry-after",
            "The 202 says in Retry-After, in whole seconds of at least 1, when a poll makes sense.",
            GENERATE,
            retry_after,
        )
        .should(),
        Requirement::must(
            "generate.unknown-members.ignored",
            "Unknown members of the request body are ignored, nested up to 32 levels deep.",
            GENERATE,
            unknown_ignored,
        )
        .drawn("unknown members of every type and depth", Cases::Divided(4), unknown_member),
        Requirement::must(
            "generate.unknown-members.strict",
            "With Prefer: handling=strict an unknown member is refused with 422 validation_failed and the code unknown_field.",
            "RFC 7240, section 4.4; openapi.yaml, generate",
            unknown_strict,
        ),
        Requirement::must(
            "generate.media-type.charset",
            "application/json is accepted with any charset parameter and in any case.",
            "RFC 9110, section 8.3.1",
            charset,
        )
        .drawn("spellings of the media type", Cases::Exactly(5), |_, draw| json!(draw.index())),
        Requirement::must(
            "generate.publish-at.kept",
            "publish_at takes RFC 3339 with any zone; a moment in the past means as soon as it is ready.",
            GENERATE,
            publish_at,
        )
        .drawn("date-times with and without fraction and offset", Cases::Exactly(6), |_, draw| json!(draw.index())),
    ]
}

fn valid<Run>(
    id: &'static str,
    clause: &'static str,
    check: impl Fn(Context, Value) -> Run + Send + Sync + 'static,
) -> Requirement
where
    Run: Future<Output = Verdict> + Send + 'static,
{
    Requirement::must(id, clause, GENERATE, check)
        .drawn(
            "valid requests: edges of the schema first, then random ones",
            Cases::Beyond(Space::edge_count),
            Space::valid_request,
        )
        .shrinks("", Space::accepts_request)
}

async fn documented(context: Context, body: Value) -> Verdict {
    let exchange = context.send(steps::generate(&body)).await?;
    demand::success(&exchange)?;
    demand::text(demand::json(&exchange)?, "job_id").map(|_| ())
}

async fn at_once(context: Context, body: Value) -> Verdict {
    let exchange = context.send(steps::generate(&body)).await?;
    ensure(exchange.elapsed < Duration::from_secs(5), "an answer within 5 s", || {
        format!("{:.1} s", exchange.elapsed.as_secs_f64())
    })
}

async fn unique_ids(context: Context, body: Value) -> Verdict {
    let answers = (0..8).map(|_| context.send(steps::generate(&body)));
    let mut seen = BTreeSet::new();
    for exchange in futures::future::try_join_all(answers).await? {
        demand::success(&exchange)?;
        let id = demand::text(demand::json(&exchange)?, "job_id")?.to_owned();
        ensure(seen.insert(id.clone()), "eight different values of job_id", || format!("{id} twice"))?;
    }
    Ok(())
}

async fn accepted(context: Context, body: Value) -> Verdict {
    let exchange = context.send(steps::generate(&body)).await?;
    demand::status(&exchange, 202)?;
    let queued = demand::json(&exchange)?;
    demand::schema(&context, queued, "QueuedJob")?;
    demand::same("status", &json!("queued"), &queued["status"])?;
    steps::discard(&context, &exchange).await
}

async fn echoed(context: Context, body: Value) -> Verdict {
    let exchange = context.send(steps::generate(&body)).await?;
    demand::success(&exchange)?;
    let queued = demand::json(&exchange)?;
    demand::same("topic", &body["topic"], &queued["topic"])?;
    demand::same("website_id", &body["website_id"], &queued["website_id"])?;
    let metadata = body.get("metadata").cloned().unwrap_or_else(|| json!({}));
    let seen = queued.get("metadata").filter(|value| !value.is_null()).cloned();
    demand::same("metadata", &metadata, &seen.unwrap_or_else(|| json!({})))?;
    steps::discard(&context, &exchange).await
}

async fn named(context: Context, body: Value) -> Verdict {
    let exchange = context.send(steps::generate(&body)).await?;
    demand::success(&exchange)?;
    let location = demand::header(&exchange, "location")?;
    let path = steps::local_path(&context, "/api/v1/generate", location)?;
    let mut request = steps::get_job("");
    request.path = path;
    let job = context.send(request).await?;
    demand::status(&job, 200)?;
    let wanted = &demand::json(&exchange)?["job_id"];
    demand::same("job_id behind Location", wanted, &demand::json(&job)?["job_id"])?;
    demand::same("topic of the job", &body["topic"], &demand::json(&job)?["topic"])?;
    steps::discard(&context, &exchange).await
}

async fn retry_after(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Cleaning a bicycle chain");
    let exchange = context.send(steps::generate(&body)).await?;
    let value = demand::header(&exchange, "retry-after")?;
    let seconds = value.parse::<u64>().unwrap_or(0);
    ensure(seconds >= 1, "whole seconds of at least 1 in Retry-After", || value.to_owned())
}

fn unknown_member(_: &Space, draw: &mut Draw) -> Value {
    // The deepest first: few cases must see it too.
    let depth = 31 - draw.index() % 31;
    let mut deep = json!("x");
    for level in 0..depth {
        deep = if level % 2 == 0 { json!([deep]) } else { json!({ "y": deep }) };
    }
    let kinds = [deep, json!(null), json!(-0.5), json!(true), json!("text")];
    json!({ "extra": kinds[draw.index() % kinds.len()], "webhook_url": "https://example.com/" })
}

async fn unknown_ignored(context: Context, extra: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Waxing a wooden table");
    for (name, value) in extra.as_object().into_iter().flatten() {
        body[name] = value.clone();
    }
    let exchange = context.send(steps::generate(&body)).await?;
    demand::status(&exchange, 202)?;
    steps::discard(&context, &exchange).await
}

async fn unknown_strict(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Waxing a wooden floor");
    body["colour"] = json!("green");
    let request = steps::generate(&body).header("prefer", "handling=strict");
    let exchange = context.send(request).await?;
    demand::only_field_error(&exchange, "#/colour", "unknown_field")?;
    let lenient = steps::generate(&body).header("prefer", "handling=lenient");
    let exchange = context.send(lenient).await?;
    demand::status(&exchange, 202)?;
    steps::discard(&context, &exchange).await
}

async fn charset(context: Context, case: Value) -> Verdict {
    let spellings = [
        "application/json; charset=utf-8",
        "application/json;charset=UTF-8",
        "Application/JSON",
        "application/json; charset=\"utf-8\"",
        "application/json ; charset=utf8",
    ];
    let body = steps::quiet_request(&context, "Sharpening kitchen knives");
    let media_type = spellings[usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0) % spellings.len()];
    let mut request = steps::generate(&body);
    request.headers = vec![("content-type".to_owned(), media_type.to_owned())];
    let exchange = context.send(request).await?;
    demand::status(&exchange, 202)?;
    steps::discard(&context, &exchange).await
}

async fn publish_at(context: Context, case: Value) -> Verdict {
    let moments = [
        "2020-02-29T23:59:59Z",
        "2020-02-29T23:59:59.123456Z",
        "2020-02-29T23:59:59+05:30",
        "2020-02-29T23:59:59.5-08:00",
        "1985-04-12T23:20:50.52Z",
        "2020-01-01t00:00:00z",
    ];
    let mut body = steps::quiet_request(&context, "Airing a bedroom in winter");
    let index = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0) % moments.len();
    body["publish_at"] = json!(moments[index]);
    let exchange = context.send(steps::generate(&body)).await?;
    demand::status(&exchange, 202)?;
    steps::discard(&context, &exchange).await
}
