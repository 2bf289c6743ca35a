//! Finding an article in the way that the set-up declares: by its job, by the job's id, or by a hook.
//!
//! What an article must be like is judged in `requirements::articles`.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::hooks::AFTER_HOOK;
use super::{calls, hooks};
use crate::check::{
    About, ArticleIdSource, Capability, Context, Credential, Exchange, Halt, Look, Verdict, demand, ensure,
};

/// An article that its own account can read, and that is only looked at: the ids under which it can.
pub(crate) async fn readable(context: &Context) -> Result<Vec<String>, Halt> {
    let order = async { readable_about(context, "Reading a thermometer").await.map(Value::from) };
    let ids = context.once("a readable article", Box::pin(order)).await?;
    Ok(ids.as_array().into_iter().flatten().filter_map(Value::as_str).map(ToOwned::to_owned).collect())
}

/// A new one about a topic: its ids.
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
    let look = || async move {
        let exchange = context.send(calls::get_article(id)).await?;
        demand::status(&exchange, 200)?;
        let is_published = demand::json(&exchange)?["status"] == "published";
        Ok(Look::found_or(is_published.then_some(exchange), || {
            Halt::inconclusive("the article was not published in time")
        }))
    };
    context.eventually(limit, look).await
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
pub(crate) async fn awaited(context: &Context, id: &str, patience: Duration) -> Result<Arc<Exchange>, Halt> {
    let look = || async move {
        let exchange = context.send(calls::get_article(id)).await?;
        if exchange.status == 200 {
            return Ok(Look::Found(exchange));
        }
        demand::refusal(&exchange)?;
        Ok(Look::NotYet(late(context, &exchange)))
    };
    context.eventually(patience, look).await
}

/// An id out of a hook names an article that is there; that the job's id does is only one reading of the description.
fn late(context: &Context, exchange: &Exchange) -> Halt {
    if context.facts().article_id_from == ArticleIdSource::Hook {
        return Halt::fail("the article that the hook named, within 5 s", demand::seen(exchange));
    }
    let seconds = context.facts().ready_within.as_secs();
    if context.facts().article_id_from == ArticleIdSource::JobId {
        let expected =
            format!("the article under the job's id within {seconds} s, as [article] id_from and ready_within say");
        return Halt::fail(expected, demand::seen(exchange));
    }
    Halt::inconclusive(format!(
        "no article under the job's id within {seconds} s; say in [article] id_from where its id comes from"
    ))
}
