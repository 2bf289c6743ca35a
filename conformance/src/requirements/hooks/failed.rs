//! A job that failed publishes nothing, so that nothing is told of an article.

use serde_json::Value;

use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure};
use crate::inbox::HookRequest;
use crate::steps::failing::{failed, order};
use crate::steps::hooks::article_hook;

const FAILING: &[Capability] = &[Capability::HOOKS, Capability::JOBS, Capability::FAILING_JOB];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "hooks.failed.silent",
            "A job that failed has no article, so no hook tells that one was published.",
            "openapi.yaml, x-webhooks, article.published; Job, job-article",
            silent,
        )
        .needs(FAILING)
        .background(),
    ]
}

async fn silent(context: Context, _: Value) -> Verdict {
    let job = failed(&context, &order(&context, true)).await?;
    let job_id = demand::text(&job, "job_id")?;
    // What was published after it has been told by now: so would this.
    article_hook(&context).await?;
    let told = |seen: &[HookRequest]| seen.iter().any(tells_of_article);
    let hooks = context.hooks()?.wait_for(job_id, context.quiet(), |seen| told(seen)).await;
    ensure(!told(&hooks), "no hook article.published about a job that failed", || format!("one with {job_id}"))
}

/// Whether a hook says that an article was published; another may tell that the job failed.
fn tells_of_article(hook: &HookRequest) -> bool {
    hook.json().is_some_and(|event| event["type"] == "article.published")
}
