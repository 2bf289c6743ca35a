//! Scheduled posts that are read by their ids: the same as in the list.

use serde_json::{Value, json};

use crate::check::{About as _, Capability, Context, Halt, Requirement, Verdict, demand, ensure, header_fields};
use crate::steps::failing::{entry, failed, order};
use crate::steps::pipeline::settled;
use crate::steps::times::{server_now, written_at};
use crate::steps::{self, lists};

const SOURCE: &str = "openapi.yaml, get_scheduled_post";

const PIPELINE: &[Capability] = &[Capability::PIPELINE, Capability::JOBS];

const FAILING: &[Capability] = &[Capability::PIPELINE, Capability::JOBS, Capability::FAILING_JOB];

/// Maximum number of attempts to read the list and the scheduled post without a change in between.
const TRIES: usize = 5;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "pipeline.get.immediate",
            "Right after the response to POST /generate, the scheduled post can be read by the scheduled_post_id of that response.",
            SOURCE,
            immediate,
        )
        .needs(PIPELINE),
        Requirement::must(
            "pipeline.get.same-as-list",
            "GET /scheduled_posts/{scheduled_post_id} returns the scheduled post as the list shows it.",
            SOURCE,
            same_as_list,
        )
        .needs(PIPELINE),
        Requirement::must(
            "pipeline.get.failed",
            "The scheduled post of a failed job has the same error when it is read by its id as in the list.",
            SOURCE,
            failed_entry,
        )
        .needs(FAILING),
        Requirement::must(
            "pipeline.get.no-store",
            "A scheduled post that is read by its id is served with Cache-Control: no-store.",
            "RFC 9111, section 5.2.2.5; openapi.yaml, Cache-Control",
            no_store,
        )
        .needs(PIPELINE),
    ]
}

async fn immediate(context: Context, _: Value) -> Verdict {
    let queued = context.send(steps::generate(&steps::quiet_request(&context, "Reading one row"))).await?;
    demand::success(&queued)?;
    let job = demand::json(&queued)?;
    let entry = context.send(steps::get_scheduled_post(demand::text(job, "scheduled_post_id")?)).await?;
    demand::status(&entry, 200)?;
    for (field, expected) in [("id", "scheduled_post_id"), ("job_id", "job_id"), ("topic", "topic")] {
        demand::same(field, &job[expected], &demand::json(&entry)?[field]).about(&entry)?;
    }
    steps::discard(&context, &queued).await
}

async fn same_as_list(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Reading a row twice");
    body["publish_at"] = json!(written_at(server_now(&context).await? + chrono::Duration::days(1)));
    let queued = context.send(steps::generate(&body)).await?;
    demand::success(&queued)?;
    let job_id = demand::text(demand::json(&queued)?, "job_id")?.to_owned();
    ensure_same(&context, &job_id).await?;
    steps::finished(&context, &job_id).await?;
    settled(&context, &job_id, &["ready", "failed"], context.grace()).await?;
    ensure_same(&context, &job_id).await?;
    let body = steps::published_request(&context, "Reading a published row");
    let (job, _) = steps::written(&context, &body).await?;
    let job_id = demand::text(&job, "job_id")?;
    settled(&context, job_id, &["published", "failed"], context.facts().ready_within).await?;
    ensure_same(&context, job_id).await
}

async fn failed_entry(context: Context, _: Value) -> Verdict {
    let job = failed(&context, &order(&context, true)).await?;
    let listed = entry(&context, &job).await?;
    let one = context.send(steps::get_scheduled_post(demand::text(&listed, "id")?)).await?;
    demand::status(&one, 200)?;
    demand::same("error of the scheduled post", &listed["error"], &demand::json(&one)?["error"]).about(&one)
}

/// Demands that the scheduled post of the job is the same in the list and by its id, unless it changed in between.
async fn ensure_same(context: &Context, job_id: &str) -> Verdict {
    for _ in 0..TRIES {
        let entries = lists::entries_of(context, job_id).await?;
        let listed = entries.first().ok_or_else(|| Halt::fail("a scheduled post with the job_id", "none"))?;
        let one = context.send(steps::get_scheduled_post(demand::text(listed, "id")?)).await?;
        demand::status(&one, 200)?;
        let read = demand::json(&one)?;
        let again = lists::entries_of(context, job_id).await?;
        // If the list is the same before and after, nothing changed in between.
        if again.first() == Some(listed) {
            return demand::same("the scheduled post", listed, read).about(&one);
        }
    }
    Err(Halt::inconclusive(format!("the scheduled post changed in each of {TRIES} attempts to read it twice")))
}

async fn no_store(context: Context, _: Value) -> Verdict {
    let queued = context.send(steps::generate(&steps::quiet_request(&context, "Keeping no copy"))).await?;
    demand::success(&queued)?;
    let id = demand::text(demand::json(&queued)?, "scheduled_post_id")?.to_owned();
    let entry = context.send(steps::get_scheduled_post(&id)).await?;
    demand::status(&entry, 200)?;
    let cache_control = demand::header(&entry, "cache-control")?;
    let is_uncached = header_fields::has_directive(cache_control, "no-store");
    ensure(is_uncached, "Cache-Control: no-store", || cache_control.to_owned()).about(&entry)?;
    steps::discard(&context, &queued).await
}
