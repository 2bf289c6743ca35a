//! When articles are published: not before their time, soon after it, never without approval.
//!
//! What the pipeline shows meanwhile is in `pipeline`, how dates are written in `generate_dates`.

use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::hook_log::HookRequest;
use super::jobs_cancel;
use super::requirement::Requirement;
use super::steps;
use super::steps_lists;
use super::steps_times::{date_of, moment, server_now, written_at};
use super::verdict::{Halt, Verdict, ensure};

const BOTH: &[Capability] = &[Capability::Pipeline, Capability::Jobs];
const DATES: &str = "openapi.yaml, GenerateRequest publish_at";

/// What clocks of several machines of one service may differ by.
const SKEW: chrono::Duration = chrono::Duration::seconds(1);

/// Further ahead than 2³¹ milliseconds, which are 24.8 days.
const FAR_AHEAD: chrono::Duration = chrono::Duration::days(40);
/// How long an article that waits is looked at.
const WATCHED: Duration = Duration::from_secs(3);

pub(super) fn requirements() -> Vec<Requirement> {
    let all = vec![
        Requirement::must(
            "pipeline.publish-at.without-approval",
            "With auto_publish false publish_at is kept and does nothing: after that moment the entry is still ready, the article not published, and no hook was sent.",
            DATES,
            without_approval,
        ),
        Requirement::must(
            "pipeline.publish-at.not-before",
            "With auto_publish true nothing is published before publish_at, no hook sent, and afterwards all is: published_at is not before publish_at.",
            DATES,
            not_before,
        ),
        Requirement::must(
            "pipeline.publish-at.past",
            "A publish_at in the past means as soon as the article is ready: it is published then, and published_at says when.",
            DATES,
            past,
        ),
        Requirement::must(
            "pipeline.publish-at.cancelled",
            "No article appears after cancelled, also when its time to be published comes: job and entry stay cancelled.",
            "openapi.yaml, JobStatus and cancel_job",
            stays_cancelled,
        ),
        Requirement::must(
            "articles.scheduled.waits",
            "An article that has a time ahead of it is scheduled and stays so: neither published_at nor url is there, and no hook is sent, also when the time is further ahead than a timer of 32 bits counts.",
            "openapi.yaml, ArticleStatus and Article, x-conformance article-published",
            waits,
        ),
    ];
    all.into_iter().map(|requirement| requirement.needs(BOTH).background()).collect()
}

/// The only entry of a job.
async fn entry_of(context: &Context, job_id: &str) -> Result<Value, Halt> {
    let entries = steps_lists::entries_of(context, job_id).await?;
    entries.into_iter().next().ok_or_else(|| Halt::fail("an entry with the job_id", "none"))
}

/// The hooks about an article so far; none where no receiver runs.
fn hooks_about(context: &Context, id: &str) -> Vec<HookRequest> {
    context.hooks().map(|log| log.mentioning(id)).unwrap_or_default()
}

fn no_hook(context: &Context, id: &str) -> Verdict {
    let early = hooks_about(context, id);
    ensure(early.is_empty(), "no hook about an article that is not published", || demand::beginning(&early[0].body))
}

/// Reads the article until it has that status.
async fn turned(context: &Context, id: &str, wanted: &str, limit: Duration) -> Result<Value, Halt> {
    let deadline = Instant::now() + limit;
    loop {
        let exchange = context.send(steps::get_article(id)).await?;
        demand::status(&exchange, 200)?;
        let article = demand::json(&exchange)?.clone();
        if article["status"] == wanted {
            return Ok(article);
        }
        if Instant::now() >= deadline {
            let limit = limit.as_secs();
            return Err(Halt::fail(
                format!("an article that is {wanted} within {limit} s"),
                demand::brief(&article["status"]),
            ));
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

async fn without_approval(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "A draft whose time comes and goes");
    let at = server_now(&context).await? + chrono::Duration::seconds(3);
    body["publish_at"] = json!(written_at(at));
    let (job, article) = steps::written(&context, &body).await?;
    let id = demand::text(demand::json(&article)?, "id")?.to_owned();
    let left = (at - server_now(&context).await?).to_std().unwrap_or_default();
    tokio::time::sleep(left + Duration::from_secs(3)).await;
    let entry = entry_of(&context, demand::text(&job, "job_id")?).await?;
    demand::same("status of the entry", &json!("ready"), &entry["status"])?;
    demand::same("published_at of the entry", &Value::Null, &entry["published_at"])?;
    demand::same("publish_at of the entry, in milliseconds", &json!(at.timestamp_millis()), &{
        json!(moment(&entry, "publish_at")?.timestamp_millis())
    })?;
    let article = context.send(steps::get_article(&id)).await?;
    let article = demand::json(&article)?;
    ensure(article["status"] != "published", "an article that is not published", || demand::brief(&article["status"]))?;
    no_hook(&context, &id)
}

async fn not_before(context: Context, _: Value) -> Verdict {
    let mut body = steps::published_request(&context, "An article that waits for its time");
    let at = server_now(&context).await? + chrono::Duration::seconds(4);
    body["publish_at"] = json!(written_at(at));
    let (job, article) = steps::written(&context, &body).await?;
    let id = demand::text(demand::json(&article)?, "id")?.to_owned();
    // `Date` has whole seconds: what it tells may be almost a second ago.
    if date_of(&article)? + SKEW < at {
        let status = &demand::json(&article)?["status"];
        ensure(status != "published", format!("an article that is not published before {at}"), || status.to_string())?;
        let seen = hooks_about(&context, &id);
        if server_now(&context).await? + SKEW < at {
            ensure(seen.is_empty(), format!("no hook before {at}"), || demand::brief(&json!(seen.len())))?;
        }
    }
    let limit = context.facts().ready_within + Duration::from_secs(5);
    let article = turned(&context, &id, "published", limit).await?;
    not_earlier(&article, "published_at", at)?;
    let entry = entry_of(&context, demand::text(&job, "job_id")?).await?;
    not_earlier(&entry, "published_at", at)?;
    for hook in hooks_about(&context, &id) {
        if let Some(envelope) = hook.json().filter(|envelope| envelope["type"] == "article.published") {
            not_earlier(&envelope, "timestamp", at)?;
        }
    }
    Ok(())
}

fn not_earlier(value: &Value, member: &str, at: DateTime<Utc>) -> Verdict {
    let told = moment(value, member)?;
    ensure(told + SKEW >= at, format!("{member} not before {}", written_at(at)), || written_at(told))
}

async fn past(context: Context, _: Value) -> Verdict {
    let mut body = steps::published_request(&context, "An article whose time has long come");
    body["publish_at"] = json!("2020-02-29T23:59:59Z");
    let (_, article) = steps::written(&context, &body).await?;
    let created = moment(demand::json(&article)?, "created_at")?;
    let id = demand::text(demand::json(&article)?, "id")?.to_owned();
    let article = turned(&context, &id, "published", context.facts().ready_within).await?;
    not_earlier(&article, "published_at", created)
}

async fn waits(context: Context, _: Value) -> Verdict {
    let mut body = steps::published_request(&context, "An article for next month");
    let at = server_now(&context).await? + FAR_AHEAD;
    body["publish_at"] = json!(written_at(at));
    let (_, article) = steps::written(&context, &body).await?;
    let id = demand::text(demand::json(&article)?, "id")?.to_owned();
    let mut article = turned(&context, &id, "scheduled", Duration::from_secs(5)).await?;
    // Whoever publishes it at once does so after it was scheduled.
    let watched = Instant::now() + WATCHED;
    loop {
        demand::same("status", &json!("scheduled"), &article["status"])?;
        demand::same("published_at", &Value::Null, &article["published_at"])?;
        demand::same("url", &Value::Null, &article["url"])?;
        if Instant::now() >= watched {
            return no_hook(&context, &id);
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
        let exchange = context.send(steps::get_article(&id)).await?;
        demand::status(&exchange, 200)?;
        article = demand::json(&exchange)?.clone();
    }
}

async fn stays_cancelled(context: Context, _: Value) -> Verdict {
    let mut body = steps::published_request(&context, "An article that is not wanted any more");
    let at = server_now(&context).await? + chrono::Duration::seconds(4);
    body["publish_at"] = json!(written_at(at));
    let (job_id, _) = jobs_cancel::cancelled_of(&context, body).await?;
    let left = (at - server_now(&context).await?).to_std().unwrap_or_default();
    tokio::time::sleep(left + Duration::from_secs(3)).await;
    let job = context.send(steps::get_job(&job_id)).await?;
    demand::same("status of the job", &json!("cancelled"), &demand::json(&job)?["status"])?;
    demand::same("status of the entry", &json!("cancelled"), &entry_of(&context, &job_id).await?["status"])?;
    demand::problem(&*context.send(steps::get_article(&job_id)).await?, 404, &["generation_cancelled"])
}
