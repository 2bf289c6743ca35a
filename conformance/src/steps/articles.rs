//! Finding an article in the way that the set-up declares: by its job, by the job's id, or by a hook.
//!
//! What an article must be like is judged in `articles*`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::calls;
use super::hooks;
use super::hooks::AFTER_HOOK;
use crate::check::ArticleIdSource;
use crate::check::Capability;
use crate::check::Context;
use crate::check::demand;
use crate::check::{About, Halt, Verdict, ensure};
use crate::check::{Credential, Exchange};

/// An article that its own account can read: the ids under which it can.
pub(crate) async fn readable(context: &Context) -> Result<Vec<String>, Halt> {
    readable_about(context, "Reading a thermometer").await
}

/// The same about a topic.
pub(crate) async fn readable_about(context: &Context, topic: &str) -> Result<Vec<String>, Halt> {
    let facts = context.facts();
    if facts.article_id_from == ArticleIdSource::Job && facts.capabilities.contains(&Capability::JOBS) {
        let (job, article) = calls::written(context, &calls::quiet_request(context, topic)).await?;
        ensure(demand::json(&article)?.is_object(), "a JSON object", || demand::seen(&article))?;
        let mut ids = vec![demand::text(&job, "article_id")?.to_owned()];
        // By the job's id too, where the target reads it so.
        ids.extend(job["job_id"].as_str().map(ToOwned::to_owned));
        return Ok(ids);
    }
    // Nothing but what the service description shows.
    let documented = json!({ "topic": topic, "website_id": facts.website_id });
    let (id, patience) = if facts.article_id_from == ArticleIdSource::Hook {
        (hooks::by_pointer(context, &documented).await?.0, AFTER_HOOK)
    } else {
        (calls::queue(context, &documented).await?, facts.ready_within)
    };
    let article = awaited(context, &id, patience).await?;
    ensure(demand::json(&article)?.is_object(), "a JSON object", || demand::seen(&article))?;
    Ok(vec![id])
}

/// An article that was published, as it is read then.
pub(crate) async fn published(context: &Context, topic: &str) -> Result<Value, Halt> {
    publication(context, &calls::published_request(context, topic)).await
}

/// Queues `body` and waits until its article is published.
pub(crate) async fn publication(context: &Context, body: &Value) -> Result<Value, Halt> {
    let (_, written) = calls::written(context, body).await?;
    let exchange =
        until_published(context, demand::text(demand::json(&written)?, "id")?, context.facts().ready_within).await?;
    Ok(demand::json(&exchange)?.clone())
}

/// Reads an article that is about to be published until it is, that long at most.
pub(crate) async fn until_published(context: &Context, id: &str, limit: Duration) -> Result<Arc<Exchange>, Halt> {
    context.waiting(reads_published(context, id, limit)).await
}

async fn reads_published(context: &Context, id: &str, limit: Duration) -> Result<Arc<Exchange>, Halt> {
    let deadline = Instant::now() + limit;
    loop {
        let exchange = context.send(calls::get_article(id)).await?;
        demand::status(&exchange, 200)?;
        if demand::json(&exchange)?["status"] == "published" {
            return Ok(exchange);
        }
        if Instant::now() >= deadline {
            return Err(Halt::inconclusive("the article was not published in time"));
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// The other account's key does not read the article. An id may mean something of its own to each account, so what the
/// other account reads is only wrong when it is the same.
pub(crate) async fn hidden_from_other(context: &Context, id: &str) -> Verdict {
    let own = context.send(calls::get_article(id)).await?;
    let foreign = context.send(calls::get_article(id).by(Credential::Other)).await?;
    if !foreign.succeeded() {
        return Ok(());
    }
    let is_same = own.succeeded() && own.body == foreign.body;
    ensure(!is_same, "a refusal of the other account's key", || demand::seen(&foreign)).about(&foreign)
}

/// Reads until the article is there.
async fn awaited(context: &Context, id: &str, patience: Duration) -> Result<Arc<Exchange>, Halt> {
    context.waiting(reads(context, id, patience)).await
}

async fn reads(context: &Context, id: &str, patience: Duration) -> Result<Arc<Exchange>, Halt> {
    let deadline = Instant::now() + patience;
    loop {
        let exchange = context.send(calls::get_article(id)).await?;
        if exchange.status == 200 {
            return Ok(exchange);
        }
        demand::refusal(&exchange)?;
        if Instant::now() >= deadline {
            return Err(late(context, &exchange));
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// An id out of a hook names an article that is there; that the job's id does is only one reading of the description.
fn late(context: &Context, exchange: &Exchange) -> Halt {
    if context.facts().article_id_from == ArticleIdSource::Hook {
        return Halt::fail("the article that the hook named, within 5 s", demand::seen(exchange));
    }
    Halt::inconclusive(format!(
        "no article under the job's id within {} s; say in [article] id_from where its id comes from",
        context.facts().ready_within.as_secs()
    ))
}
