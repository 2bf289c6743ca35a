//! Articles with a time ahead of them, and what publishing changes.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::check::{Context, Exchange, Halt, Look, Verdict, demand, ensure};
use crate::inbox::HookRequest;
use crate::steps::times::{server_now, written_at};
use crate::steps::{self, articles};

/// How far ahead the articles are scheduled at least: enough to tell when they were published from when they were made.
const AHEAD: Duration = Duration::from_secs(5);

/// How many times as far it is tried where the time before comes before the writer has ended. The first article of a run teaches how long
/// one takes, so the second one is scheduled by that.
const FARTHER: [u32; 3] = [1, 1, 4];

/// What clocks of several machines of one service may differ by, and what is lost where times have whole seconds.
pub(crate) const SKEW: chrono::Duration = chrono::Duration::seconds(1);

/// An article that is published some seconds after it was written: its job's id, and how it was read by it before.
pub(crate) async fn scheduled(context: &Context, topic: &str) -> Result<(String, Arc<Exchange>), Halt> {
    scheduled_as(context, steps::published_request(context, topic)).await
}

/// The same of an order that is published without approval.
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
    Err(Halt::inconclusive("the article was published before it could be looked at"))
}

/// When it is published at the latest.
pub(crate) fn limit(context: &Context) -> Duration {
    context.facts().ready_within + 2 * ahead(context) * FARTHER[FARTHER.len() - 1]
}

/// How far ahead an article is scheduled so that it is there before: a half more than the last one took.
pub(crate) fn ahead(context: &Context) -> Duration {
    AHEAD.max(context.article_time().unwrap_or_default() * 3 / 2)
}

/// Reads it under its own id until it is published.
pub(crate) async fn published(context: &Context, early: &Exchange) -> Result<Arc<Exchange>, Halt> {
    articles::until_published(context, demand::text(demand::json(early)?, "id")?, limit(context)).await
}

/// The hooks about an article so far; none where no receiver runs.
pub(crate) fn hooks_about(context: &Context, id: &str) -> Vec<HookRequest> {
    context.hooks().map(|log| log.mentioning(id)).unwrap_or_default()
}

/// No hook about the article has come.
pub(crate) fn no_hook(context: &Context, id: &str) -> Verdict {
    let early = hooks_about(context, id);
    ensure(early.is_empty(), "no hook about an article that is not published", || demand::beginning(&early[0].body))
}

/// Reads the article until it has that status.
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
