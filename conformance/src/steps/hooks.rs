//! Steps that capture a lead or publish an article and wait for the webhook about it.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::calls::{self, capture};
use super::payloads::has_type;
use crate::check::{ArticleIdSource, Capability, Context, Halt, demand};
use crate::inbox::{HookLog, HookRequest};
use crate::spec::Profile;

/// Types of webhooks in the document.
pub(crate) const LEAD_CAPTURED: &str = "lead.captured";
pub(crate) const ARTICLE_PUBLISHED: &str = "article.published";

/// Requirements that a webhook arrives. If it does not, requirements on its contents are inconclusive.
const LEAD_SENT: &str = "hooks.lead.sent";
const ARTICLE_SENT: &str = "hooks.article.sent";

/// Maximum time in core from the webhook about an article until the article can be read.
pub(crate) const AFTER_HOOK: Duration = Duration::from_secs(5);

/// Captures a lead. Returns the marker in its e-mail address and the first webhook about it.
pub(crate) async fn lead_hook(context: &Context, message: &str) -> Result<(String, HookRequest), Halt> {
    let sent = Instant::now();
    let marker = captured(context, message).await?;
    let hook = first_of_ordinary_lead(context, &marker).await?;
    context.hooks()?.record_latency(hook.arrived.saturating_duration_since(sent));
    Ok((marker, hook))
}

/// Does the same, but a missing webhook is a finding as in `lead_due`.
pub(crate) async fn hook_due(context: &Context, message: &str) -> Result<(String, HookRequest), Halt> {
    let sent = Instant::now();
    let marker = captured(context, message).await?;
    let hook = lead_due(context, &marker, sent).await?;
    context.hooks()?.record_latency(hook.arrived.saturating_duration_since(sent));
    Ok((marker, hook))
}

/// Waits for the first webhook about a lead whose e-mail address contains `marker`. A missing webhook is a finding. In core it is
/// inconclusive if a webhook has arrived since `sent` that contains no name at all.
pub(crate) async fn lead_due(context: &Context, marker: &str, sent: Instant) -> Result<HookRequest, Halt> {
    match awaited(context, marker, LEAD_CAPTURED).await? {
        Some(hook) => Ok(hook),
        None if nameless_since(context, sent)?.is_empty() => Err(missing_mention(context, marker)),
        None => Err(thin_payload()),
    }
}

/// Returns the webhooks since then that contain no name that the suite chose. In core a webhook about a lead may be one of them, because
/// the service description names no field of it. In full the list is empty.
pub(crate) fn nameless_since(context: &Context, since: Instant) -> Result<Vec<HookRequest>, Halt> {
    if context.document().profile() == Profile::Full {
        return Ok(Vec::new());
    }
    let name = format!("-{}-", context.facts().run);
    let is_nameless = |hook: &HookRequest| hook.arrived >= since && !hook.body.is_empty() && !hook.mentions(&name);
    Ok(context.hooks()?.mentioning("").into_iter().filter(is_nameless).collect())
}

/// Returns the reason why nothing is decided if a webhook about a lead may have arrived without its texts.
pub(crate) fn thin_payload() -> Halt {
    Halt::inconclusive("webhooks arrived, but none contains the e-mail address of the lead: the payload may be thin")
}

/// Captures a lead and returns the marker in its e-mail address.
pub(crate) async fn captured(context: &Context, message: &str) -> Result<String, Halt> {
    let marker = context.fresh("hook");
    capture(context, &format!("{marker}@example.com"), "Robin Hook", message).await?;
    Ok(marker)
}

/// Waits for the first webhook about a lead whose e-mail address contains `marker`.
pub(crate) async fn first_of_ordinary_lead(context: &Context, marker: &str) -> Result<HookRequest, Halt> {
    awaited(context, marker, LEAD_CAPTURED).await?.ok_or_else(|| needs(context, LEAD_SENT))
}

/// Waits for the first webhook that contains `marker`, in full of the type `kind`. A missing webhook is a finding.
pub(crate) async fn first_mention(context: &Context, marker: &str, kind: &str) -> Result<HookRequest, Halt> {
    awaited(context, marker, kind).await?.ok_or_else(|| missing_mention(context, marker))
}

async fn awaited(context: &Context, marker: &str, kind: &str) -> Result<Option<HookRequest>, Halt> {
    let (log, limit) = (context.hooks()?, context.facts().ready_within);
    // Ids of different kinds may be equal, so a webhook that contains the id elsewhere counts only if no other comes.
    let about = || arrived(context, log, marker, kind).into_iter().find(|hook| is_about(hook, kind, marker));
    let first = log.expect(limit, about, Option::is_some);
    let first = context.waiting(first).await;
    Ok(first.or_else(|| arrived(context, log, marker, kind).into_iter().next()))
}

/// Returns false if the webhook is about another article.
fn is_about(hook: &HookRequest, kind: &str, id: &str) -> bool {
    let body = hook.json().unwrap_or_default();
    let article = body["data"]["article"]["id"].as_str();
    kind != ARTICLE_PUBLISHED || body["type"] != ARTICLE_PUBLISHED || article.is_none_or(|article| article == id)
}

/// Returns the webhooks so far that contain `marker`, in full those of the type `kind`.
fn arrived(context: &Context, log: &HookLog, marker: &str, kind: &str) -> Vec<HookRequest> {
    log.mentioning(marker).into_iter().filter(|hook| may_be(context, hook, kind)).collect()
}

/// Returns true if the webhook has the type `kind`, or if the run is in core, where types have any names.
fn may_be(context: &Context, hook: &HookRequest, kind: &str) -> bool {
    context.document().profile() == Profile::Core || has_type(hook, kind)
}

fn needs(context: &Context, requirement: &str) -> Halt {
    let seconds = context.facts().ready_within.as_secs();
    Halt::inconclusive(format!("needs {requirement}: no webhook to check arrived within {seconds} s"))
}

fn missing_mention(context: &Context, marker: &str) -> Halt {
    let of_other_type = context.hooks().ok().and_then(|log| log.mentioning(marker).into_iter().next());
    let other = of_other_type.map(|hook| hook.json().unwrap_or_default()["type"].to_string());
    let other = other.map_or_else(String::new, |kind| format!(", but one of type {kind}"));
    missing(context, &format!("that mentions {marker}{other}"))
}

fn missing(context: &Context, which: &str) -> Halt {
    let expected = format!("a webhook within {} s", context.facts().ready_within.as_secs());
    // The most common mistake is a request without a body.
    let empty = context.hooks().map(HookLog::arrived_empty).unwrap_or_default();
    match empty {
        Some(hook) => Halt::fail(expected, format!("none {which}, but a {} without a body", hook.method)),
        None => Halt::fail(expected, format!("none {which}")),
    }
}

/// Publishes an article. Returns its id and the first webhook that identifies it, in the way that the set-up declares.
pub(crate) async fn article_hook(context: &Context) -> Result<(String, HookRequest), Halt> {
    published(context).await?.map_err(|_| needs(context, ARTICLE_SENT))
}

/// Does the same, but a missing webhook is a finding.
pub(crate) async fn article_hook_due(context: &Context) -> Result<(String, HookRequest), Halt> {
    published(context).await?
}

/// The outer result is that of publishing, the inner one that of waiting for the webhook.
async fn published(context: &Context) -> Result<Result<(String, HookRequest), Halt>, Halt> {
    let facts = context.facts();
    match facts.article_id_from {
        ArticleIdSource::Hook => {
            let found = announced(context, &request(context)).await?;
            Ok(found.ok_or_else(|| missing_article(context)))
        }
        ArticleIdSource::Job if facts.capabilities.contains(&Capability::JOBS) => by_job(context).await,
        ArticleIdSource::Job | ArticleIdSource::JobId => {
            let queued = Instant::now();
            let job_id = calls::queue(context, &request(context)).await?;
            match awaited(context, &job_id, ARTICLE_PUBLISHED).await? {
                Some(hook) => Ok(Ok((job_id, hook))),
                None => Ok(by_own_id(context, &job_id, queued).await),
            }
        }
    }
}

fn request(context: &Context) -> Value {
    calls::published_request(context, "Choosing a good pair of walking shoes")
}

async fn by_job(context: &Context) -> Result<Result<(String, HookRequest), Halt>, Halt> {
    let queued = Instant::now();
    let job_id = calls::queue(context, &request(context)).await?;
    let job = calls::finished(context, &job_id).await?;
    let Some(id) = demand::json(&job)?["article_id"].as_str().map(ToOwned::to_owned) else {
        return Err(Halt::inconclusive("the job did not complete"));
    };
    context.remember_id(&id);
    match awaited(context, &id, ARTICLE_PUBLISHED).await? {
        Some(hook) => Ok(Ok((id, hook))),
        None if context.document().profile() == Profile::Core => Ok(by_own_id(context, &id, queued).await),
        None => Ok(Err(missing_mention(context, &id))),
    }
}

/// Reads the article at `id`, which no webhook contains, and returns its field `id` with the webhook that contains that.
async fn by_own_id(context: &Context, id: &str, queued: Instant) -> Result<(String, HookRequest), Halt> {
    let Ok(exchange) = context.send(calls::get_article(id)).await else { return Err(unidentified()) };
    let article = exchange.json().filter(|_| exchange.succeeded()).cloned().unwrap_or_default();
    if let Some(own) = article["id"].as_str().filter(|own| !own.is_empty())
        && let Some(hook) = arrived(context, context.hooks()?, own, ARTICLE_PUBLISHED).into_iter().next()
    {
        context.remember_id(own);
        return Ok((own.to_owned(), hook));
    }
    let is_published = article["status"] == "published" || article["published_at"].is_string();
    if is_published && nameless_since(context, queued)?.is_empty() {
        return Err(missing_mention(context, id));
    }
    Err(unidentified())
}

/// The service description does not say that articles are published without a user, nor how a webhook identifies an article.
fn unidentified() -> Halt {
    Halt::inconclusive(
        "no webhook that identifies the article arrived in time; if users publish articles, publish them while the suite waits, \
         and if webhooks name them by another id, set [article] id_from = \"hook\"",
    )
}

/// Queues `body`. Returns the id at the declared pointer and the first webhook that has it there. A missing webhook is a finding: a
/// set-up with `id_from = "hook"` declares that articles are published without a user.
pub(crate) async fn by_pointer(context: &Context, body: &Value) -> Result<(String, HookRequest), Halt> {
    announced(context, body).await?.ok_or_else(|| missing_article(context))
}

fn missing_article(context: &Context) -> Halt {
    missing(context, &format!("about a further article, with an id at {}", context.facts().hook_id_pointer))
}

async fn announced(context: &Context, body: &Value) -> Result<Option<(String, HookRequest)>, Halt> {
    let pointer = context.facts().hook_id_pointer.clone();
    let log = context.hooks()?;
    let id_of = |hook: &HookRequest| match hook.json()?.pointer(&pointer)? {
        Value::String(id) if !id.is_empty() => Some(id.clone()),
        Value::Number(id) => Some(id.to_string()),
        _ => None,
    };
    let known: BTreeSet<String> = log.mentioning("").iter().filter_map(id_of).collect();
    calls::queue(context, body).await?;
    // Several cases wait at the same time, and each needs another article.
    let find = || {
        let arrived = log.mentioning("").into_iter().filter(|hook| may_be(context, hook, ARTICLE_PUBLISHED));
        let mut new = arrived.filter_map(|hook| Some((id_of(&hook)?, hook))).filter(|(id, _)| !known.contains(id));
        new.find(|(id, _)| log.claim(id))
    };
    let found = context.waiting(log.expect(context.facts().ready_within, find, Option::is_some)).await;
    if let Some((id, _)) = &found {
        context.remember_id(id);
    }
    Ok(found)
}

/// Captures a lead and returns the first webhook about it.
pub(crate) async fn some_hook(context: &Context, about: &str) -> Result<HookRequest, Halt> {
    lead_hook(context, about).await.map(|(_, hook)| hook)
}

/// Returns the webhooks at the addresses that got a webhook about a lead of this run. Anybody may send requests to the receiver.
pub(crate) fn of_run(context: &Context) -> Result<Vec<HookRequest>, Halt> {
    let name = format!("-{}-", context.facts().run);
    let all = context.hooks()?.all();
    let paths: BTreeSet<String> =
        all.iter().filter(|hook| hook.mentions(&name)).map(|hook| hook.path.clone()).collect();
    Ok(all.into_iter().filter(|hook| paths.contains(&hook.path)).collect())
}
