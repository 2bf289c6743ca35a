//! Steps that find an article in the way that the set-up declares: by its job, by the job's id, or by a webhook.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::hooks::AFTER_HOOK;
use super::{calls, hooks};
use crate::check::{ArticleIdSource, Capability, Context, Exchange, Halt, Look, demand, ensure};
use crate::spec::Profile;

/// Returns the ids under which the account under test can read an article, for checks that change nothing.
pub(crate) async fn readable(context: &Context) -> Result<Vec<String>, Halt> {
    let order = async { readable_about(context, "Reading a thermometer").await.map(Value::from) };
    let ids = context.once("a readable article", Box::pin(order)).await?;
    Ok(ids.as_array().into_iter().flatten().filter_map(Value::as_str).map(ToOwned::to_owned).collect())
}

/// Queues an article about a topic and returns the ids under which it can be read.
pub(crate) async fn readable_about(context: &Context, topic: &str) -> Result<Vec<String>, Halt> {
    let facts = context.facts();
    if facts.article_id_from == ArticleIdSource::Job && facts.capabilities.contains(&Capability::JOBS) {
        let (job, article) = calls::written(context, &calls::quiet_request(context, topic)).await?;
        ensure(demand::json(&article)?.is_object(), "a JSON object", || demand::seen(&article))?;
        let mut ids = vec![demand::text(&job, "article_id")?.to_owned()];
        // The id of the job names the article, too.
        ids.extend(job["job_id"].as_str().map(ToOwned::to_owned));
        return Ok(ids);
    }
    // The documented fields only.
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

/// Publishes an article about a topic and returns it.
pub(crate) async fn published(context: &Context, topic: &str) -> Result<Value, Halt> {
    publication(context, &calls::published_request(context, topic)).await
}

/// Queues `body`, waits until its article is published, and returns it.
pub(crate) async fn publication(context: &Context, body: &Value) -> Result<Value, Halt> {
    let (_, written) = calls::written(context, body).await?;
    let exchange =
        until_published(context, demand::text(demand::json(&written)?, "id")?, context.facts().ready_within).await?;
    Ok(demand::json(&exchange)?.clone())
}

/// Reads an article until it is published, for `limit` at most.
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

/// Reads until the article is there, for `patience` at most.
pub(crate) async fn awaited(context: &Context, id: &str, patience: Duration) -> Result<Arc<Exchange>, Halt> {
    let look = || async move {
        let exchange = context.send(calls::get_article(id)).await?;
        match calls::has_article(context, &exchange) {
            Ok(()) => Ok(Look::Found(exchange)),
            Err(halt) if exchange.succeeded() && context.document().profile() == Profile::Full => Err(halt),
            Err(_) => Ok(Look::NotYet(late(context, &exchange))),
        }
    };
    context.eventually(patience, look).await
}

/// Returns what an absent article means. The id in a webhook names an existing article. That the id of a job does so, too, is only one
/// reading of the service description.
fn late(context: &Context, exchange: &Exchange) -> Halt {
    let facts = context.facts();
    if facts.article_id_from == ArticleIdSource::Hook {
        return Halt::fail("the article that the webhook named, within 5 s", demand::seen(exchange));
    }
    let seconds = facts.ready_within.as_secs();
    match (facts.article_id_from == ArticleIdSource::JobId, facts.is_ready_within_declared) {
        (true, true) => {
            let expected = format!("the article under the job's id within {seconds} s, as [article] declares");
            Halt::fail(expected, demand::seen(exchange))
        }
        (true, false) => Halt::inconclusive(format!(
            "no article under the job's id within {seconds} s; set article.ready_within to the longest time that an article takes"
        )),
        _ => Halt::inconclusive(format!(
            "no article under the job's id within {seconds} s; say in [article] id_from where its id comes from"
        )),
    }
}

/// Writes a draft. Returns its job and the draft.
pub(crate) async fn draft(context: &Context) -> Result<(Value, Value), Halt> {
    let (job, article) = calls::written(context, &calls::quiet_request(context, "Keeping a list of errands")).await?;
    Ok((job, demand::json(&article)?.clone()))
}
