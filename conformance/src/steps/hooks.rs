//! Steps that the hook checks share: capture a lead or publish an article, and wait for the hook about it.
//!
//! What a hook must hold is judged in `requirements::hooks`.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::calls;
use crate::check::{ArticleIdSource, Capability, Context, Halt, demand};
use crate::inbox::{HookLog, HookRequest};
use crate::spec::Profile;

/// The requirements that are about hooks coming at all: whoever only needs one to look at is open where they fail.
const LEAD_SENT: &str = "hooks.lead.sent";
const ARTICLE_SENT: &str = "hooks.article.sent";

/// Captures an ordinary lead with a marker of its own; the marker and the first hook that mentions it.
pub(crate) async fn lead_hook(context: &Context, message: &str) -> Result<(String, HookRequest), Halt> {
    let (marker, hook) = told_of_lead(context, message).await?;
    Ok((marker, hook.ok_or_else(|| needs(context, LEAD_SENT))?))
}

/// The same for a lead whose hook is what is in question: that it does not come is a finding.
pub(crate) async fn hook_due(context: &Context, message: &str) -> Result<(String, HookRequest), Halt> {
    let (marker, hook) = told_of_lead(context, message).await?;
    let hook = hook.ok_or_else(|| missing_mention(context, &marker))?;
    Ok((marker, hook))
}

async fn told_of_lead(context: &Context, message: &str) -> Result<(String, Option<HookRequest>), Halt> {
    let sent = Instant::now();
    let marker = captured(context, message).await?;
    let hook = awaited(context, &marker).await?;
    if let Some(hook) = &hook {
        context.hooks()?.record_latency(hook.arrived.saturating_duration_since(sent));
    }
    Ok((marker, hook))
}

/// Captures a lead with a marker of its own; the marker.
pub(crate) async fn captured(context: &Context, message: &str) -> Result<String, Halt> {
    let marker = context.fresh("hook");
    calls::capture(context, &format!("{marker}@example.com"), "Robin Hook", message).await?;
    Ok(marker)
}

/// The first hook that mentions an ordinary lead by its `marker`.
pub(crate) async fn first_of_ordinary_lead(context: &Context, marker: &str) -> Result<HookRequest, Halt> {
    awaited(context, marker).await?.ok_or_else(|| needs(context, LEAD_SENT))
}

/// The first hook that mentions `marker`, which must come in the time that the set-up declares.
pub(crate) async fn first_mention(context: &Context, marker: &str) -> Result<HookRequest, Halt> {
    awaited(context, marker).await?.ok_or_else(|| missing_mention(context, marker))
}

fn missing_mention(context: &Context, marker: &str) -> Halt {
    missing(context, &format!("that mentions {marker}"))
}

async fn awaited(context: &Context, marker: &str) -> Result<Option<HookRequest>, Halt> {
    let (log, limit) = (context.hooks()?, context.facts().ready_within);
    let first = log.expect(limit, || log.mentioning(marker).into_iter().next(), Option::is_some);
    Ok(context.waiting(first).await)
}

fn needs(context: &Context, requirement: &str) -> Halt {
    let seconds = context.facts().ready_within.as_secs();
    Halt::inconclusive(format!("needs {requirement}: no hook to look at came within {seconds} s"))
}

fn missing(context: &Context, which: &str) -> Halt {
    let expected = format!("a hook within {} s", context.facts().ready_within.as_secs());
    // The commonest slip is a request that holds nothing to read.
    let empty = context.hooks().map(HookLog::arrived_empty).unwrap_or_default();
    match empty {
        Some(hook) => Halt::fail(expected, format!("none {which}, but a {} without a body", hook.method)),
        None => Halt::fail(expected, format!("none {which}")),
    }
}

/// Publishes an ordinary article; its id and the first hook that identifies it, in the way that the set-up declares.
pub(crate) async fn article_hook(context: &Context) -> Result<(String, HookRequest), Halt> {
    published(context).await?.map_err(|_| needs(context, ARTICLE_SENT))
}

/// The same where the hook is what is in question: that it does not come is a finding.
pub(crate) async fn article_hook_due(context: &Context) -> Result<(String, HookRequest), Halt> {
    published(context).await?
}

/// The outer result is that of publishing, the inner one that of waiting for the hook.
async fn published(context: &Context) -> Result<Result<(String, HookRequest), Halt>, Halt> {
    let facts = context.facts();
    match facts.article_id_from {
        ArticleIdSource::Hook => {
            let found = announced(context, &request(context)).await?;
            Ok(found.ok_or_else(|| missing_article(context)))
        }
        ArticleIdSource::Job if facts.capabilities.contains(&Capability::JOBS) => by_job(context).await,
        ArticleIdSource::Job | ArticleIdSource::JobId => {
            let job_id = calls::queue(context, &request(context)).await?;
            let hook = match first_mention(context, &job_id).await {
                Err(missing) => Err(unless_published(context, &job_id, missing).await),
                hook => hook,
            };
            Ok(hook.map(|hook| (job_id, hook)))
        }
    }
}

fn request(context: &Context) -> Value {
    calls::published_request(context, "Choosing a good pair of walking shoes")
}

async fn by_job(context: &Context) -> Result<Result<(String, HookRequest), Halt>, Halt> {
    let job_id = calls::queue(context, &request(context)).await?;
    let job = calls::finished(context, &job_id).await?;
    let Some(id) = demand::json(&job)?["article_id"].as_str().map(ToOwned::to_owned) else {
        return Err(Halt::inconclusive("the job did not complete"));
    };
    context.remember_id(&id);
    let found = first_mention(context, &id).await;
    let hook = match found {
        Err(missing) if context.document().profile() == Profile::Core => {
            Err(unless_published(context, &id, missing).await)
        }
        found => found,
    };
    Ok(hook.map(|hook| (id, hook)))
}

/// Whoever declares that ids come with the hook declares that articles are published by themselves.
pub(crate) async fn by_pointer(context: &Context, body: &Value) -> Result<(String, HookRequest), Halt> {
    announced(context, body).await?.ok_or_else(|| missing_article(context))
}

fn missing_article(context: &Context) -> Halt {
    missing(context, &format!("about an article of its own, with an id at {}", context.facts().hook_id_pointer))
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
    // Several cases wait at the same time: each takes an article that no other has.
    let find = || {
        let arrived = log.mentioning("").into_iter().filter_map(|hook| Some((id_of(&hook)?, hook)));
        let mut new = arrived.filter(|(id, _)| !known.contains(id));
        new.find(|(id, _)| log.claim(id))
    };
    let found = context.waiting(log.expect(context.facts().ready_within, find, Option::is_some)).await;
    if let Some((id, _)) = &found {
        context.remember_id(id);
    }
    Ok(found)
}

/// A hook that is missing is missing where the API says that its article is published; else that may be left to somebody.
async fn unless_published(context: &Context, id: &str, missing: Halt) -> Halt {
    let Ok(exchange) = context.send(calls::get_article(id)).await else { return by_hand(missing) };
    let article = exchange.json().filter(|_| exchange.succeeded()).cloned().unwrap_or_default();
    let is_published = article["status"] == "published" || article["published_at"].is_string();
    if is_published { missing } else { by_hand(missing) }
}

/// The service description does not say that an article is published without anybody's doing.
fn by_hand(halt: Halt) -> Halt {
    match halt {
        Halt::Fail(_) => Halt::inconclusive(
            "no hook about the article came in time; if articles are published by hand, publish them while the suite waits, \
             and if a hook names them by another id, set [article] id_from = \"hook\"",
        ),
        other => other,
    }
}

/// How long an article may need in core to become readable after the hook about it.
pub(crate) const AFTER_HOOK: Duration = Duration::from_secs(5);

/// The hook about a lead of its own.
pub(crate) async fn some_hook(context: &Context, about: &str) -> Result<HookRequest, Halt> {
    lead_hook(context, about).await.map(|(_, hook)| hook)
}
