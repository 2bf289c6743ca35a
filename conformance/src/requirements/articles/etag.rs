//! Conditional requests for articles: `If-None-Match` in every form, and an entity tag for each representation.

use serde_json::{Value, json};

use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure, ensure_met};
use crate::steps::conditional::differ;
use crate::steps::{self, publishing};

const SOURCE: &str = "RFC 9110, section 8.8.3; openapi.yaml, ETag";

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("articles.etag.not-modified", "GET /articles/{id} with the current ETag in If-None-Match is answered 304 without a body; If-Modified-Since is ignored.", "RFC 9110, section 13.1.2; openapi.yaml, get_article", not_modified).needs(JOBS),
        Requirement::must(
            "articles.etag.every-form",
            "If-None-Match may hold *, a list of tags, or a weak tag: the answer is 304 where one of them matches, else 200.",
            "RFC 9110, section 13.1.2; openapi.yaml, get_article",
            every_form,
        )
        .needs(JOBS),
        Requirement::must(
            "articles.etag.by-job-id",
            "An article has the same ETag whether it is read by its own id or by the id of its job.",
            "RFC 9110, sections 8.7 and 8.8.3; openapi.yaml, get_article",
            by_job_id,
        )
        .should()
        .needs(JOBS),
        Requirement::must(
            "articles.etag.by-case",
            "ETags are case-sensitive: If-None-Match with the tag in another case is answered 200.",
            "RFC 9110, section 8.8.3.2; openapi.yaml, get_article: if it is still current the answer is 304",
            by_case,
        )
        .needs(JOBS),
        Requirement::must(
            "articles.etag.several-lines",
            "If-None-Match may be sent in several header lines: a tag in the second line counts like one in the first.",
            "RFC 9110, sections 5.3 and 13.1.2; openapi.yaml, get_article",
            several_lines,
        )
        .needs(JOBS),
        Requirement::must(
            "articles.etag.follows-change",
            "The ETag of an article changes when the article is published.",
            SOURCE,
            article,
        )
        .needs(JOBS),
    ]
}

async fn not_modified(context: Context, _: Value) -> Verdict {
    let (_, article) = steps::some_article(&context).await?;
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
    let (_, article) = steps::some_article(&context).await?;
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
    let (job, article) = steps::some_article(&context).await?;
    let tag = demand::header(&article, "etag")?;
    let job_id = demand::text(&job, "job_id")?;
    let other = context.send(steps::get_article(job_id)).await?;
    demand::same("ETag under the job's id", &json!(tag), &json!(other.header("etag")))?;
    let held = context.send(steps::get_article(job_id).header("if-none-match", tag)).await?;
    demand::status(&held, 304)
}

async fn by_case(context: Context, _: Value) -> Verdict {
    let (_, article) = steps::some_article(&context).await?;
    let id = demand::text(demand::json(&article)?, "id")?;
    let tag = demand::header(&article, "etag")?;
    // The mark of a weak tag is no part of it.
    let tag = tag.strip_prefix("W/").unwrap_or(tag);
    let others = [tag.to_ascii_uppercase(), tag.to_ascii_lowercase()];
    // A tag without letters has one case only.
    ensure_met(others.iter().any(|other| other != tag), "the tag has no letters")?;
    for other in others.iter().filter(|other| *other != tag) {
        let exchange = context.send(steps::get_article(id).header("if-none-match", other)).await?;
        demand::same(&format!("status for If-None-Match: {other}"), &json!(200), &json!(exchange.status))?;
    }
    let held = context.send(steps::get_article(id).header("if-none-match", tag)).await?;
    ensure_met(held.status == 304, "the tag itself is not answered 304")
}

async fn several_lines(context: Context, _: Value) -> Verdict {
    let (_, article) = steps::some_article(&context).await?;
    let id = demand::text(demand::json(&article)?, "id")?;
    let tag = demand::header(&article, "etag")?;
    let request = steps::get_article(id).header("if-none-match", "\"other\"").header("if-none-match", tag);
    demand::status(&*context.send(request).await?, 304)
}

async fn article(context: Context, _: Value) -> Verdict {
    let (_, early) = publishing::scheduled(&context, "Packing a rucksack for two days").await?;
    let late = publishing::published(&context, &early).await?;
    differ(&early, &late)
}
