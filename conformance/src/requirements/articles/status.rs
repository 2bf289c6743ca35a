//! The status of an article, with the fields that depend on it, and its times.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use url::Url;

use crate::check::Source::{Sentence, Standard};
use crate::check::{
    About as _, Capability, Cases, Context, Credential, Exchange, Halt, Look, Request, Requirement, Verdict, demand,
    ensure, ensure_met, header_fields, html,
};
use crate::steps::publishing::no_hook;
use crate::steps::texts::{letters, passages};
use crate::steps::times::{date_of, moment, server_now, written_at};
use crate::steps::{self, articles, publishing};
use crate::strategies::{Draw, Space};

const JOBS: &[Capability] = &[Capability::JOBS];

/// Minimum time until publication of the scheduled article.
const AHEAD: Duration = Duration::from_mins(1);

/// Maximum difference between the clock of the `Date` header and the clock of the times in articles: less than the offset of any zone
/// from UTC.
const CLOCKS: chrono::Duration = chrono::Duration::minutes(5);

const BOTH: &[Capability] = &[Capability::PIPELINE, Capability::JOBS];

/// More than 2³¹ milliseconds, which are 24.8 days.
const FAR_AHEAD: chrono::Duration = chrono::Duration::days(40);

/// Time of polling the scheduled article.
const WATCHED: Duration = Duration::from_secs(3);

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "articles.published.together",
            "A draft and a scheduled article have neither published_at nor url nor canonical_url. A published one has the first two, and published_at is not in the future. If url is an address of the API's server, it returns an HTML page with the text of the article, possibly after one redirect.",
            &[
                Sentence(
                    "`status` is `published` exactly if `published_at` is not null, and exactly if `url` is not null.",
                ),
                Sentence("`published_at` is never in the future."),
                Sentence("When it was published."),
                Sentence("It is null until the article is published."),
                Sentence("Address of the published article, as the place where it was published reports it."),
                Sentence("If it is an address of this service, it returns an HTML page with the text of the article."),
            ],
            published,
        )
        .needs(JOBS)
        .drawn(
            "plain topics",
            Cases::Divided(32),
            |space: &Space, draw: &mut Draw| json!({ "topic": space.plain_topic(draw) }),
        ),
        Requirement::new(
            "articles.scheduled.waits",
            "An article whose publish_at is in the future, even 40 days ahead, becomes and stays scheduled: published_at and url are null, and no webhook is sent.",
            &[
                Sentence(
                    "`draft` is written, `scheduled` has a time, `published` is on the website, `archived` was taken down.",
                ),
                Sentence(
                    "`status` is `published` exactly if `published_at` is not null, and exactly if `url` is not null.",
                ),
                Sentence("`published_at` is never in the future."),
                Sentence("When to publish: RFC 3339 with a zone, at most the same date next year."),
                Sentence("An article was published."),
            ],
            waits,
        )
        .needs(BOTH)
        .background(),
        Requirement::new(
            "articles.times.real",
            "created_at is when the article was written and updated_at when it last changed, in UTC: for a new article both are within five minutes of the Date header of the first response that has them, or earlier by the time that the suite waited for quotas.",
            &[
                Sentence("When the article was written."),
                Sentence("When it last changed."),
                Sentence("Times in responses are RFC 3339 in UTC with milliseconds and `Z`, as in `2026-11-02T08:00:00.000Z`."),
                Standard("RFC 9110", "6.6.1"),
            ],
            real_times,
        )
        .needs(JOBS),
    ]
}

async fn published(context: Context, case: Value) -> Verdict {
    let topic = steps::topic_of(&case);
    let (drafted, body) = (steps::quiet_request(&context, topic), steps::published_request(&context, topic));
    let mut scheduled = body.clone();
    let ahead = AHEAD.max(publishing::ahead(&context));
    scheduled["publish_at"] = json!(written_at(server_now(&context).await? + ahead));
    // Concurrently, because each may take long.
    let (drafted, scheduled) = (steps::written(&context, &drafted), steps::written(&context, &scheduled));
    let publication = publication(&context, &body);
    let ((_, draft), (_, waiting), published) = futures::future::try_join3(drafted, scheduled, publication).await?;
    is_nowhere("a draft", demand::json(&draft)?).about(&draft)?;
    if demand::json(&waiting)?["status"] != "published" {
        is_nowhere("a scheduled article", demand::json(&waiting)?).about(&waiting)?;
    }
    let article = demand::json(&published)?;
    let at = moment(article, "published_at").about(&published)?;
    let is_future = date_of(&published).is_ok_and(|date| at > date + CLOCKS);
    ensure(!is_future, "published_at that is not in the future", || written_at(at)).about(&published)?;
    let url = demand::text(article, "url").about(&published)?;
    shows(&context, url, &passages(article)).await
}

/// Queues `body` and returns the response with the published article.
async fn publication(context: &Context, body: &Value) -> Result<Arc<Exchange>, Halt> {
    let (_, written) = steps::written(context, body).await?;
    let id = demand::text(demand::json(&written)?, "id")?;
    articles::until_published(context, id, context.facts().ready_within).await
}

fn is_nowhere(what: &str, article: &Value) -> Verdict {
    demand::same(&format!("url of {what}"), &Value::Null, &article["url"])?;
    demand::same(&format!("canonical_url of {what}"), &Value::Null, &article["canonical_url"])?;
    demand::same(&format!("published_at of {what}"), &Value::Null, &article["published_at"])
}

/// Demands that the page at `url` has the text of the article, and not only a summary.
async fn shows(context: &Context, url: &str, passages: &[String]) -> Verdict {
    let url = Url::parse(url).map_err(|_| Halt::fail("an absolute URL of a published article", url))?;
    ensure_met(!passages.is_empty(), "the article has no passage that differs from its summaries")?;
    let url = &url;
    let look = || async move {
        let page = page(context, url).await?;
        Ok(has_text(&page, passages).map_or_else(Look::NotYet, Look::Found))
    };
    context.eventually(context.grace(), look).await
}

/// Requests a page and follows one redirect.
async fn page(context: &Context, url: &Url) -> Result<Arc<Exchange>, Halt> {
    let first = own_page(context, url).await?;
    let target = first.header("location").filter(|_| (300..400).contains(&first.status));
    match target.and_then(|target| url.join(target).ok()) {
        Some(target) => own_page(context, &target).await,
        None => Ok(first),
    }
}

async fn own_page(context: &Context, url: &Url) -> Result<Arc<Exchange>, Halt> {
    context.send(page_request(context, "GET", url)?).await
}

/// Returns a request without a key for a page. Sends no requests to other hosts: a page there may belong to a third party.
pub(super) fn page_request(context: &Context, method: &str, url: &Url) -> Result<Request, Halt> {
    let base = Url::parse(&context.facts().base_url).map_err(|error| Halt::Error(error.to_string()))?;
    let is_own_host = url.origin() == base.origin();
    ensure_met(is_own_host, "the article's page is on another host, and the suite sends no requests there")?;
    Ok(Request { path: url.to_string(), ..Request::outside(method, "").by(Credential::None) })
}

fn has_text(page: &Exchange, passages: &[String]) -> Verdict {
    demand::status(page, 200)?;
    is_html(page)?;
    let text = letters(&html::text(&String::from_utf8_lossy(&page.body)));
    let has_text = passages.iter().any(|passage| text.contains(passage));
    ensure(has_text, "a page with the article's text", || demand::seen(page)).about(page)
}

pub(super) fn is_html(page: &Exchange) -> Verdict {
    let media_type = page.header("content-type").unwrap_or_default();
    let is_html =
        ["text/html", "application/xhtml+xml"].iter().any(|name| header_fields::is_media_type(media_type, name));
    ensure(is_html, "an HTML page", || demand::seen(page)).about(page)
}

async fn waits(context: Context, _: Value) -> Verdict {
    let mut body = steps::published_request(&context, "An article for next month");
    let at = server_now(&context).await? + FAR_AHEAD;
    body["publish_at"] = json!(written_at(at));
    let (_, article) = steps::written(&context, &body).await?;
    let id = demand::text(demand::json(&article)?, "id")?.to_owned();
    let (context, id) = (&context, id.as_str());
    // The article may be a draft for a while.
    let look = || async move {
        let article = unpublished(context, id).await?;
        let status = &demand::json(&article)?["status"];
        let seconds = context.facts().ready_within.as_secs();
        Ok(Look::at(status == "scheduled", || {
            Halt::fail(format!("a scheduled article within {seconds} s"), demand::brief(status))
        }))
    };
    context.eventually(context.facts().ready_within, look).await?;
    // A server that ignores `publish_at` publishes the article after scheduling it.
    let look = || async move {
        let article = unpublished(context, id).await?;
        demand::same("status", &json!("scheduled"), &demand::json(&article)?["status"])
    };
    context.never(WATCHED, look).await?;
    no_hook(context, id)
}

/// Reads an article that must not be published yet.
async fn unpublished(context: &Context, id: &str) -> Result<Arc<Exchange>, Halt> {
    let exchange = context.send(steps::get_article(id)).await?;
    demand::status(&exchange, 200)?;
    let article = demand::json(&exchange)?;
    ensure(article["status"] != "published", "an article that is not published", || demand::brief(article))?;
    demand::same("published_at", &Value::Null, &article["published_at"])?;
    demand::same("url", &Value::Null, &article["url"])?;
    Ok(exchange)
}

async fn real_times(context: Context, _: Value) -> Verdict {
    let (_, article) = steps::written(&context, &steps::quiet_request(&context, "Setting a watch right")).await?;
    let date = date_of(&article)?;
    let waited = chrono::Duration::from_std(context.waited_for_quotas()).unwrap_or_default();
    for field in ["created_at", "updated_at"] {
        let shown = moment(demand::json(&article)?, field)?;
        let is_near = shown <= date + CLOCKS && shown >= date - CLOCKS - waited;
        ensure(is_near, format!("{field} within five minutes of the response's Date"), || {
            format!("{} and {}", written_at(shown), written_at(date))
        })
        .about(&article)?;
    }
    Ok(())
}
