//! Reading a job: the fields of its request and of the first response, and ids that name no job.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{
    Capability, Cases, Context, Exchange, Facts, Finding, Halt, Request, Requirement, Verdict, demand, ensure,
};
use crate::spec::Document;
use crate::steps::jobs::shown;
use crate::steps::observing::{call_each_operation, finding};
use crate::steps::operations::{unknown_id, unknown_refused};
use crate::steps::{self, control, pipeline};
use crate::strategies::Space;

const JOBS: &[Capability] = &[Capability::JOBS];

const WITH_POSTS: &[Capability] = &[Capability::JOBS, Capability::PIPELINE];

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
        Requirement::new(
            "jobs.details.same-as-queued",
            "The job has the created_at and, unless it is null, the scheduled_post_id of the 202, which is the id of its scheduled post. If the 202 has further fields of a job, they are those of a queued one.",
            &[
                Sentence("It may have further fields of `Job` with the same meaning."),
                Sentence("Number of times that writing began, also if a crash interrupted it."),
                Sentence("When writing first began."),
                Sentence(
                    "`done` is true exactly if `status` is `completed`, `failed` or `cancelled`, and exactly if `finished_at` is not null.",
                ),
                Sentence("`error` is not null exactly if `status` is `failed`."),
                Sentence(
                    "`article_id` is not null exactly if `status` is `completed`, and exactly if `GET /api/v1/articles/{article_id}` answers 200.",
                ),
                Sentence("If given, `progress` is 0 when queued and 100 when completed."),
                Sentence("When the job was queued."),
                Sentence("Id of the job's scheduled post."),
                Sentence("Null if a retry gave its scheduled post another job."),
                Sentence("A job has the id of its post in `scheduled_post_id`."),
            ],
            same_as_queued,
        )
        .needs(WITH_POSTS),
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
        Requirement::new(
            "jobs.unknown.not-found",
            "Reading or cancelling a job by an unknown id gets 404 job_not_found, or another 4xx if the id contains NUL, a slash, a \
             backslash, a semicolon, a percent sign or bytes that are not UTF-8.",
            &[
                Part("/x-problem-codes/job_not_found/status"),
                Sentence("There is no such job."),
                Sentence("The id is unknown, or the key may not use it."),
                Sentence("Ids are opaque strings, which are compared exactly, with their letter case."),
            ],
            unknown,
        )
        .drawn("ids that name nothing", Cases::Searched, |space, draw| unknown_id(space, "get_job", draw))
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
    let entries = pipeline::entries_of(&context, job_id).await?;
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

async fn unknown(context: Context, id: Value) -> Verdict {
    let id = id.as_str().unwrap_or("x");
    // The drawn segment is already percent-encoded.
    let read = Request::new("get_job", "GET", &format!("/jobs/{id}"));
    let cancel = Request::new("cancel_job", "POST", &format!("/jobs/{id}/cancel"));
    for request in [read, cancel] {
        unknown_refused(&*context.send(request).await?, id, "job_not_found")?;
    }
    control::job(&context).await
}
