//! A failed job publishes nothing, so no webhook reports an article.

use serde_json::Value;

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Requirement, Verdict, demand};
use crate::inbox::HookRequest;
use crate::steps::failing::{failed, order};
use crate::steps::hooks::{ARTICLE_PUBLISHED, article_hook};
use crate::steps::payloads::{ensure_unnamed, has_type, names};

const FAILING: &[Capability] = &[Capability::HOOKS, Capability::JOBS, Capability::FAILING_JOB];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "hooks.failed.silent",
            "A failed job has no article, so it causes no webhook of type article.published.",
            &[
                Sentence(
                    "`article_id` is not null exactly if `status` is `completed`, and exactly if `GET \
                    /api/v1/articles/{article_id}` answers 200.",
                ),
                Sentence("When the event arrives, the API shows the article with `status` `published`."),
            ],
            silent,
        )
        .needs(FAILING)
        .background(),
    ]
}

async fn silent(context: Context, _: Value) -> Verdict {
    let job = failed(&context, &order(&context, true)).await?;
    let job_id = demand::text(&job, "job_id")?;
    // A wrong webhook about this job would have arrived before that of a later article.
    article_hook(&context).await?;
    let is_about = |hook: &HookRequest| has_type(hook, ARTICLE_PUBLISHED) && names(hook, job_id);
    let mut seen = context.hooks()?.wait_for(job_id, context.quiet(), |seen| seen.iter().any(is_about)).await;
    // Another webhook may report that the job failed.
    seen.retain(is_about);
    ensure_unnamed(&seen, job_id, "no webhook of type article.published about a failed job")
}
