//! An article with a future `publish_at`.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Exchange, Halt, Look, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::publishing::no_hook;
use crate::steps::times::{server_now, written_at};

const BOTH: &[Capability] = &[Capability::PIPELINE, Capability::JOBS];

/// More than 2³¹ milliseconds, which are 24.8 days.
const FAR_AHEAD: chrono::Duration = chrono::Duration::days(40);

/// Time of polling the scheduled article.
const WATCHED: Duration = Duration::from_secs(3);

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
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
    ]
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
