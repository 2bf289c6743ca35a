//! `If-None-Match` on articles, in every form that it has.
//!
//! That a tag follows what it stands for is in `changes`.

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::requirement::Requirement;
use super::steps;
use super::verdict::Verdict;

const JOBS: &[Capability] = &[Capability::Jobs];

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
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
    ]
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
