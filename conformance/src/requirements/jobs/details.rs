//! Details of a job: the fields of the first response, and `attempts`.

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Exchange, Facts, Finding, Halt, Requirement, Verdict, demand, ensure};
use crate::spec::Document;
use crate::steps::job_details::shown;
use crate::steps::observing::{call_each_operation, finding};
use crate::steps::{self, lists};

const JOBS: &[Capability] = &[Capability::JOBS];

const BOTH: &[Capability] = &[Capability::JOBS, Capability::PIPELINE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "jobs.details.same-as-queued",
            "The job has the created_at and, unless it is null, the scheduled_post_id of the 202, which is the id of its scheduled post. If the 202 has further fields of a job, they are those of a queued one.",
            &[
                Sentence("It may have further fields of `Job` with the same meaning."),
                Sentence("If given, `progress` is 0 when queued and 100 when completed."),
                Sentence("When the job was queued."),
                Sentence("Id of the job's scheduled post."),
                Sentence("Null if a retry gave its scheduled post another job."),
                Sentence("A job has the id of its post in `scheduled_post_id`."),
            ],
            same_as_queued,
        )
        .needs(BOTH),
        Requirement::new(
            "jobs.details.attempts",
            "attempts is 0 while a job is queued, and at least 1 once it is completed.",
            &[
                Sentence("Number of times that writing began, also if a crash interrupted it."),
                Sentence(
                    "`queued` waits, `in_progress` is being written, `completed` has an article, `failed` has an `error`, \
                     `cancelled` was stopped.",
                ),
            ],
            call_each_operation,
        )
        .needs(JOBS)
        .observing(attempts),
    ]
}

/// Returns the fields of a job that a 202 may lack, with their values while the job is queued.
fn further_fields() -> [(&'static str, Value); 7] {
    [
        ("done", json!(false)),
        ("attempts", json!(0)),
        ("progress", json!(0)),
        ("article_id", Value::Null),
        ("error", Value::Null),
        ("started_at", Value::Null),
        ("finished_at", Value::Null),
    ]
}

async fn same_as_queued(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Comparing two notes");
    let queued = context.send(steps::generate(&body)).await?;
    demand::status(&queued, 202)?;
    let told = demand::json(&queued)?;
    for (field, value) in further_fields() {
        let is_kept = told[field].is_null() || told[field] == value;
        ensure(is_kept, format!("{field} {value} of a queued job, if it is given"), || told[field].to_string())?;
    }
    let job_id = demand::text(told, "job_id")?;
    let job = context.send(steps::get_job(job_id)).await?;
    demand::status(&job, 200)?;
    let job = demand::json(&job)?;
    demand::same("created_at of the job", &told["created_at"], &job["created_at"])?;
    let post = &job["scheduled_post_id"];
    ensure(post.is_null() || *post == told["scheduled_post_id"], "scheduled_post_id as in the 202, or null", || {
        format!("{post} after {}", told["scheduled_post_id"])
    })?;
    let entries = lists::entries_of(&context, job_id).await?;
    let entry = entries.first().ok_or_else(|| Halt::fail("a scheduled post with the job_id", "none"))?;
    demand::same("id of the scheduled post", &told["scheduled_post_id"], &entry["id"])?;
    steps::discard(&context, &queued).await
}

fn attempts(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let job = shown(exchange)?;
    let attempts = job["attempts"].as_u64()?;
    match job["status"].as_str()? {
        "queued" => finding(attempts == 0, "attempts 0 of a queued job", exchange),
        "completed" => finding(attempts > 0, "attempts of at least 1 of a completed job", exchange),
        _ => None,
    }
}
