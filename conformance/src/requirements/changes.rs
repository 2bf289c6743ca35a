//! Validators follow what they stand for: another representation, another entity tag.
//!
//! That equal ones have equal tags is in `jobs` and `articles`.

use std::time::Duration;

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::exchange::Exchange;
use super::requirement::Requirement;
use super::steps;
use super::verdict::{Halt, Verdict, ensure};

const JOBS: &[Capability] = &[Capability::Jobs];
const SOURCE: &str = "RFC 9110, section 8.8.3; openapi.yaml, ETag";

/// How far ahead an article is scheduled, so that it can be read before it is published.
const AHEAD: Duration = Duration::from_secs(2);

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "jobs.etag.follows-change",
            "A job that has changed has another ETag, so that nobody is told 304 who holds the old one.",
            SOURCE,
            job,
        )
        .needs(JOBS),
        Requirement::must(
            "articles.etag.follows-change",
            "A published article has another ETag than it had before.",
            SOURCE,
            article,
        )
        .needs(JOBS),
    ]
}

/// Other bytes, another tag.
fn differ(before: &Exchange, after: &Exchange) -> Verdict {
    if before.body == after.body {
        return Err(Halt::inconclusive("nothing changed in between"));
    }
    let (old, new) = (demand::header(before, "etag")?, demand::header(after, "etag")?);
    ensure(old != new, "another ETag for another body", || format!("{old} for both"))
}

async fn job(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Setting up a tent in the rain");
    let job_id = steps::queue(&context, &body).await?;
    let early = context.send(steps::get_job(&job_id)).await?;
    demand::status(&early, 200)?;
    let late = steps::finished(&context, &job_id).await?;
    differ(&early, &late)
}

async fn article(context: Context, _: Value) -> Verdict {
    // The target's own clock tells what lies ahead of it.
    let first = context.send(steps::generate(&steps::quiet_request(&context, "Packing a rucksack"))).await?;
    demand::success(&first)?;
    let now = demand::text(demand::json(&first)?, "created_at")?;
    let now = chrono::DateTime::parse_from_rfc3339(now).map_err(|_| Halt::fail("a time in created_at", now))?;
    steps::discard(&context, &first).await?;
    let mut body = steps::published_request(&context, "Packing a rucksack for two days");
    body["publish_at"] = json!((now + AHEAD).to_rfc3339());
    let (_, early) = steps::written(&context, &body).await?;
    let id = demand::text(demand::json(&early)?, "id")?.to_owned();
    let deadline = std::time::Instant::now() + context.facts().ready_within;
    loop {
        let late = context.send(steps::get_article(&id)).await?;
        if demand::json(&late)?["status"] == "published" {
            return differ(&early, &late);
        }
        if std::time::Instant::now() >= deadline {
            return Err(Halt::inconclusive("the article was not published in time"));
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
