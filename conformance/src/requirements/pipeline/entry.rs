//! Scheduled posts: one for each job, listed at once, in step with the job.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::check::Source::{Fact, Part, Sentence, Standard};
use crate::check::{Capability, Cases, Context, Halt, Requirement, Source, Verdict, demand, ensure};
use crate::steps::pipeline::settled;
use crate::steps::{self, pipeline};
use crate::strategies::{Draw, Space};

const PIPELINE: &[Capability] = &[Capability::PIPELINE];

const BOTH: &[Capability] = &[Capability::PIPELINE, Capability::JOBS];

const LISTED: Source = Sentence(
    "When the response arrives, `GET /api/v1/scheduled_posts` lists exactly one scheduled post with this `job_id`.",
);

const STATES: Source = Sentence(
    "`queued` and `generating` follow the job, `ready` waits for approval, `scheduled` waits for its time, \
    `publishing` is being published.",
);

const ARTICLE_ID: Source = Sentence("Id of the article once it is written.");

const APPROVAL: Source = Sentence("Whether the article is published without approval.");

const PUBLISHED_AT: Source = Sentence("`published_at` is not null exactly if `status` is `published`.");

const PUBLISH_AT: Source = Sentence(
    "When the article is to be published: the `publish_at` of the request, the slot that it got once it is \
    `scheduled`, or the time that a user chose.",
);

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "pipeline.entry.immediate",
            "Right after the response to generate, the list of scheduled posts contains exactly one with the job_id.",
            &[Fact("1.4"), Fact("4.1"), LISTED],
            immediate,
        )
        .needs(PIPELINE)
        .drawn(
            "the documented request",
            Cases::Divided(4),
            |space, draw| json!({ "topic": space.plain_topic(draw) }),
        ),
        Requirement::new(
            "pipeline.entry.echo",
            "The scheduled post contains topic and website_id exactly as they were sent, and its id is the \
            scheduled_post_id of the 202.",
            &[
                Sentence("The topic as sent."),
                Part("/components/schemas/ScheduledPost/properties/website_id"),
                Sentence("Id of the job's scheduled post."),
            ],
            echo,
        )
        .needs(PIPELINE)
        .drawn("valid requests: edges of the schema and random ones by turns", Cases::Divided(4), Space::mixed_request),
        Requirement::new(
            "pipeline.entry.ready",
            "With auto_publish false the scheduled post of a completed job is ready and has its article_id and, without \
            publish_at in the request, no publish_at, and nothing is published.",
            &[
                Sentence("Without `auto_publish` it waits for approval."),
                STATES,
                ARTICLE_ID,
                APPROVAL,
                Sentence("Null while it has no time."),
                PUBLISHED_AT,
            ],
            ready,
        )
        .needs(BOTH)
        .drawn("plain topics", Cases::Divided(16), plain),
        Requirement::new(
            "pipeline.entry.published",
            "With auto_publish true and no publish_at, the scheduled post becomes published and has published_at, on \
            a website without publishing_slots.",
            &[
                Sentence("Publish the article without approval."),
                Sentence(
                    "The scheduler publishes it at once, at the time you chose, or in the website's next free slot.",
                ),
                Sentence("If the website has no `publishing_slots`, it is published once it is ready."),
                Sentence("Without slots an article is published once it is ready."),
                APPROVAL,
                PUBLISHED_AT,
            ],
            published,
        )
        .needs(BOTH)
        .drawn("plain topics", Cases::Divided(32), plain),
        Requirement::new(
            "pipeline.entry.follows-article",
            "A published scheduled post has its job and its article and counts at least one attempt to publish; a \
            ready one counts none.",
            &[
                Sentence("A scheduled post appears together with its job and stays in the list when it is published."),
                ARTICLE_ID,
                Sentence("The article once it is written."),
                Sentence("The article of the first scheduled post once it is written."),
                Sentence("Number of attempts to publish."),
            ],
            follows_article,
        )
        .needs(BOTH),
        Requirement::new(
            "pipeline.entry.scheduled",
            "With publish_at in the future the scheduled post of a completed job is scheduled and keeps that \
            publish_at.",
            &[STATES, PUBLISH_AT],
            scheduled,
        )
        .needs(BOTH),
        Requirement::new(
            "pipeline.entry.zoned",
            "publish_at stays the same time, whatever zone and fraction it was sent with.",
            &[PUBLISH_AT, Sentence("Times in requests may have any zone."), Standard("RFC 3339", "5.6")],
            zoned,
        )
        .needs(PIPELINE)
        .drawn("zones", Cases::Exactly(3), |_, draw: &mut Draw| json!(draw.index())),
        Requirement::new(
            "pipeline.entry.concurrent",
            "Twelve concurrent requests to generate get twelve job ids and create one scheduled post for each job.",
            &[LISTED, Sentence("Queues a job that writes an article on `topic` for the website, and answers at once.")],
            concurrent,
        )
        .needs(PIPELINE),
    ]
}

fn plain(space: &Space, draw: &mut Draw) -> Value {
    json!({ "topic": space.plain_topic(draw) })
}

async fn immediate(context: Context, case: Value) -> Verdict {
    let body = steps::quiet_request(&context, steps::topic_of(&case));
    let job_id = steps::queue(&context, &body).await?;
    let entries = pipeline::entries_of(&context, &job_id).await?;
    ensure(entries.len() == 1, "exactly one scheduled post with the job_id, at once", || entries.len().to_string())
}

async fn echo(context: Context, body: Value) -> Verdict {
    let queued = context.send(steps::generate(&body)).await?;
    demand::success(&queued)?;
    let queued_body = demand::json(&queued)?.clone();
    let entries = pipeline::entries_of(&context, demand::text(&queued_body, "job_id")?).await?;
    let Some(entry) = entries.first() else {
        return Err(Halt::fail("a scheduled post with the job_id", "none"));
    };
    demand::same("topic", &body["topic"], &entry["topic"])?;
    demand::same("website_id", &body["website_id"], &entry["website_id"])?;
    demand::same("id", &queued_body["scheduled_post_id"], &entry["id"])?;
    steps::discard(&context, &queued).await
}

async fn ready(context: Context, case: Value) -> Verdict {
    let body = steps::quiet_request(&context, steps::topic_of(&case));
    let (job, article) = steps::written(&context, &body).await?;
    let entry = settled(&context, demand::text(&job, "job_id")?, &["ready"], context.grace()).await?;
    demand::same("article_id", &job["article_id"], &entry["article_id"])?;
    demand::same("auto_publish", &json!(false), &entry["auto_publish"])?;
    demand::same("publish_at", &Value::Null, &entry["publish_at"])?;
    demand::same("published_at", &Value::Null, &entry["published_at"])?;
    let status = &demand::json(&article)?["status"];
    ensure(status != "published", "an article that is not published", || status.to_string())
}

async fn published(context: Context, case: Value) -> Verdict {
    if context.facts().has_publishing_slots {
        return Err(Halt::inconclusive("the website has publishing slots"));
    }
    let mut body = steps::quiet_request(&context, steps::topic_of(&case));
    body["auto_publish"] = json!(true);
    let (job, _) = steps::written(&context, &body).await?;
    let limit = context.facts().ready_within;
    let entry = settled(&context, demand::text(&job, "job_id")?, &["published", "failed"], limit).await?;
    if entry["error"]["code"] == "publish_failed" {
        return Err(Halt::inconclusive("publishing failed, which a user may retry"));
    }
    demand::same("auto_publish", &json!(true), &entry["auto_publish"])?;
    demand::same("status", &json!("published"), &entry["status"])?;
    ensure(entry["published_at"].is_string(), "published_at of a published scheduled post", || demand::brief(&entry))
}

async fn follows_article(context: Context, _: Value) -> Verdict {
    let limit = context.facts().ready_within;
    for (body, status) in [
        (steps::quiet_request(&context, "Sorting buttons"), "ready"),
        (steps::published_request(&context, "Sorting screws"), "published"),
    ] {
        let (job, _) = steps::written(&context, &body).await?;
        let entry = settled(&context, demand::text(&job, "job_id")?, &[status], limit).await?;
        demand::same(
            &format!("article_id of a scheduled post that is {status}"),
            &job["article_id"],
            &entry["article_id"],
        )?;
        let is_counted = entry["attempts"].as_u64().is_some_and(|attempts| (attempts > 0) == (status == "published"));
        ensure(is_counted, format!("attempts that fit a scheduled post that is {status}"), || demand::brief(&entry))?;
    }
    Ok(())
}

async fn scheduled(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Preparing a garden for spring");
    body["auto_publish"] = json!(true);
    let moment = chrono::DateTime::from_timestamp(context.facts().started + 30 * 86_400, 0).unwrap_or_default();
    body["publish_at"] = json!(moment.to_rfc3339_opts(chrono::SecondsFormat::Millis, true));
    let queued = context.send(steps::generate(&body)).await?;
    demand::status(&queued, 202)?;
    let job_id = demand::text(demand::json(&queued)?, "job_id")?.to_owned();
    let job = steps::finished(&context, &job_id).await?;
    if demand::json(&job)?["status"] != "completed" {
        return Err(Halt::inconclusive("the job did not complete"));
    }
    let entry = settled(&context, &job_id, &["scheduled"], context.grace()).await?;
    let kept = entry["publish_at"].as_str().and_then(|text| chrono::DateTime::parse_from_rfc3339(text).ok());
    ensure(kept.is_some_and(|kept| kept == moment), format!("publish_at {moment}"), || {
        demand::brief(&entry["publish_at"])
    })
}

async fn zoned(context: Context, case: Value) -> Verdict {
    let offsets = [5 * 3_600 + 1_800, -8 * 3_600, 0];
    let index = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0) % offsets.len();
    let zone = chrono::FixedOffset::east_opt(offsets[index]).ok_or_else(|| Halt::Error("no such zone".to_owned()))?;
    let ahead = context.facts().started + 40 * 86_400;
    let moment = chrono::DateTime::from_timestamp(ahead, 250_000_000).unwrap_or_default().with_timezone(&zone);
    let mut body = steps::quiet_request(&context, "Ordering bulbs for autumn");
    body["publish_at"] = json!(moment.to_rfc3339_opts(chrono::SecondsFormat::Millis, false));
    let queued = context.send(steps::generate(&body)).await?;
    demand::status(&queued, 202)?;
    let entries = pipeline::entries_of(&context, demand::text(demand::json(&queued)?, "job_id")?).await?;
    steps::discard(&context, &queued).await?;
    let kept = entries.first().map(|entry| entry["publish_at"].clone()).unwrap_or_default();
    let same = kept.as_str().and_then(|text| chrono::DateTime::parse_from_rfc3339(text).ok()) == Some(moment);
    ensure(same, format!("publish_at {moment}"), || demand::brief(&kept))
}

async fn concurrent(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Sorting seeds");
    let calls = (0..12).map(|_| context.send(steps::generate(&body)));
    let responses = futures::future::try_join_all(calls).await?;
    let mut job_ids = BTreeSet::new();
    for exchange in &responses {
        demand::success(exchange)?;
        let job_id = demand::text(demand::json(exchange)?, "job_id")?;
        job_ids.insert(job_id);
        let count = pipeline::entries_of(&context, job_id).await?.len();
        ensure(count == 1, format!("one scheduled post for job {job_id}"), || count.to_string())?;
    }
    ensure(job_ids.len() == responses.len(), format!("{} different job ids", responses.len()), || {
        job_ids.len().to_string()
    })?;
    for exchange in &responses {
        steps::discard(&context, exchange).await?;
    }
    Ok(())
}
