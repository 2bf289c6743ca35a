//! From not ready to published: what is told of an article before it is there, and what stands at its address.
//!
//! When articles are published is judged in `publish_times`.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::article_passages::{letters, passages};
use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::exchange::{Credential, Exchange, Request};
use super::html;
use super::requirement::{Cases, Requirement};
use super::steps;
use super::steps_articles;
use super::steps_times::{server_now, written_at};
use super::verdict::{About, Halt, Verdict, ensure};
use crate::strategies::{Draw, Space};

const JOBS: &[Capability] = &[Capability::Jobs];

/// How far ahead an article is scheduled that is looked at while it waits.
const AHEAD: Duration = Duration::from_mins(1);
/// How long an article that is not ready is looked at, and how often.
const WATCHED: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(20);
/// Refusals after which enough was seen, and articles that are queued for them where the target writes fast.
const ENOUGH: u32 = 3;
const TRIES: u32 = 10;

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "articles.not-ready.retry",
            "While the job is not finished its id is 404 article_not_ready with Retry-After, however often it is asked for.",
            "openapi.yaml, x-problem-codes",
            not_ready,
        )
        .needs(JOBS),
        Requirement::must(
            "articles.published.together",
            "status published, published_at and url go together, and url answers 200 with the article.",
            "openapi.yaml, get_article and Article",
            published,
        )
        .needs(JOBS)
        .drawn(
            "plain topics",
            Cases::Divided(32),
            |space: &Space, draw: &mut Draw| json!({ "topic": space.plain_topic(draw) }),
        ),
    ]
}

async fn not_ready(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Keeping a diary for a year");
    body["target_word_count"] = json!(5_000);
    let mut refusals = 0;
    // The window is short on a fast target, so look into it more than once.
    for _ in 0..TRIES {
        let queued = context.send(steps::generate(&body)).await?;
        demand::success(&queued)?;
        let job_id = demand::text(demand::json(&queued)?, "job_id")?.to_owned();
        let looked = refused(&context, &job_id).await;
        steps::discard(&context, &queued).await?;
        refusals += looked?;
        if refusals >= ENOUGH {
            return Ok(());
        }
    }
    ensure_met(refusals > 0, "every article was ready before it could be asked for")
}

/// How often the article was refused in the right way until it was there, or until enough was seen.
async fn refused(context: &Context, job_id: &str) -> Result<u32, Halt> {
    let deadline = Instant::now() + WATCHED.min(context.facts().ready_within);
    let mut refusals = 0;
    let mut begun = false;
    // What waits in the queue may be refused elsewhere than what is being written.
    while Instant::now() < deadline && !(begun && refusals >= ENOUGH) {
        let before = context.send(steps::get_job(job_id)).await?;
        demand::status(&before, 200)?;
        let job = demand::json(&before)?;
        begun = job["status"] != "queued";
        let exchange = context.send(steps::get_article(job_id)).await?;
        if exchange.status == 200 || job["done"] == true {
            break;
        }
        if exchange.code() != Some("article_not_ready") {
            // Between the two the job may have ended without an article.
            let after = context.send(steps::get_job(job_id)).await?;
            if demand::json(&after)?["done"] == true {
                break;
            }
        }
        is_not_ready(&exchange)?;
        refusals += 1;
        tokio::time::sleep(PAUSE).await;
    }
    Ok(refusals)
}

fn is_not_ready(exchange: &Exchange) -> Verdict {
    demand::problem(exchange, 404, &["article_not_ready"])?;
    let wait = demand::header(exchange, "retry-after")?;
    let is_wait = wait.parse::<u64>().is_ok_and(|seconds| seconds >= 1);
    ensure(is_wait, "whole seconds in Retry-After", || wait.to_owned()).about(exchange)
}

async fn published(context: Context, case: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, steps::topic_of(&case));
    let (_, draft) = steps::written(&context, &body).await?;
    is_nowhere("a draft", demand::json(&draft)?).about(&draft)?;
    body["auto_publish"] = json!(true);
    let mut scheduled = body.clone();
    scheduled["publish_at"] = json!(written_at(server_now(&context).await? + AHEAD));
    let (_, waiting) = steps::written(&context, &scheduled).await?;
    if demand::json(&waiting)?["status"] != "published" {
        is_nowhere("a scheduled article", demand::json(&waiting)?).about(&waiting)?;
    }
    let article = steps_articles::publication(&context, &body).await?;
    ensure(article["published_at"].is_string(), "published_at of a published article", || {
        demand::brief(&article["published_at"])
    })?;
    shows(&context, demand::text(&article, "url")?, &passages(&article)).await
}

fn is_nowhere(what: &str, article: &Value) -> Verdict {
    demand::same(&format!("url of {what}"), &Value::Null, &article["url"])?;
    demand::same(&format!("published_at of {what}"), &Value::Null, &article["published_at"])
}

/// The page at `url` is that of the article, and not one that lists it.
async fn shows(context: &Context, url: &str, passages: &[String]) -> Verdict {
    let base = url::Url::parse(&context.facts().base_url).map_err(|error| Halt::Error(error.to_string()))?;
    let is_own_host = url::Url::parse(url).is_ok_and(|url| url.origin() == base.origin());
    // A page on another host is not the target's API; asking it could mean asking a third party.
    ensure_met(is_own_host, "the article's page is on another host, which the suite does not ask")?;
    let mut page = Request::outside("GET", "").by(Credential::None);
    url.clone_into(&mut page.path);
    let page = context.send(page).await?;
    demand::status(&page, 200)?;
    let text = letters(&html::text(&String::from_utf8_lossy(&page.body)));
    ensure_met(!passages.is_empty(), "the article has no passage that could be told from a summary")?;
    let has_text = passages.iter().any(|passage| text.contains(passage));
    ensure(has_text, "a page with the article's text", || demand::seen(&page)).about(&page)
}

fn ensure_met(is_met: bool, reason: &str) -> Verdict {
    if is_met { Ok(()) } else { Err(Halt::inconclusive(reason)) }
}
