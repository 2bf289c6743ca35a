//! Reading the article of a failed job.

use serde_json::Value;

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure};
use crate::steps::failing::{failed, order};
use crate::steps::lists::ARTICLES;
use crate::steps::{self, lists};

const FAILING: &[Capability] = &[Capability::JOBS, Capability::ARTICLES, Capability::FAILING_JOB];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "articles.failed.not-found",
            "The id of a failed job returns 404 generation_failed without Retry-After, because the job will never have an article. The list of articles has none either.",
            &[
                Sentence("If the job failed or was cancelled, it is 404 `generation_failed` or `generation_cancelled`."),
                Sentence("These two have no `Retry-After`."),
                Sentence("The id is of a job that failed."),
                Sentence("There is no article with this id, none yet, or there never will be one."),
                Sentence("It will never have an article."),
            ],
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
    ensure(refused.header("retry-after").is_none(), "no Retry-After for a failed job", || demand::seen(&refused))?;
    let query = format!("limit=100&website_id={}", steps::segment(demand::text(&job, "website_id")?));
    let listed = lists::found(&context, ARTICLES, &query, |row| row["job_id"] == job_id).await?;
    ensure(listed.is_empty(), "no article of a failed job", || demand::brief(&listed[0]))
}
