//! Publication times: not before `publish_at`, soon after it, never without approval.

use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use crate::check::{Capability, Context, Halt, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::publishing::{ahead, hooks_about, no_hook, turned};
use crate::steps::times::{date_of, moment, server_now, written_at};
use crate::steps::{cancelled, lists};

const BOTH: &[Capability] = &[Capability::PIPELINE, Capability::JOBS];

const DATES: &str = "openapi.yaml, GenerateRequest publish_at";

/// Maximum difference between the clocks of a service's machines.
const SKEW: chrono::Duration = chrono::Duration::seconds(1);

/// Time after `publish_at` within which a wrong publication would happen.
const AFTERWARDS: Duration = Duration::from_secs(3);

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "pipeline.publish-at.without-approval",
            "With auto_publish false nothing is published at publish_at: the scheduled post stays ready, and no webhook is sent.",
            DATES,
            without_approval,
        ).needs(BOTH).background(),
        Requirement::must(
            "pipeline.publish-at.not-before",
            "With auto_publish true an article is published after publish_at and not before, and no webhook is sent before.",
            DATES,
            not_before,
        ).needs(BOTH).background(),
        Requirement::must(
            "pipeline.publish-at.past",
            "With publish_at in the past an article is published once it is ready, and published_at is the time of that.",
            DATES,
            past,
        ).needs(BOTH).background(),
        Requirement::must(
            "pipeline.publish-at.cancelled",
            "A job that was cancelled stays cancelled after its publish_at: no article is published.",
            "openapi.yaml, JobStatus and cancel_job",
            stays_cancelled,
        ).needs(BOTH).background(),
    ]
}

/// Returns the scheduled post of a job.
async fn entry_of(context: &Context, job_id: &str) -> Result<Value, Halt> {
    let entries = lists::entries_of(context, job_id).await?;
    entries.into_iter().next().ok_or_else(|| Halt::fail("a scheduled post with the job_id", "none"))
}

async fn without_approval(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "A draft whose time comes and goes");
    let at = server_now(&context).await? + chrono::Duration::seconds(3);
    body["publish_at"] = json!(written_at(at));
    let (job, article) = steps::written(&context, &body).await?;
    let id = demand::text(demand::json(&article)?, "id")?.to_owned();
    let left = (at - server_now(&context).await?).to_std().unwrap_or_default();
    context.waiting(tokio::time::sleep(left + AFTERWARDS)).await;
    let entry = entry_of(&context, demand::text(&job, "job_id")?).await?;
    demand::same("status of the scheduled post", &json!("ready"), &entry["status"])?;
    demand::same("published_at of the scheduled post", &Value::Null, &entry["published_at"])?;
    demand::same("publish_at of the scheduled post, in milliseconds", &json!(at.timestamp_millis()), &{
        json!(moment(&entry, "publish_at")?.timestamp_millis())
    })?;
    let article = context.send(steps::get_article(&id)).await?;
    let article = demand::json(&article)?;
    ensure(article["status"] != "published", "an article that is not published", || demand::brief(&article["status"]))?;
    no_hook(&context, &id)
}

async fn not_before(context: Context, _: Value) -> Verdict {
    let mut body = steps::published_request(&context, "An article that waits for its time");
    let at = server_now(&context).await? + ahead(&context);
    body["publish_at"] = json!(written_at(at));
    let (job, article) = steps::written(&context, &body).await?;
    let id = demand::text(demand::json(&article)?, "id")?.to_owned();
    // `Date` has whole seconds: the response may be almost a second later.
    if date_of(&article)? + SKEW < at {
        let status = &demand::json(&article)?["status"];
        ensure(status != "published", format!("an article that is not published before {at}"), || status.to_string())?;
        let seen = hooks_about(&context, &id);
        if server_now(&context).await? + SKEW < at {
            ensure(seen.is_empty(), format!("no webhook before {at}"), || demand::brief(&json!(seen.len())))?;
        }
    }
    let limit = context.facts().ready_within + Duration::from_secs(5);
    let article = turned(&context, &id, "published", limit).await?;
    ensure_not_earlier(&article, "published_at", at)?;
    let entry = entry_of(&context, demand::text(&job, "job_id")?).await?;
    ensure_not_earlier(&entry, "published_at", at)?;
    for hook in hooks_about(&context, &id) {
        if let Some(envelope) = hook.json().filter(|envelope| envelope["type"] == "article.published") {
            ensure_not_earlier(&envelope, "timestamp", at)?;
        }
    }
    Ok(())
}

fn ensure_not_earlier(value: &Value, field: &str, at: DateTime<Utc>) -> Verdict {
    let time = moment(value, field)?;
    ensure(time + SKEW >= at, format!("{field} not before {}", written_at(at)), || written_at(time))
}

async fn past(context: Context, _: Value) -> Verdict {
    let mut body = steps::published_request(&context, "An article whose time has long come");
    body["publish_at"] = json!("2020-02-29T23:59:59Z");
    let (_, article) = steps::written(&context, &body).await?;
    let created = moment(demand::json(&article)?, "created_at")?;
    let id = demand::text(demand::json(&article)?, "id")?.to_owned();
    let article = turned(&context, &id, "published", context.facts().ready_within).await?;
    ensure_not_earlier(&article, "published_at", created)
}

async fn stays_cancelled(context: Context, _: Value) -> Verdict {
    let mut body = steps::published_request(&context, "An article that is not wanted any more");
    let at = server_now(&context).await? + chrono::Duration::seconds(4);
    body["publish_at"] = json!(written_at(at));
    let (job_id, _) = cancelled::cancelled_of(&context, body).await?;
    let left = (at - server_now(&context).await?).to_std().unwrap_or_default();
    context.waiting(tokio::time::sleep(left + AFTERWARDS)).await;
    let job = context.send(steps::get_job(&job_id)).await?;
    demand::same("status of the job", &json!("cancelled"), &demand::json(&job)?["status"])?;
    demand::same("status of the scheduled post", &json!("cancelled"), &entry_of(&context, &job_id).await?["status"])?;
    demand::problem(&*context.send(steps::get_article(&job_id)).await?, 404, &["generation_cancelled"])
}
