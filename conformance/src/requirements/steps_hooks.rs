//! Steps that the hook checks share: capture a lead or publish an article, and wait for the hook about it.
//!
//! What a hook must hold is judged in `hooks*`.

use std::collections::BTreeSet;
use std::time::Instant;

use serde_json::Value;

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::facts::ArticleIdSource;
use super::hook_log::{HookLog, HookRequest};
use super::steps;
use super::verdict::Halt;
use crate::spec::Profile;

/// Captures a lead with a marker of its own; the marker and the first hook that mentions it.
pub(super) async fn lead_hook(context: &Context, message: &str) -> Result<(String, HookRequest), Halt> {
    let marker = context.fresh("hook");
    let sent = Instant::now();
    steps::capture(context, &format!("{marker}@example.com"), "Robin Hook", message).await?;
    let hook = first_mention(context, &marker).await?;
    context.hooks()?.record_latency(hook.arrived.saturating_duration_since(sent));
    Ok((marker, hook))
}

/// The first hook that mentions `marker`, in the time that the set-up declares.
pub(super) async fn first_mention(context: &Context, marker: &str) -> Result<HookRequest, Halt> {
    let seen = context.hooks()?.wait_for(marker, context.facts().ready_within, |seen| !seen.is_empty()).await;
    seen.into_iter().next().ok_or_else(|| missing(context, &format!("that mentions {marker}")))
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

/// Publishes an article; its id and the first hook that identifies it, in the way that the set-up declares.
pub(super) async fn article_hook(context: &Context) -> Result<(String, HookRequest), Halt> {
    let facts = context.facts();
    match facts.article_id_from {
        ArticleIdSource::Hook => by_pointer(context, &request(context)).await,
        ArticleIdSource::Job if facts.capabilities.contains(&Capability::Jobs) => by_job(context).await,
        ArticleIdSource::Job | ArticleIdSource::JobId => {
            let job_id = steps::queue(context, &request(context)).await?;
            let hook = first_mention(context, &job_id).await.map_err(by_hand)?;
            Ok((job_id, hook))
        }
    }
}

fn request(context: &Context) -> Value {
    steps::published_request(context, "Choosing a good pair of walking shoes")
}

async fn by_job(context: &Context) -> Result<(String, HookRequest), Halt> {
    let job_id = steps::queue(context, &request(context)).await?;
    let job = steps::finished(context, &job_id).await?;
    let Some(id) = demand::json(&job)?["article_id"].as_str().map(ToOwned::to_owned) else {
        return Err(Halt::inconclusive("the job did not complete"));
    };
    context.goes_by(&id);
    let found = first_mention(context, &id).await;
    let hook = if context.document().profile() == Profile::Full { found? } else { found.map_err(by_hand)? };
    Ok((id, hook))
}

/// Whoever declares that ids come with the hook declares that articles are published by themselves.
pub(super) async fn by_pointer(context: &Context, body: &Value) -> Result<(String, HookRequest), Halt> {
    let pointer = context.facts().hook_id_pointer.clone();
    let log = context.hooks()?;
    let id_of = |hook: &HookRequest| match hook.json()?.pointer(&pointer)? {
        Value::String(id) if !id.is_empty() => Some(id.clone()),
        Value::Number(id) => Some(id.to_string()),
        _ => None,
    };
    let known: BTreeSet<String> = log.mentioning("").iter().filter_map(id_of).collect();
    steps::queue(context, body).await?;
    // Several cases wait at the same time: each takes an article that no other has.
    let find = || {
        let arrived = log.mentioning("").into_iter().filter_map(|hook| Some((id_of(&hook)?, hook)));
        let mut new = arrived.filter(|(id, _)| !known.contains(id));
        new.find(|(id, _)| log.claim(id))
    };
    let found = log.wait_until(context.facts().ready_within, find, Option::is_some).await;
    let found =
        found.ok_or_else(|| missing(context, &format!("about an article of its own, with an id at {pointer}")))?;
    context.goes_by(&found.0);
    Ok(found)
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
