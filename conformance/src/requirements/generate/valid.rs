//! Valid requests: accepted, repeated in the response, each with its own job, whose address is in `Location`.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::check::Source::{Fact, Part, Sentence, Standard};
use crate::check::{About as _, Capability, Cases, Context, Requirement, Source, Verdict, demand, ensure, ensure_met};
use crate::steps;
use crate::strategies::Space;

const JOBS: &[Capability] = &[Capability::JOBS];

/// Topics of concurrent requests.
const TOPICS: [&str; 8] = [
    "Repotting a cactus",
    "Folding a paper boat",
    "Cleaning a coffee grinder",
    "Choosing a reading lamp",
    "Drying herbs at home",
    "Repairing a bicycle tube",
    "Storing winter clothes",
    "Brewing ginger tea",
];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        valid(
            "generate.valid.accepted",
            "Every request that keeps the schema is answered 202 with a QueuedJob whose status is queued.",
            &[
                Part("/paths/~1api~1v1~1generate/post/responses/202"),
                Part("/components/schemas/GenerateRequest"),
                Sentence("`queued`."),
                Sentence("Length of a topic without white space at both ends."),
                Sentence(
                    "Irregular tags, such as `i-klingon`, are written as registered; in all others letter case does not matter.",
                ),
            ],
            accepted,
        ),
        valid(
            "generate.valid.echoed",
            "The response repeats topic, website_id and metadata exactly as they were sent, untrimmed.",
            &[Sentence("The response repeats `topic`, `website_id` and `metadata` as sent, untrimmed.")],
            echoed,
        ),
        valid(
            "generate.valid.named",
            "Location of the 202 is the address of the job: GET of it is answered 200 with the same job_id and topic.",
            &[
                Sentence("Address of the job, relative to the request's address."),
                Sentence("Poll the job at `Location`, or wait for the webhook `article.published`."),
                Sentence("The topic as sent."),
            ],
            named,
        )
        .needs(JOBS),
        Requirement::new(
            "generate.valid.retry-after",
            "If the 202 has Retry-After, its value is whole seconds of at least 1.",
            &[
                Part("/components/headers/Retry-After/schema/minimum"),
                Sentence("Seconds to wait before the next call."),
                Standard("RFC 9110", "10.2.3"),
            ],
            retry_after,
        )
        .should(),
        Requirement::new(
            "generate.job-id.unique",
            "Each accepted request queues its own job: the responses to concurrent requests with different topics have different values of job_id.",
            &[Fact("1.3"), Fact("4.1")],
            unique_ids,
        )
        .core(),
    ]
}

fn valid<Run>(
    id: &'static str,
    clause: &'static str,
    sources: &'static [Source],
    check: impl Fn(Context, Value) -> Run + Send + Sync + 'static,
) -> Requirement
where
    Run: Future<Output = Verdict> + Send + 'static,
{
    Requirement::new(id, clause, sources, check).drawn(
        "valid requests: edges of the schema first, then random ones",
        Cases::ListedThenSearched(Space::edge_count),
        Space::valid_request,
    )
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
    ensure_met(exchange.succeeded(), format!("the request was refused with {}", exchange.status))?;
    steps::discard(&context, &exchange).await?;
    let Some(value) = exchange.headers.get("retry-after") else { return Ok(()) };
    let seconds = value.to_str().ok().and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
    ensure(seconds >= 1, "whole seconds of at least 1 in Retry-After", || format!("{value:?}")).about(&exchange)
}

async fn unique_ids(context: Context, _: Value) -> Verdict {
    let documented = |topic: &str| json!({ "topic": topic, "website_id": context.facts().website_id });
    let calls = TOPICS.iter().map(|topic| context.send(steps::generate(&documented(topic))));
    let mut seen = BTreeSet::new();
    for exchange in futures::future::try_join_all(calls).await? {
        demand::success(&exchange)?;
        let id = demand::text(demand::json(&exchange)?, "job_id")?.to_owned();
        ensure(seen.insert(id.clone()), "eight different values of job_id", || format!("{id} twice"))?;
    }
    Ok(())
}
