//! What an article and its pipeline entry say once publishing has changed them, some seconds after they were made.
//!
//! When articles are published is in `publish_times`; that tags follow changes in `changes`.

use std::sync::Arc;
use std::time::Duration;

use chrono::DateTime;
use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::exchange::Exchange;
use super::pipeline;
use super::requirement::Requirement;
use super::steps;
use super::steps_articles;
use super::steps_times::{moment, server_now, written_at};
use super::verdict::{About, Halt, Verdict, ensure};

const JOBS: &[Capability] = &[Capability::Jobs];
const BOTH: &[Capability] = &[Capability::Pipeline, Capability::Jobs];

/// How far ahead the articles are scheduled: enough to tell when they were published from when they were made, and further
/// where the writer needs longer than that.
const AHEAD: [Duration; 2] = [Duration::from_secs(5), Duration::from_secs(25)];
/// What clocks of several machines of one service may differ by, and what is lost where times have whole seconds.
const SKEW: chrono::Duration = chrono::Duration::seconds(1);

pub(super) fn requirements() -> Vec<Requirement> {
    let all = vec![
        Requirement::must(
            "articles.by-job-id.follows-change",
            "The id of the job fetches the article as it is now: read under it before and after, a published article is the same as under its own id.",
            "openapi.yaml, get_article: the id may be the article's or that of the job",
            by_job_id,
        )
        .needs(JOBS),
        Requirement::must(
            "articles.last-modified.follows-change",
            "Last-Modified says when the article last changed: of a published one the second of its updated_at; a second of difference is allowed.",
            "RFC 9110, section 8.8.2; openapi.yaml, Last-Modified",
            last_modified,
        )
        .needs(JOBS),
        Requirement::must(
            "pipeline.updated-at.follows-change",
            "updated_at of an entry says when it last changed: of a published one not before its published_at; a second of difference is allowed.",
            "openapi.yaml, ScheduledPost updated_at",
            entry,
        )
        .needs(BOTH),
    ];
    all.into_iter().map(Requirement::background).collect()
}

/// An article that is published some seconds after it was written: its job's id, and how it was read by it before.
async fn scheduled(context: &Context, topic: &str) -> Result<(String, Arc<Exchange>), Halt> {
    let mut body = steps::published_request(context, topic);
    for ahead in AHEAD {
        body["publish_at"] = json!(written_at(server_now(context).await? + ahead));
        let (job, _) = steps::written(context, &body).await?;
        let job_id = demand::text(&job, "job_id")?.to_owned();
        let early = context.send(steps::get_article(&job_id)).await?;
        demand::status(&early, 200)?;
        if demand::json(&early)?["status"] != "published" {
            return Ok((job_id, early));
        }
    }
    Err(Halt::inconclusive("the article was published before it could be looked at"))
}

/// When it is published at the latest.
fn limit(context: &Context) -> Duration {
    context.facts().ready_within + 2 * AHEAD[AHEAD.len() - 1]
}

/// Reads it under its own id until it is published.
async fn published(context: &Context, early: &Exchange) -> Result<Arc<Exchange>, Halt> {
    steps_articles::until_published(context, demand::text(demand::json(early)?, "id")?, limit(context)).await
}

async fn by_job_id(context: Context, _: Value) -> Verdict {
    let (job_id, early) = scheduled(&context, "Reading a letter twice").await?;
    let late = published(&context, &early).await?;
    let again = context.send(steps::get_article(&job_id)).await?;
    demand::status(&again, 200)?;
    demand::same("the article under the job's id", demand::json(&late)?, demand::json(&again)?)
}

async fn last_modified(context: Context, _: Value) -> Verdict {
    let (_, early) = scheduled(&context, "Dating a letter").await?;
    let late = published(&context, &early).await?;
    let updated = moment(demand::json(&late)?, "updated_at")?;
    let told = demand::header(&late, "last-modified")?;
    let modified = DateTime::parse_from_rfc2822(told)
        .map_err(|_| Halt::fail("an HTTP date in Last-Modified", told).about(&late))?;
    let apart = (modified.timestamp() - updated.timestamp()).abs();
    ensure(apart <= SKEW.num_seconds(), format!("Last-Modified at {}", written_at(updated)), || told.to_owned())
        .about(&late)
}

async fn entry(context: Context, _: Value) -> Verdict {
    let (job_id, _) = scheduled(&context, "Filing a letter").await?;
    let entry = pipeline::settled(&context, &job_id, &["published"], limit(&context)).await?;
    let (updated, published) = (moment(&entry, "updated_at")?, moment(&entry, "published_at")?);
    ensure(updated + SKEW >= published, format!("updated_at not before {}", written_at(published)), || {
        written_at(updated)
    })
}
