//! An article with a time ahead of it waits for it.

use std::time::{Duration, Instant};

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
            "An article that has a time ahead of it is scheduled and stays so: neither published_at nor url is there, and no hook is sent, also when the time is further ahead than a timer of 32 bits counts.",
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
    let mut article = turned(&context, &id, "scheduled", Duration::from_secs(5)).await?;
    // Whoever publishes it at once does so after it was scheduled.
    let watched = Instant::now() + WATCHED;
    loop {
        demand::same("status", &json!("scheduled"), &article["status"])?;
        demand::same("published_at", &Value::Null, &article["published_at"])?;
        demand::same("url", &Value::Null, &article["url"])?;
        if Instant::now() >= watched {
            return no_hook(&context, &id);
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
        let exchange = context.send(steps::get_article(&id)).await?;
        demand::status(&exchange, 200)?;
        article = demand::json(&exchange)?.clone();
    }
}
