//! An article with a time ahead of it waits for it.

use std::time::Duration;

use serde_json::{Value, json};

use crate::check::{Capability, Context, Requirement, Verdict, demand};
use crate::steps;
use crate::steps::publishing::{no_hook, turned};
use crate::steps::times::{server_now, written_at};

const BOTH: &[Capability] = &[Capability::PIPELINE, Capability::JOBS];

/// Further ahead than 2³¹ milliseconds, which are 24.8 days.
const FAR_AHEAD: chrono::Duration = chrono::Duration::days(40);

/// How long an article that waits is looked at.
const WATCHED: Duration = Duration::from_secs(3);

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "articles.scheduled.waits",
            "An article whose publish_at lies ahead, even 40 days, stays scheduled: published_at and url are null, and no hook is sent.",
            "openapi.yaml, ArticleStatus and Article, x-conformance article-published",
            waits,
        ).needs(BOTH).background(),
    ]
}

async fn waits(context: Context, _: Value) -> Verdict {
    let mut body = steps::published_request(&context, "An article for next month");
    let at = server_now(&context).await? + FAR_AHEAD;
    body["publish_at"] = json!(written_at(at));
    let (_, article) = steps::written(&context, &body).await?;
    let id = demand::text(demand::json(&article)?, "id")?.to_owned();
    turned(&context, &id, "scheduled", context.grace()).await?;
    let (context, id) = (&context, id.as_str());
    // Whoever publishes it at once does so after it was scheduled.
    let look = || async move {
        let exchange = context.send(steps::get_article(id)).await?;
        demand::status(&exchange, 200)?;
        let article = demand::json(&exchange)?;
        demand::same("status", &json!("scheduled"), &article["status"])?;
        demand::same("published_at", &Value::Null, &article["published_at"])?;
        demand::same("url", &Value::Null, &article["url"])
    };
    context.never(WATCHED, look).await?;
    no_hook(context, id)
}
