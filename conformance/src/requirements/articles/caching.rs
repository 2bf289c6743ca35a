//! Caching of articles: `Cache-Control`, `ETag`, `Last-Modified`, and conditional requests.

use chrono::DateTime;
use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence, Standard};
use crate::check::{
    About as _, Capability, Context, Exchange, Halt, Requirement, Source, Verdict, demand, ensure, ensure_met,
    header_fields,
};
use crate::steps;
use crate::steps::header_forms::{differ, is_compressed, strong_tag};
use crate::steps::publishing::{SKEW, published, scheduled};
use crate::steps::times::{moment, written_at};

const JOBS: &[Capability] = &[Capability::JOBS];

const NOT_MODIFIED: Source = Sentence("If the copy is still current, the response is 304 without a body.");

#[expect(clippy::too_many_lines, reason = "a list of requirements")]
pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "articles.etag.not-modified",
            "GET /articles/{id} with the current ETag in If-None-Match returns 304 with that ETag and without a body. The server ignores If-Modified-Since.",
            &[
                NOT_MODIFIED,
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
                NOT_MODIFIED,
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
                NOT_MODIFIED,
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
                NOT_MODIFIED,
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
                NOT_MODIFIED,
                Sentence("Strong validator of this representation."),
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
            tag_follows_change,
        )
        .needs(JOBS),
        Requirement::new(
            "articles.cache.private",
            "The response with an article has Cache-Control with private and no-cache, and a strong ETag. Last-Modified, if present, is an HTTP date.",
            &[
                Sentence(
                    "`private, no-cache` with an `ETag`; `no-store` or `private, no-cache` for successes of cancel and of lists other than leads; `no-store` in all other responses, also in errors.",
                ),
                Sentence("Strong validator of this representation."),
                Sentence("When the article last changed, as an HTTP date."),
                Part("/paths/~1api~1v1~1articles~1{id}/get/responses/200/headers/Last-Modified"),
                Standard("RFC 9110", "5.6.7"),
            ],
            cached_privately,
        )
        .needs(JOBS),
        Requirement::new(
            "articles.last-modified.follows-change",
            "Last-Modified, if present, is the time of the article's last change: for a published article it is within a second of updated_at.",
            &[
                Sentence("When the article last changed, as an HTTP date."),
                Sentence("When it last changed."),
                Part("/paths/~1api~1v1~1articles~1{id}/get/responses/200/headers/Last-Modified"),
                Standard("RFC 9110", "8.8.2"),
            ],
            last_modified,
        )
        .needs(JOBS)
        .background(),
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

async fn tag_follows_change(context: Context, _: Value) -> Verdict {
    let (_, early) = scheduled(&context, "Packing a rucksack for two days").await?;
    let late = published(&context, &early).await?;
    differ(&early, &late)
}

async fn cached_privately(context: Context, _: Value) -> Verdict {
    let (_, article) = steps::some_article(&context).await?;
    let control = header_fields::joined(&article.headers, "cache-control");
    let is_private = ["private", "no-cache"].iter().all(|name| header_fields::has_directive(&control, name));
    ensure(is_private, "Cache-Control: private, no-cache", || control.clone())?;
    let tag = demand::header(&article, "etag")?;
    ensure(tag.starts_with('"'), "a strong ETag", || tag.to_owned())?;
    let Some(modified) = article.header("last-modified") else { return Ok(()) };
    let parsed = DateTime::parse_from_rfc2822(modified);
    ensure(parsed.is_ok() && modified.ends_with("GMT"), "an HTTP date in Last-Modified", || modified.to_owned())
}

async fn last_modified(context: Context, _: Value) -> Verdict {
    let (_, early) = scheduled(&context, "Dating a letter").await?;
    let late = published(&context, &early).await?;
    let updated = moment(demand::json(&late)?, "updated_at")?;
    let shown = late.header("last-modified");
    ensure_met(shown.is_some(), "the response with the article has no Last-Modified")?;
    let shown = shown.unwrap_or_default();
    let modified = DateTime::parse_from_rfc2822(shown)
        .map_err(|_| Halt::fail("an HTTP date in Last-Modified", shown).about(&late))?;
    let apart = (modified.timestamp() - updated.timestamp()).abs();
    ensure(apart <= SKEW.num_seconds(), format!("Last-Modified at {}", written_at(updated)), || shown.to_owned())
        .about(&late)
}
