//! Webhooks about failed and cancelled jobs: none of type article.published, and job.failed for the endpoints that chose it.

use serde_json::{Map, Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Cases, Context, Halt, Requirement, Verdict, demand, ensure_met};
use crate::inbox::{Endpoint, HookRequest};
use crate::steps;
use crate::steps::draws::index_of;
use crate::steps::endpoints::{must_arrive, own, release};
use crate::steps::hooks::{ARTICLE_PUBLISHED, article_hook};
use crate::steps::jobs::{cancelled_of, failed, failing_order};
use crate::steps::payloads::{ensure_unnamed, has_type, long_labels, names};

const FAILING: &[Capability] = &[Capability::HOOKS, Capability::JOBS, Capability::FAILING_JOB];

const OWN: &[Capability] =
    &[Capability::HOOKS, Capability::JOBS, Capability::FAILING_JOB, Capability::HOOK_REGISTRATION];

/// Type of the event about a failed job.
const JOB_FAILED: &str = "job.failed";

/// Type of the event about an article that could not be published.
const POST_FAILED: &str = "scheduled_post.failed";

/// Types of webhooks about the end of a job.
const TYPES: [&str; 3] = [ARTICLE_PUBLISHED, JOB_FAILED, POST_FAILED];

const JOBS: &[Capability] = &[Capability::HOOKS, Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "hooks.failed.silent",
            "A failed job has no article, so it causes no webhook of type article.published or scheduled_post.failed.",
            &[
                Sentence(
                    "`article_id` is not null exactly if `status` is `completed`, and exactly if `GET \
                    /api/v1/articles/{article_id}` answers 200.",
                ),
                Sentence("When the event arrives, the API shows the article with `status` `published`."),
                Sentence("If its job fails, a scheduled post has none: `job.failed` reports that."),
            ],
            failed_silent,
        )
        .needs(FAILING)
        .background(),
        Requirement::new(
            "hooks.failed.everywhere",
            "If the endpoint under test gets the event job.failed, another endpoint that was registered in the same way \
            gets it, too, with the job as it failed.",
            &[
                Sentence("Sent to every active endpoint that chose this type and this website."),
                Sentence("The job that failed."),
                Sentence("Once `done` is true, the body and its `ETag` no longer change."),
                Part("/x-webhooks/job.failed/post"),
            ],
            everywhere,
        )
        .needs(OWN)
        .background(),
        Requirement::new(
            "hooks.failed.left-out",
            "If the event job.failed does not contain all of a job with more than 20 KiB of metadata, left_out is the \
            number of missing labels.",
            &[
                Sentence("Number of parts of the job that were left out because the body would exceed 20 KiB."),
                Sentence("Each label of its metadata counts as one."),
            ],
            left_out,
        )
        .drawn("metadata of the size of a complete body", Cases::Exactly(1), |space, _| {
            json!(space.document().limit_number("hook_body_whole", "maximum"))
        })
        .needs(FAILING)
        .background(),
        Requirement::new(
            "hooks.cancelled.silent",
            "A cancelled job causes no webhook of type article.published, job.failed or scheduled_post.failed: it has not failed, and it \
            never gets an article.",
            &[
                Sentence("A cancelled job never gets an article."),
                Sentence(
                    "`queued` waits, `in_progress` is being written, `completed` has an article, `failed` has an \
                    `error`, `cancelled` was stopped.",
                ),
            ],
            cancelled_silent,
        )
        .needs(JOBS)
        .background(),
    ]
}

async fn failed_silent(context: Context, _: Value) -> Verdict {
    let job = failed(&context, &failing_order(&context, true)).await?;
    let job_id = demand::text(&job, "job_id")?;
    // A wrong webhook about this job would have arrived before that of a later article.
    article_hook(&context).await?;
    let is_wrong = |hook: &HookRequest| has_type(hook, ARTICLE_PUBLISHED) || has_type(hook, POST_FAILED);
    let is_about = |hook: &HookRequest| is_wrong(hook) && names(hook, job_id);
    let mut seen = context.hooks()?.wait_for(job_id, context.quiet(), |seen| seen.iter().any(is_about)).await;
    // Another webhook may report that the job failed.
    seen.retain(is_about);
    ensure_unnamed(&seen, job_id, "no webhook of type article.published or scheduled_post.failed about a failed job")
}

/// Waits for the event about a failed job at the endpoint under test. An endpoint need not choose its type.
async fn announced(context: &Context, job_id: &str) -> Result<HookRequest, Halt> {
    // By now a webhook about the failed job would at least be on its way.
    article_hook(context).await?;
    let is_about = |hook: &HookRequest| has_type(hook, JOB_FAILED) && names(hook, job_id);
    let seen = context.hooks()?.wait_for(job_id, context.quiet(), |seen| seen.iter().any(is_about)).await;
    let unchosen = || Halt::inconclusive("no webhook of type job.failed arrived: the endpoint may not have chosen it");
    seen.into_iter().find(is_about).ok_or_else(unchosen)
}

async fn everywhere(context: Context, _: Value) -> Verdict {
    let endpoint = own(&context, "failures").await?;
    let verdict = also_at(&context, &endpoint).await;
    release(&context, &endpoint, verdict).await
}

async fn also_at(context: &Context, endpoint: &Endpoint) -> Verdict {
    let job = failed(context, &failing_order(context, false)).await?;
    let job_id = demand::text(&job, "job_id")?;
    announced(context, job_id).await?;
    let hook = must_arrive(context, endpoint, job_id).await?.json().unwrap_or_default();
    for field in ["/status", "/done", "/error/code", "/error/retryable", "/finished_at"] {
        let [wanted, told] = [&job, &hook["data"]["job"]].map(|job| job.pointer(field).unwrap_or(&Value::Null));
        demand::same(&format!("data/job{field}"), wanted, told)?;
    }
    Ok(())
}

async fn left_out(context: Context, whole: Value) -> Verdict {
    let mut body = failing_order(&context, false);
    body["metadata"] = long_labels(index_of(&whole));
    let job = failed(&context, &body).await?;
    let hook = announced(&context, demand::text(&job, "job_id")?).await?.json().unwrap_or_default();
    demand::schema(&context, &hook, "JobFailedEvent")?;
    let labels = |job: &Value| job["metadata"].as_object().map_or(0, Map::len);
    let (all, kept) = (labels(&job), labels(&hook["data"]["job"]));
    ensure_met(kept < all, "the webhook contains the whole job")?;
    demand::same("left_out", &json!(all - kept), &hook["data"]["left_out"])
}

async fn cancelled_silent(context: Context, _: Value) -> Verdict {
    let (job_id, job) = cancelled_of(&context, steps::published_request(&context, "Stopping a clock")).await?;
    demand::same("status", &json!("cancelled"), &job["status"])?;
    // By now a webhook about this job would at least be on its way.
    article_hook(&context).await?;
    let is_about = |hook: &HookRequest| TYPES.iter().any(|kind| has_type(hook, kind)) && names(hook, &job_id);
    let mut seen = context.hooks()?.wait_for(&job_id, context.quiet(), |seen| seen.iter().any(is_about)).await;
    seen.retain(is_about);
    ensure_unnamed(&seen, &job_id, "no webhook about the end of a cancelled job")
}
