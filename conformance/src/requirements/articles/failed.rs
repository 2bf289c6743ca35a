//! What is answered for the article of a job that failed.

use serde_json::Value;

use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure};
use crate::steps::failing::{failed, order};
use crate::steps::lists::ARTICLES;
use crate::steps::{self, lists};

const SOURCE: &str = "openapi.yaml, x-problem-codes, generation_failed";

const FAILING: &[Capability] = &[Capability::JOBS, Capability::ARTICLES, Capability::FAILING_JOB];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "articles.failed.not-found",
            "The id of a job that failed is 404 generation_failed, without Retry-After, because it never will have an article; the list has none.",
            SOURCE,
            not_found,
        )
        .needs(FAILING),
    ]
}

async fn not_found(context: Context, _: Value) -> Verdict {
    let job = failed(&context, &order(&context, true)).await?;
    let job_id = demand::text(&job, "job_id")?;
    let refused = context.send(steps::get_article(job_id)).await?;
    demand::problem(&refused, 404, &["generation_failed"])?;
    ensure(refused.header("retry-after").is_none(), "no Retry-After, as nothing will come", || demand::seen(&refused))?;
    let query = format!("limit=100&website_id={}", steps::segment(demand::text(&job, "website_id")?));
    let listed = lists::found(&context, ARTICLES, &query, |row| row["job_id"] == job_id).await?;
    ensure(listed.is_empty(), "no article of a job that failed", || demand::brief(&listed[0]))
}
