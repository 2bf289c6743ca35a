//! Publication times: not before `publish_at`, soon after it, never without approval.

use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Halt, Requirement, Source, Verdict, demand, ensure};
use crate::inbox::HookRequest;
use crate::steps::payloads::ensure_unnamed;
use crate::steps::pipeline::settled;
use crate::steps::publishing::{SKEW, ahead, hooks_about, no_hook, turned};
use crate::steps::times::{date_of, ensure_one_clock, moment, server_now, written_at};
use crate::steps::{self, jobs, pipeline};

const BOTH: &[Capability] = &[Capability::PIPELINE, Capability::JOBS];

const STATES: Source = Sentence(
    "`queued` and `generating` follow the job, `ready` waits for approval, `scheduled` waits for its time, \
    `publishing` is being published.",
);

const SENT: Source = Sentence(
    "Sent in real time to every active endpoint that chose this type and this website, after the API shows the \
    article.",
);

/// Time after `publish_at` within which a wrong publication would happen.
const AFTERWARDS: Duration = Duration::from_secs(3);

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "pipeline.publish-at.without-approval",
            "With auto_publish false nothing is published at publish_at: the scheduled post stays ready, and no \
            webhook of type article.published is sent.",
            &[
                Sentence("With `auto_publish` false the time is kept but has no effect."),
                STATES,
                Sentence("`published_at` is not null exactly if `status` is `published`."),
                SENT,
            ],
            without_approval,
        )
        .needs(BOTH)
        .background(),
        Requirement::new(
            "pipeline.publish-at.not-before",
            "With auto_publish true an article is published after publish_at and not before, and no webhook of type \
            article.published is sent before.",
            &[
                Sentence(
                    "The scheduler publishes it at once, at the time you chose, or in the website's next free slot.",
                ),
                Sentence("When to publish: RFC 3339 with a zone, at most the same date next year."),
                STATES,
                Sentence("When the article was published."),
                SENT,
            ],
            not_before,
        )
        .needs(BOTH)
        .background(),
        Requirement::new(
            "pipeline.publish-at.past",
            "With publish_at in the past an article is published once it is ready, and published_at is the time of \
            that.",
            &[
                Sentence("A time before the request means as soon as the article is ready."),
                Sentence("When it was published."),
            ],
            past,
        )
        .needs(BOTH)
        .background(),
        Requirement::new(
            "pipeline.publish-at.cancelled",
            "A cancelled job stays cancelled after its publish_at: no article is published.",
            &[
                Sentence("Cancels a job that has not ended, and its scheduled post."),
                Sentence("A cancelled job never gets an article."),
                Sentence("`published` and `cancelled` are final."),
                Sentence(
                    "If the job failed or was cancelled, it is 404 `generation_failed` or `generation_cancelled`.",
                ),
            ],
            stays_cancelled,
        )
        .needs(BOTH)
        .background(),
    ]
}

/// Returns the scheduled post of a job.
async fn entry_of(context: &Context, job_id: &str) -> Result<Value, Halt> {
    let entries = pipeline::entries_of(context, job_id).await?;
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
    let entry = settled(&context, demand::text(&job, "job_id")?, &["ready"], context.grace()).await?;
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
    ensure_one_clock(&article)?;
    // `Date` has whole seconds: the response may be almost a second later.
    if date_of(&article)? + SKEW < at {
        let status = &demand::json(&article)?["status"];
        ensure(status != "published", format!("an article that is not published before {at}"), || status.to_string())?;
        let seen = hooks_about(&context, &id);
        if server_now(&context).await? + SKEW < at {
            ensure_unnamed(&seen, &id, format!("no webhook before {at}"))?;
        }
    }
    let limit = context.facts().ready_within + Duration::from_secs(5);
    let article = turned(&context, &id, "published", limit).await?;
    ensure_not_earlier(&article, "published_at", at)?;
    let entry = settled(&context, demand::text(&job, "job_id")?, &["published"], context.grace()).await?;
    ensure_not_earlier(&entry, "published_at", at)?;
    for event in hooks_about(&context, &id).iter().filter_map(HookRequest::json) {
        if event["data"]["article"]["id"] == id {
            ensure_not_earlier(&event, "timestamp", at)?;
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
    let (job_id, _) = jobs::cancelled_of(&context, body).await?;
    let left = (at - server_now(&context).await?).to_std().unwrap_or_default();
    context.waiting(tokio::time::sleep(left + AFTERWARDS)).await;
    let job = context.send(steps::get_job(&job_id)).await?;
    demand::same("status of the job", &json!("cancelled"), &demand::json(&job)?["status"])?;
    demand::same("status of the scheduled post", &json!("cancelled"), &entry_of(&context, &job_id).await?["status"])?;
    demand::problem(&*context.send(steps::get_article(&job_id)).await?, 404, &["generation_cancelled"])
}
