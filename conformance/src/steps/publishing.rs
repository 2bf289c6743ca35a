//! Steps that schedule an article and wait until it is published.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::check::{Context, Exchange, Halt, Look, Verdict, demand};
use crate::inbox::HookRequest;
use crate::steps::hooks::ARTICLE_PUBLISHED;
use crate::steps::payloads::{ensure_unnamed, has_type, names};
use crate::steps::times::{server_now, written_at};
use crate::steps::{self, articles};

/// Minimum time from now to `publish_at`: long enough to distinguish the publication from the writing.
const AHEAD: Duration = Duration::from_secs(5);

/// Factors of that time for the attempts. An attempt fails if the article is published before it can be read. The first article of a
/// run shows how long writing takes, so the second attempt uses that.
const FARTHER: [u32; 3] = [1, 1, 4];

/// Maximum difference between the clocks of a service's machines. Times in whole seconds lose as much.
pub(crate) const SKEW: chrono::Duration = chrono::Duration::seconds(1);

/// Schedules an article some seconds ahead. Returns the id of its job, and the article as read by that id before its publication.
pub(crate) async fn scheduled(context: &Context, topic: &str) -> Result<(String, Arc<Exchange>), Halt> {
    scheduled_as(context, steps::published_request(context, topic)).await
}

/// Does the same for a request with `auto_publish`.
pub(crate) async fn scheduled_as(context: &Context, mut body: Value) -> Result<(String, Arc<Exchange>), Halt> {
    for times in FARTHER {
        body["publish_at"] = json!(written_at(server_now(context).await? + ahead(context) * times));
        let (job, _) = steps::written(context, &body).await?;
        let job_id = demand::text(&job, "job_id")?.to_owned();
        let early = context.send(steps::get_article(&job_id)).await?;
        demand::status(&early, 200)?;
        if demand::json(&early)?["status"] != "published" {
            return Ok((job_id, early));
        }
    }
    Err(Halt::inconclusive("the article was published before it could be read"))
}

/// Returns the time within which a scheduled article is published.
pub(crate) fn limit(context: &Context) -> Duration {
    context.facts().ready_within + 2 * ahead(context) * FARTHER[FARTHER.len() - 1]
}

/// Returns the time from now to `publish_at` by which an article is written: half as long again as the last one took.
pub(crate) fn ahead(context: &Context) -> Duration {
    AHEAD.max(context.article_time().unwrap_or_default() * 3 / 2)
}

/// Reads the article by its own id until it is published.
pub(crate) async fn published(context: &Context, early: &Exchange) -> Result<Arc<Exchange>, Halt> {
    articles::until_published(context, demand::text(demand::json(early)?, "id")?, limit(context)).await
}

/// Returns the webhooks so far about the publication of an article. Without a receiver the list is empty.
pub(crate) fn hooks_about(context: &Context, id: &str) -> Vec<HookRequest> {
    let arrived = context.hooks().map(|log| log.mentioning(id)).unwrap_or_default();
    arrived.into_iter().filter(|hook| has_type(hook, ARTICLE_PUBLISHED) && names(hook, id)).collect()
}

/// Demands that no webhook about the publication of the article has arrived.
pub(crate) fn no_hook(context: &Context, id: &str) -> Verdict {
    ensure_unnamed(&hooks_about(context, id), id, "no webhook about an article that is not published")
}

/// Reads the article until it has the status `wanted`.
pub(crate) async fn turned(context: &Context, id: &str, wanted: &str, limit: Duration) -> Result<Value, Halt> {
    let look = || async move {
        let exchange = context.send(steps::get_article(id)).await?;
        demand::status(&exchange, 200)?;
        let article = demand::json(&exchange)?.clone();
        if article["status"] == wanted {
            return Ok(Look::Found(article));
        }
        let expected = format!("an article that is {wanted} within {} s", limit.as_secs());
        Ok(Look::NotYet(Halt::fail(expected, demand::brief(&article["status"]))))
    };
    context.eventually(limit, look).await
}
