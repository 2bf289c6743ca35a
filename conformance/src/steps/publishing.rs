//! Articles with a time ahead of them, and what publishing changes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::check::{Context, Exchange, Halt, Verdict, demand, ensure};
use crate::inbox::HookRequest;
use crate::steps;
use crate::steps::articles;
use crate::steps::times::{server_now, written_at};

/// How far ahead the articles are scheduled: enough to tell when they were published from when they were made, and further
/// where the writer needs longer than that.
pub(crate) const AHEAD: [Duration; 2] = [Duration::from_secs(5), Duration::from_secs(25)];

/// What clocks of several machines of one service may differ by, and what is lost where times have whole seconds.
pub(crate) const SKEW: chrono::Duration = chrono::Duration::seconds(1);

/// An article that is published some seconds after it was written: its job's id, and how it was read by it before.
pub(crate) async fn scheduled(context: &Context, topic: &str) -> Result<(String, Arc<Exchange>), Halt> {
    let mut body = steps::published_request(context, topic);
    for ahead in AHEAD {
        body["publish_at"] = json!(written_at(server_now(context).await? + ahead));
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
    context.facts().ready_within + 2 * AHEAD[AHEAD.len() - 1]
}

/// Reads it under its own id until it is published.
pub(crate) async fn published(context: &Context, early: &Exchange) -> Result<Arc<Exchange>, Halt> {
    articles::until_published(context, demand::text(demand::json(early)?, "id")?, limit(context)).await
}

/// The hooks about an article so far; none where no receiver runs.
pub(crate) fn hooks_about(context: &Context, id: &str) -> Vec<HookRequest> {
    context.hooks().map(|log| log.mentioning(id)).unwrap_or_default()
}

pub(crate) fn no_hook(context: &Context, id: &str) -> Verdict {
    let early = hooks_about(context, id);
    ensure(early.is_empty(), "no hook about an article that is not published", || demand::beginning(&early[0].body))
}

/// Reads the article until it has that status.
pub(crate) async fn turned(context: &Context, id: &str, wanted: &str, limit: Duration) -> Result<Value, Halt> {
    let deadline = Instant::now() + limit;
    loop {
        let exchange = context.send(steps::get_article(id)).await?;
        demand::status(&exchange, 200)?;
        let article = demand::json(&exchange)?.clone();
        if article["status"] == wanted {
            return Ok(article);
        }
        if Instant::now() >= deadline {
            let limit = limit.as_secs();
            return Err(Halt::fail(
                format!("an article that is {wanted} within {limit} s"),
                demand::brief(&article["status"]),
            ));
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}
