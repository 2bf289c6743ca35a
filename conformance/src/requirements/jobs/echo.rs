//! Fields of a job that repeat its request.

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand};
use crate::steps;
use crate::strategies::Space;

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "jobs.echo.what-was-sent",
            "A job repeats topic, website_id and metadata as sent.",
            &[
                Sentence("The topic as sent."),
                Sentence("Website of the article."),
                Sentence("The metadata of the request; empty if it had none."),
            ],
            echo,
        )
        .drawn("valid requests: edges of the schema and random ones by turns", Cases::Divided(2), Space::mixed_request)
        .needs(JOBS),
    ]
}

async fn echo(context: Context, body: Value) -> Verdict {
    let queued = context.send(steps::generate(&body)).await?;
    demand::success(&queued)?;
    let job_id = demand::text(demand::json(&queued)?, "job_id")?.to_owned();
    let exchange = context.send(steps::get_job(&job_id)).await?;
    let job = demand::json(&exchange)?;
    demand::same("job_id", &json!(job_id), &job["job_id"])?;
    demand::same("topic", &body["topic"], &job["topic"])?;
    demand::same("website_id", &body["website_id"], &job["website_id"])?;
    let metadata = body.get("metadata").cloned().unwrap_or_else(|| json!({}));
    let seen = job.get("metadata").filter(|value| !value.is_null()).cloned();
    demand::same("metadata", &metadata, &seen.unwrap_or_else(|| json!({})))?;
    steps::discard(&context, &queued).await
}
