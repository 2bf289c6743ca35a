//! `GET /articles/{id}`: both ids, what it repeats, validators.
//!
//! The text of articles is judged in `articles_text`, what is not there yet and where it is published in `articles_published`.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::exchange::Request;
use super::facts::ArticleIdSource;
use super::requirement::{Cases, Requirement};
use super::steps;
use super::steps_articles;
use super::verdict::{Halt, Verdict, ensure};
use crate::spec::Profile;
use crate::strategies::{Draw, Space, hostile_id};

const JOBS: &[Capability] = &[Capability::Jobs];
const SOURCE: &str = "openapi.yaml, get_article and Article";

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("articles.fetch.completed", "GET /api/v1/articles/{id} fetches the article once generation has completed.", "service description, section 4.2", fetch_completed)
            .core()
            .drawn("plain topics", Cases::Divided(16), plain),
        Requirement::must("articles.fetch.not-before", "Until generation has completed the article is not there: whatever is answered, it is no success that turns out to be something else later.", "service description, section 4.2", not_before)
            .core()
            .background(),
        Requirement::must("articles.unknown.not-found", "An id that names nothing is 404 article_not_found, whatever it looks like; in core it is no success.", "openapi.yaml, x-problem-codes", unknown)
            .core()
            .drawn("ids that name nothing", Cases::Searched, |_, draw: &mut Draw| json!(draw.value(&hostile_id()))),
        Requirement::must("articles.by-job-id.same", "The id of a completed job fetches the same article, with its own id in the body and Content-Location on it.", SOURCE, by_job_id)
            .needs(JOBS)
            .drawn("plain topics", Cases::Divided(16), plain),
        Requirement::must("articles.echo.what-was-sent", "The article repeats topic, website_id, metadata and language as they were sent.", SOURCE, echo)
            .needs(JOBS)
            .drawn("languages and metadata", Cases::Exactly(4), |_, draw| json!(draw.index())),
        Requirement::must("articles.etag.not-modified", "With the current ETag in If-None-Match the answer is 304 without a body; If-Modified-Since is ignored.", "RFC 9110, section 13.1.2; openapi.yaml, get_article", not_modified).needs(JOBS),
        Requirement::must("articles.cache.private", "An article is served with Cache-Control: private, no-cache, a strong ETag and Last-Modified.", SOURCE, cache).needs(JOBS),
        Requirement::must("articles.slug.unique", "The slug keeps its form and is unique within the website, also for equal topics.", "openapi.yaml, Article, x-conformance", slug).needs(JOBS),
    ]
}

fn plain(space: &Space, draw: &mut Draw) -> Value {
    json!({ "topic": space.plain_topic(draw) })
}

/// Queues and waits for the article in the way that the set-up declares.
async fn fetch_completed(context: Context, case: Value) -> Verdict {
    steps_articles::readable_about(&context, steps::topic_of(&case)).await.map(|_| ())
}

/// A stand-in is told from an article that was written at once: it is much shorter than what comes after it.
async fn not_before(context: Context, _: Value) -> Verdict {
    const GROWN: usize = 2;
    const PATIENCE: Duration = Duration::from_secs(10);
    if context.facts().article_id_from == ArticleIdSource::Hook {
        return Err(Halt::inconclusive("an article's id comes with its hook, so none is known before"));
    }
    let id = steps::queue(&context, &steps::quiet_request(&context, "Waiting for the kettle")).await?;
    let first = context.send(steps::get_article(&id)).await?;
    let deadline = Instant::now() + PATIENCE.min(context.facts().ready_within);
    while first.succeeded() && Instant::now() < deadline {
        let later = context.send(steps::get_article(&id)).await?;
        ensure(later.body.len() <= first.body.len() * GROWN, "no success before the article is written", || {
            format!("{} at once, {} bytes later", demand::seen(&first), later.body.len())
        })?;
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    Ok(())
}

async fn unknown(context: Context, id: Value) -> Verdict {
    // As drawn: the segment is percent-encoded already.
    let path = format!("/articles/{}", id.as_str().unwrap_or("x"));
    let exchange = context.send(Request::new("get_article", "GET", &path)).await?;
    if context.document().profile() == Profile::Core {
        return demand::refusal(&exchange);
    }
    demand::problem(&exchange, 404, &["article_not_found"])
}

async fn by_job_id(context: Context, case: Value) -> Verdict {
    let body = steps::quiet_request(&context, steps::topic_of(&case));
    let (job, article) = steps::written(&context, &body).await?;
    let job_id = demand::text(&job, "job_id")?;
    let other = context.send(steps::get_article(job_id)).await?;
    demand::status(&other, 200)?;
    demand::same("the article", demand::json(&article)?, demand::json(&other)?)?;
    demand::same("its id", &job["article_id"], &demand::json(&other)?["id"])?;
    let location = demand::header(&other, "content-location")?;
    let path = steps::local_path(&context, &other.request.path, location)?;
    let wanted = format!("/api/v1/articles/{}", demand::text(&job, "article_id")?);
    ensure(path == wanted, format!("Content-Location {wanted}"), || path.clone())
}

async fn echo(context: Context, case: Value) -> Verdict {
    let languages = ["en", "de-CH-1996", "EN-gb", "zh-Hant-TW"];
    let index = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0);
    let mut body = steps::quiet_request(&context, "  Watering plants while away  ");
    body["language"] = json!(languages[index % languages.len()]);
    body["metadata"] = json!({ "Campaign": "a b", "e\u{301}": " \u{1f600} ", "none": "" });
    let (_, article) = steps::written(&context, &body).await?;
    let article = demand::json(&article)?;
    for member in ["topic", "website_id", "language", "metadata"] {
        demand::same(member, &body[member], &article[member])?;
    }
    Ok(())
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

async fn cache(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Mending a sock");
    let (_, article) = steps::written(&context, &body).await?;
    let control = demand::header(&article, "cache-control")?;
    ensure(control.contains("private") && control.contains("no-cache"), "Cache-Control: private, no-cache", || {
        control.to_owned()
    })?;
    let tag = demand::header(&article, "etag")?;
    ensure(tag.starts_with('"'), "a strong ETag", || tag.to_owned())?;
    let modified = demand::header(&article, "last-modified")?;
    let parsed = chrono::DateTime::parse_from_rfc2822(modified);
    ensure(parsed.is_ok() && modified.ends_with("GMT"), "an HTTP date in Last-Modified", || modified.to_owned())
}

async fn slug(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Tying a bowline knot");
    let calls = (0..4).map(|_| steps::written(&context, &body));
    let mut seen = std::collections::BTreeSet::new();
    for (_, article) in futures::future::try_join_all(calls).await? {
        let slug = demand::text(demand::json(&article)?, "slug")?.to_owned();
        let parts = slug.split('-').all(|part| {
            !part.is_empty() && part.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit())
        });
        ensure(
            parts && slug.len() <= 80,
            "a slug of at most 80 lower-case letters, digits and single hyphens",
            || slug.clone(),
        )?;
        ensure(seen.insert(slug.clone()), "four different slugs", || format!("{slug} twice"))?;
    }
    Ok(())
}
