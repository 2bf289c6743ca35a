//! Conditional requests for articles: `If-None-Match` in every form, and an entity tag for each representation.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::check::{Capability, Context, Exchange, Halt, Requirement, Verdict, demand, ensure};
use crate::steps::conditional::differ;
use crate::steps::{self, articles};

const SOURCE: &str = "RFC 9110, section 8.8.3; openapi.yaml, ETag";

const JOBS: &[Capability] = &[Capability::JOBS];

/// How far ahead an article is scheduled, so that it can be read before it is published.
const AHEAD: Duration = Duration::from_secs(2);
/// How many times as far it is tried, one after the other.
const FARTHER: [u32; 4] = [1, 4, 16, 40];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("articles.etag.not-modified", "With the current ETag in If-None-Match the answer is 304 without a body; If-Modified-Since is ignored.", "RFC 9110, section 13.1.2; openapi.yaml, get_article", not_modified).needs(JOBS),
        Requirement::must(
            "articles.etag.every-form",
            "If-None-Match of an article may be a star, a list, or a tag marked as weak: it is 304 where one matches, and 200 where none does.",
            "RFC 9110, section 13.1.2; openapi.yaml, get_article",
            every_form,
        )
        .needs(JOBS),
        Requirement::must(
            "articles.etag.by-job-id",
            "The same representation under the job's id has the same tag, as Content-Location says.",
            "RFC 9110, sections 8.7 and 8.8.3; openapi.yaml, get_article",
            by_job_id,
        )
        .should()
        .needs(JOBS),
        Requirement::must(
            "articles.etag.by-case",
            "Tags are compared letter by letter: who holds the tag in another case holds another one, and gets 200.",
            "RFC 9110, section 8.8.3.2; openapi.yaml, get_article: if it is still current the answer is 304",
            by_case,
        )
        .needs(JOBS),
        Requirement::must(
            "articles.etag.several-lines",
            "If-None-Match is a list, and a list may stand in several lines: a tag on the second one counts like one on the first.",
            "RFC 9110, sections 5.3 and 13.1.2; openapi.yaml, get_article",
            several_lines,
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

async fn not_modified(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Repairing a puncture");
    let (_, article) = steps::written(&context, &body).await?;
    let id = demand::text(demand::json(&article)?, "id")?;
    let tag = demand::header(&article, "etag")?.to_owned();
    let request = steps::get_article(id).header("if-none-match", tag.clone());
    let exchange = context.send(request).await?;
    demand::status(&exchange, 304)?;
    ensure(exchange.body.is_empty(), "no body in a 304", || demand::seen(&exchange))?;
    demand::same("ETag of the 304", &json!(tag), &json!(demand::header(&exchange, "etag")?))?;
    let request = steps::get_article(id).header("if-modified-since", "Fri, 01 Jan 2100 00:00:00 GMT");
    demand::status(&*context.send(request).await?, 200)
}

async fn every_form(context: Context, _: Value) -> Verdict {
    let (_, article) = steps::written(&context, &steps::quiet_request(&context, "Labelling jars")).await?;
    let id = demand::text(demand::json(&article)?, "id")?;
    let tag = demand::header(&article, "etag")?;
    for (held, status) in [
        ("*".to_owned(), 304),
        (format!("\"other\", {tag}"), 304),
        (format!("\"other\",{tag},\"third\""), 304),
        (format!("W/{tag}"), 304),
        ("\"other\", W/\"third\"".to_owned(), 200),
    ] {
        let exchange = context.send(steps::get_article(id).header("if-none-match", held.clone())).await?;
        demand::same(&format!("status for If-None-Match: {held}"), &json!(status), &json!(exchange.status))?;
    }
    Ok(())
}

async fn by_job_id(context: Context, _: Value) -> Verdict {
    let (job, article) = steps::written(&context, &steps::quiet_request(&context, "Labelling boxes")).await?;
    let tag = demand::header(&article, "etag")?;
    let job_id = demand::text(&job, "job_id")?;
    let other = context.send(steps::get_article(job_id)).await?;
    demand::same("ETag under the job's id", &json!(tag), &json!(other.header("etag")))?;
    let held = context.send(steps::get_article(job_id).header("if-none-match", tag)).await?;
    demand::status(&held, 304)
}

async fn by_case(context: Context, _: Value) -> Verdict {
    let (_, article) = steps::written(&context, &steps::quiet_request(&context, "Labelling bottles")).await?;
    let id = demand::text(demand::json(&article)?, "id")?;
    let tag = demand::header(&article, "etag")?;
    // The mark of a weak tag is no part of it.
    let tag = tag.strip_prefix("W/").unwrap_or(tag);
    let others = [tag.to_ascii_uppercase(), tag.to_ascii_lowercase()];
    // A tag without letters has one case only.
    for other in others.iter().filter(|other| *other != tag) {
        let exchange = context.send(steps::get_article(id).header("if-none-match", other)).await?;
        demand::same(&format!("status for If-None-Match: {other}"), &json!(200), &json!(exchange.status))?;
    }
    Ok(())
}

async fn several_lines(context: Context, _: Value) -> Verdict {
    let (_, article) = steps::written(&context, &steps::quiet_request(&context, "Labelling baskets")).await?;
    let id = demand::text(demand::json(&article)?, "id")?;
    let tag = demand::header(&article, "etag")?;
    let request = steps::get_article(id).header("if-none-match", "\"other\"").header("if-none-match", tag);
    demand::status(&*context.send(request).await?, 304)
}

async fn article(context: Context, _: Value) -> Verdict {
    // An article that takes longer to be written than it has until it is published is never seen before.
    for times in FARTHER {
        let early = scheduled(&context, AHEAD * times).await?;
        if demand::json(&early)?["status"] == "published" {
            continue;
        }
        let id = demand::text(demand::json(&early)?, "id")?;
        let limit = context.facts().ready_within + AHEAD * times;
        let late = articles::until_published(&context, id, limit).await?;
        return differ(&early, &late);
    }
    Err(Halt::inconclusive("an article was published before it could be read"))
}

/// An article that is published so long after it was ordered, as it is read before.
async fn scheduled(context: &Context, ahead: Duration) -> Result<Arc<Exchange>, Halt> {
    // The target's own clock tells what lies ahead of it.
    let first = context.send(steps::generate(&steps::quiet_request(context, "Packing a rucksack"))).await?;
    demand::success(&first)?;
    let now = demand::text(demand::json(&first)?, "created_at")?;
    let now = chrono::DateTime::parse_from_rfc3339(now).map_err(|_| Halt::fail("a time in created_at", now))?;
    steps::discard(context, &first).await?;
    let mut body = steps::published_request(context, "Packing a rucksack for two days");
    body["publish_at"] = json!((now + ahead).to_rfc3339());
    Ok(steps::written(context, &body).await?.1)
}
