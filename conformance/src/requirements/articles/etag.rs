//! Conditional requests for articles: `If-None-Match` in every form, and a different `ETag` for each representation.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence, Standard};
use crate::check::{Capability, Context, Exchange, Halt, Requirement, Verdict, demand, ensure, ensure_met};
use crate::steps::conditional::{differ, is_compressed};
use crate::steps::header_forms::strong_tag;
use crate::steps::{self, publishing};

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "articles.etag.not-modified",
            "GET /articles/{id} with the current ETag in If-None-Match returns 304 with that ETag and without a body. The server ignores If-Modified-Since.",
            &[
                Sentence("If the copy is still current, the response is 304 without a body."),
                Sentence("The server ignores `If-Modified-Since`."),
                Part("/components/responses/NotModified/headers/ETag"),
                Standard("RFC 9110", "13.1.2"),
                Standard("RFC 9110", "15.4.5"),
            ],
            not_modified,
        )
        .needs(JOBS),
        Requirement::new(
            "articles.etag.every-form",
            "If-None-Match may be *, a list of tags, or a weak tag. The response is 304 if one of them matches, else 200.",
            &[
                Sentence("If the copy is still current, the response is 304 without a body."),
                Standard("RFC 9110", "13.1.2"),
                Standard("RFC 9110", "8.8.3.2"),
                Standard("RFC 9110", "13.2.1"),
            ],
            every_form,
        )
        .needs(JOBS),
        Requirement::new(
            "articles.etag.by-job-id",
            "An article has the same ETag under its own id and under the id of its job.",
            &[
                Sentence("`id` may be the article's id or the id of its job."),
                Sentence("The `ETag` is the same under both ids."),
                Standard("RFC 9110", "8.7"),
            ],
            by_job_id,
        )
        .needs(JOBS),
        Requirement::new(
            "articles.etag.by-case",
            "ETags are case-sensitive: If-None-Match with the tag in another letter case returns 200.",
            &[
                Sentence("If the copy is still current, the response is 304 without a body."),
                Standard("RFC 9110", "8.8.3.2"),
                Standard("RFC 9110", "13.1.2"),
            ],
            by_case,
        )
        .needs(JOBS),
        Requirement::new(
            "articles.etag.several-lines",
            "If-None-Match may have several header lines: a tag in the second line counts like one in the first.",
            &[
                Sentence("If the copy is still current, the response is 304 without a body."),
                Standard("RFC 9110", "5.2"),
                Standard("RFC 9110", "13.1.2"),
            ],
            several_lines,
        )
        .should()
        .needs(JOBS),
        Requirement::new(
            "articles.etag.compressed",
            "With Accept-Encoding: gzip an article has a strong ETag, and If-None-Match with it gets 304. If the response is compressed, the ETag may be weak, changed or missing, and If-None-Match may get the full response.",
            &[
                Sentence("A gateway that compresses the response may weaken, change or remove it."),
                Sentence("`If-None-Match` with the received `ETag` then gets 304 or the full response."),
                Standard("RFC 9110", "8.8.3"),
                Standard("RFC 9110", "13.1.2"),
            ],
            compressed,
        )
        .needs(JOBS),
        Requirement::new(
            "articles.etag.follows-change",
            "The ETag of an article changes when the article is published.",
            &[Sentence("Strong validator of this representation."), Standard("RFC 9110", "8.8.1")],
            article,
        )
        .needs(JOBS),
    ]
}

/// Returns the tag without the prefix of a weak one: `If-None-Match` compares tags weakly, and a proxy may weaken a tag.
fn tag_of(exchange: &Exchange) -> Result<&str, Halt> {
    let tag = demand::header(exchange, "etag")?;
    Ok(tag.strip_prefix("W/").unwrap_or(tag))
}

async fn not_modified(context: Context, _: Value) -> Verdict {
    let (_, article) = steps::some_article(&context).await?;
    let id = demand::text(demand::json(&article)?, "id")?;
    let tag = tag_of(&article)?;
    let request = steps::get_article(id).header("if-none-match", tag);
    let exchange = context.send(request).await?;
    demand::status(&exchange, 304)?;
    ensure(exchange.body.is_empty(), "no body in a 304", || demand::seen(&exchange))?;
    demand::same("ETag of the 304", &json!(tag), &json!(tag_of(&exchange)?))?;
    let request = steps::get_article(id).header("if-modified-since", "Fri, 01 Jan 2100 00:00:00 GMT");
    demand::status(&*context.send(request).await?, 200)
}

async fn every_form(context: Context, _: Value) -> Verdict {
    let (_, article) = steps::some_article(&context).await?;
    let id = demand::text(demand::json(&article)?, "id")?;
    let tag = tag_of(&article)?;
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
    let tag = tag_of(&article)?;
    let job_id = demand::text(&job, "job_id")?;
    let other = context.send(steps::get_article(job_id)).await?;
    demand::same("ETag under the job's id", &json!(tag), &json!(tag_of(&other)?))?;
    let held = context.send(steps::get_article(job_id).header("if-none-match", tag)).await?;
    demand::status(&held, 304)
}

async fn by_case(context: Context, _: Value) -> Verdict {
    let (_, article) = steps::some_article(&context).await?;
    let id = demand::text(demand::json(&article)?, "id")?;
    let tag = tag_of(&article)?;
    let others = [tag.to_ascii_uppercase(), tag.to_ascii_lowercase()];
    ensure_met(others.iter().any(|other| other != tag), "the tag has no letters")?;
    for other in others.iter().filter(|other| *other != tag) {
        let exchange = context.send(steps::get_article(id).header("if-none-match", other)).await?;
        demand::same(&format!("status for If-None-Match: {other}"), &json!(200), &json!(exchange.status))?;
    }
    let held = context.send(steps::get_article(id).header("if-none-match", tag)).await?;
    ensure_met(held.status == 304, "the tag itself does not get 304")
}

async fn several_lines(context: Context, _: Value) -> Verdict {
    let (_, article) = steps::some_article(&context).await?;
    let id = demand::text(demand::json(&article)?, "id")?;
    let tag = tag_of(&article)?;
    let request = steps::get_article(id).header("if-none-match", "\"other\"").header("if-none-match", tag);
    demand::status(&*context.send(request).await?, 304)
}

/// Does not read compressed bodies: the suite decompresses nothing.
async fn compressed(context: Context, _: Value) -> Verdict {
    let (_, article) = steps::some_article(&context).await?;
    let id = demand::text(demand::json(&article)?, "id")?;
    let request = steps::get_article(id).header("accept-encoding", "gzip").detached();
    let read = context.send(request.clone()).await?;
    demand::status(&read, 200)?;
    let by_gateway = is_compressed(&read);
    let Some(tag) = read.header("etag") else {
        return ensure(by_gateway, "an ETag, unless the response is compressed", || demand::seen(&read));
    };
    ensure(by_gateway || strong_tag(tag), "a strong ETag, unless the response is compressed", || tag.to_owned())?;
    let again = context.send(request.header("if-none-match", tag)).await?;
    if by_gateway && again.status == 200 {
        return ensure(!again.body.is_empty(), "304, or the full response", || demand::seen(&again));
    }
    demand::status(&again, 304)?;
    ensure(again.body.is_empty(), "no body in a 304", || demand::seen(&again))
}

async fn article(context: Context, _: Value) -> Verdict {
    let (_, early) = publishing::scheduled(&context, "Packing a rucksack for two days").await?;
    let late = publishing::published(&context, &early).await?;
    differ(&early, &late)
}
