//! Scheduled posts that are read by their ids: the same as in the list, also for failed jobs and unknown ids.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{
    About as _, Capability, Cases, Context, Exchange, Facts, Finding, Halt, Request, Requirement, Source, Verdict,
    demand, ensure, header_fields,
};
use crate::spec::Document;
use crate::steps::jobs::{failed, failing_order};
use crate::steps::operations::{unknown_id, unknown_refused};
use crate::steps::pipeline::{failed_with, settled};
use crate::steps::publishing::{SKEW, limit, scheduled};
use crate::steps::times::{moment, server_now, written_at};
use crate::steps::{self, control, lists, pipeline};

const SAME_FIELDS: Source = Sentence("Returns one scheduled post with the same fields as in the list.");

const WITH_JOBS: &[Capability] = &[Capability::PIPELINE, Capability::JOBS];

const FAILING: &[Capability] = &[Capability::PIPELINE, Capability::JOBS, Capability::FAILING_JOB];

/// Maximum number of attempts to read a scheduled post before its job ends, and to read it and the list without a change in between.
const TRIES: usize = 5;

const PIPELINE: &[Capability] = &[Capability::PIPELINE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "pipeline.get.immediate",
            "Right after the response to POST /generate, the scheduled post can be read by the scheduled_post_id of \
            that response.",
            &[
                Sentence("The job's scheduled post exists when the response arrives."),
                Sentence("A job has the id of its post in `scheduled_post_id`."),
                Sentence("The topic as sent."),
            ],
            immediate,
        )
        .needs(WITH_JOBS),
        Requirement::new(
            "pipeline.get.same-as-list",
            "GET /scheduled_posts/{scheduled_post_id} returns the scheduled post as the list shows it.",
            &[SAME_FIELDS],
            same_as_list,
        )
        .needs(WITH_JOBS),
        Requirement::new(
            "pipeline.get.by-status",
            "A scheduled post has published_at exactly if it is published, and an error only if it has failed, by its id and in the list.",
            &[
                Sentence("`published_at` is not null exactly if `status` is `published`."),
                Sentence("Null in every other state."),
            ],
            published_one,
        )
        .needs(WITH_JOBS)
        .background()
        .observing(by_status),
        Requirement::new(
            "pipeline.get.failed",
            "The scheduled post of a failed job has the same error when it is read by its id as in the list.",
            &[SAME_FIELDS],
            failed_in_list,
        )
        .needs(FAILING),
        Requirement::new(
            "pipeline.get.no-store",
            "The response with a scheduled post has Cache-Control: no-store, or private, no-cache if it has an ETag.",
            &[Sentence(
                "`private, no-cache` with an `ETag`; `no-store` or `private, no-cache` for successes of cancel and of \
                lists other than leads; `no-store` in all other responses, also in errors.",
            )],
            no_store,
        )
        .needs(WITH_JOBS),
        Requirement::new(
            "pipeline.failed.entry",
            "The scheduled post of a failed job is failed, with code and retryable of the job's error; it has no article \
            and is never published.",
            &[
                Sentence(
                    "If its job fails, the post is `failed`, with the `code` and `retryable` of the job's `error`.",
                ),
                Sentence(
                    "Why a scheduled post failed, for programs: `publish_failed` (retryable), `publish_rejected`, or \
                    the code of the job that failed.",
                ),
                Sentence("Id of the article once it is written."),
                Sentence("`published_at` is not null exactly if `status` is `published`."),
            ],
            failed_entry,
        )
        .needs(FAILING),
        Requirement::new(
            "pipeline.unknown.not-found",
            "GET /scheduled_posts/{scheduled_post_id} with an unknown id gets 404 scheduled_post_not_found. An id that HTTP \
            libraries may refuse gets any 4xx.",
            &[
                Sentence("There is no such scheduled post."),
                Part("/x-problem-codes/scheduled_post_not_found"),
                Sentence("The id is unknown, or the key may not use it."),
            ],
            unknown,
        )
        .needs(PIPELINE)
        .drawn("ids that name nothing", Cases::Divided(4), |space, draw| unknown_id(space, "get_scheduled_post", draw)),
        Requirement::new(
            "pipeline.updated-at.follows-change",
            "updated_at of a scheduled post is the time of its last change: once published, it is not before \
            published_at, with a tolerance of one second.",
            &[Sentence("When it last changed."), Sentence("When the article was published.")],
            updated_last,
        )
        .needs(WITH_JOBS)
        .background(),
    ]
}

fn by_status(_: &Document, _: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let body = exchange.json().filter(|_| exchange.succeeded())?;
    let posts = match exchange.request.operation {
        Some("get_scheduled_post") => std::slice::from_ref(body),
        Some("list_scheduled_posts") => lists::rows(body),
        _ => return None,
    };
    let agrees = |post: &Value| {
        let is = |status: &str| post["status"] == status;
        post["published_at"].is_null() != is("published") && (post["error"].is_null() || is("failed"))
    };
    let wrong = posts.iter().find(|post| !agrees(post));
    let expected = "published_at exactly if the status is published, and an error only if it is failed";
    if let Some(post) = wrong {
        return Some(Err(Finding::new(expected, format!("{}; {}", demand::brief(post), exchange.line()))));
    }
    // A server without published posts shows nothing.
    posts.iter().any(|post| post["status"] == "published").then_some(Ok(()))
}

/// Publishes an article and reads its scheduled post, so that an observer that runs alone has something to check.
async fn published_one(context: Context, _: Value) -> Verdict {
    let (job, _) = steps::written(&context, &steps::published_request(&context, "Reading a printed plan")).await?;
    let job_id = demand::text(&job, "job_id")?;
    settled(&context, job_id, &["published"], context.facts().ready_within).await.map_err(|halt| match halt {
        Halt::Fail(_) => Halt::inconclusive("the article was not published in time"),
        other => other,
    })?;
    context.send(steps::get_scheduled_post(demand::text(&job, "scheduled_post_id")?)).await.map(drop)
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
    let mut job_id = String::new();
    // Only a read before the end of the job shows whether later reads are new. A quick server may end the first jobs before that.
    for _ in 0..TRIES {
        let queued = context.send(steps::generate(&body)).await?;
        demand::success(&queued)?;
        let job = demand::json(&queued)?;
        demand::text(job, "job_id")?.clone_into(&mut job_id);
        let post = context.send(steps::get_scheduled_post(demand::text(job, "scheduled_post_id")?)).await?;
        demand::status(&post, 200)?;
        if ["queued", "generating"].contains(&demand::text(demand::json(&post)?, "status")?) {
            break;
        }
    }
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

async fn failed_in_list(context: Context, _: Value) -> Verdict {
    let job = failed(&context, &failing_order(&context, true)).await?;
    let listed = failed_with(&context, &job).await?;
    let one = context.send(steps::get_scheduled_post(demand::text(&listed, "id")?)).await?;
    demand::status(&one, 200)?;
    let [in_list, by_id] = [&listed, demand::json(&one)?].map(|entry| steps::without_nulls(&entry["error"]));
    demand::same("error of the scheduled post", &in_list, &by_id).about(&one)
}

/// Demands that the scheduled post of the job is the same in the list and by its id, unless it changed in between.
async fn ensure_same(context: &Context, job_id: &str) -> Verdict {
    for _ in 0..TRIES {
        let entries = pipeline::entries_of(context, job_id).await?;
        let listed = entries.first().ok_or_else(|| Halt::fail("a scheduled post with the job_id", "none"))?;
        let one = context.send(steps::get_scheduled_post(demand::text(listed, "id")?)).await?;
        demand::status(&one, 200)?;
        let read = demand::json(&one)?;
        let again = pipeline::entries_of(context, job_id).await?;
        // If the list is the same before and after, nothing changed in between.
        if again.first() == Some(listed) {
            return demand::same("the scheduled post", &steps::without_nulls(listed), &steps::without_nulls(read))
                .about(&one);
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
    demand::same("id", &json!(id), &demand::json(&entry)?["id"]).about(&entry)?;
    let cache_control = header_fields::joined(&entry.headers, "cache-control");
    let has = |name: &str| header_fields::has_directive(&cache_control, name);
    let may_be_revalidated = entry.header("etag").is_some() && has("private") && has("no-cache");
    ensure(has("no-store") || may_be_revalidated, "Cache-Control: no-store", || cache_control.clone()).about(&entry)?;
    steps::discard(&context, &queued).await
}

async fn failed_entry(context: Context, _: Value) -> Verdict {
    let job = failed(&context, &failing_order(&context, true)).await?;
    let entry = failed_with(&context, &job).await?;
    demand::same("status of the scheduled post", &json!("failed"), &entry["status"])?;
    demand::same("code of the scheduled post", &job["error"]["code"], &entry["error"]["code"])?;
    demand::same("retryable of the scheduled post", &job["error"]["retryable"], &entry["error"]["retryable"])?;
    for field in ["article_id", "published_at"] {
        demand::same(
            &format!("{field} of the scheduled post"),
            &Value::Null,
            entry.get(field).unwrap_or(&Value::Null),
        )?;
    }
    Ok(())
}

async fn unknown(context: Context, id: Value) -> Verdict {
    let id = id.as_str().unwrap_or("x");
    // The drawn segment is already percent-encoded.
    let exchange = context.send(Request::new("get_scheduled_post", "GET", &format!("/scheduled_posts/{id}"))).await?;
    unknown_refused(&exchange, id, "scheduled_post_not_found")?;
    control::entry(&context).await
}

async fn updated_last(context: Context, _: Value) -> Verdict {
    let (job_id, _) = scheduled(&context, "Filing a letter").await?;
    let entry = settled(&context, &job_id, &["published"], limit(&context)).await?;
    let (updated, published) = (moment(&entry, "updated_at")?, moment(&entry, "published_at")?);
    ensure(updated + SKEW >= published, format!("updated_at not before {}", written_at(published)), || {
        written_at(updated)
    })
}
