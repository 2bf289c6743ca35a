//! Fields of a job that depend on its status.

use serde_json::Value;

use crate::check::Source::Sentence;
use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand};
use crate::steps;
use crate::steps::job_details::agrees;
use crate::steps::orders::plain;

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "jobs.done.consistent",
            "done is true and finished_at is given exactly if the job has ended, error exactly if it failed, article_id exactly if it completed.",
            &[
                Sentence(
                    "`done` is true exactly if `status` is `completed`, `failed` or `cancelled`, and exactly if `finished_at` is \
                     not null.",
                ),
                Sentence("True once the job has ended."),
                Sentence("`error` is not null exactly if `status` is `failed`."),
                Sentence("Null in every other state."),
                Sentence("Id of the article once the job has completed."),
                Sentence(
                    "`article_id` is not null exactly if `status` is `completed`, and exactly if \
                     `GET /api/v1/articles/{article_id}` answers 200.",
                ),
            ],
            consistent,
        )
        .drawn("plain topics", Cases::Divided(8), plain)
        .needs(JOBS),
    ]
}

async fn consistent(context: Context, case: Value) -> Verdict {
    let body = steps::quiet_request(&context, steps::topic_of(&case));
    let job_id = steps::queue(&context, &body).await?;
    let early = context.send(steps::get_job(&job_id)).await?;
    let late = steps::finished(&context, &job_id).await?;
    for exchange in [&early, &late] {
        agrees(demand::json(exchange)?)?;
    }
    Ok(())
}
