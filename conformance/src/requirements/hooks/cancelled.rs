//! Cancelled jobs cause no webhooks.

use serde_json::Value;

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Requirement, Verdict, demand};
use crate::inbox::HookRequest;
use crate::steps;
use crate::steps::cancelled::cancelled_of;
use crate::steps::hooks::{ARTICLE_PUBLISHED, article_hook};
use crate::steps::payloads::{ensure_unnamed, has_type, names};

/// Types of webhooks about the end of a job.
const TYPES: [&str; 2] = [ARTICLE_PUBLISHED, "job.failed"];

const JOBS: &[Capability] = &[Capability::HOOKS, Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "hooks.cancelled.silent",
            "A cancelled job causes no webhook of type article.published or job.failed: it has not failed, and it never \
            gets an article.",
            &[
                Sentence("A cancelled job never gets an article."),
                Sentence(
                    "`queued` waits, `in_progress` is being written, `completed` has an article, `failed` has an \
                    `error`, `cancelled` was stopped.",
                ),
            ],
            silent,
        )
        .needs(JOBS)
        .background(),
    ]
}

async fn silent(context: Context, _: Value) -> Verdict {
    let (job_id, job) = cancelled_of(&context, steps::published_request(&context, "Stopping a clock")).await?;
    demand::same("status", &serde_json::json!("cancelled"), &job["status"])?;
    // By now a webhook about this job would at least be on its way.
    article_hook(&context).await?;
    let is_about = |hook: &HookRequest| TYPES.iter().any(|kind| has_type(hook, kind)) && names(hook, &job_id);
    let mut seen = context.hooks()?.wait_for(&job_id, context.quiet(), |seen| seen.iter().any(is_about)).await;
    seen.retain(is_about);
    ensure_unnamed(&seen, &job_id, "no webhook about the end of a cancelled job")
}
