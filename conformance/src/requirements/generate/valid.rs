//! Valid requests: accepted, echoed, named.

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::strategies::Space;

const GENERATE: &str = "openapi.yaml, generate";

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        valid(
            "generate.valid.accepted",
            "Every request that keeps the schema is answered 202 with a QueuedJob whose status is queued.",
            accepted,
        ),
        valid(
            "generate.valid.echoed",
            "The answer repeats topic, website_id and metadata exactly as they were sent, untrimmed.",
            echoed,
        ),
        valid(
            "generate.valid.named",
            "Location of the 202 names the job: reading it is answered 200 with the same job_id.",
            named,
        )
        .needs(JOBS),
        Requirement::must(
            "generate.valid.retry-after",
            "The 202 tells in Retry-After, in whole seconds of at least 1, when to poll the job first.",
            GENERATE,
            retry_after,
        )
        .should(),
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
            Cases::ListedThenSearched(Space::edge_count),
            Space::valid_request,
        )
        .shrinks("", Space::accepts_request)
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
