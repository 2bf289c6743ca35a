//! What the service description promises about hooks: they come, in real time, and can be understood.
//!
//! What they hold is in `hooks_payload`, retries in `hooks_delivery`, signatures in `hooks_signature`.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::header_fields;
use super::hook_log::HookRequest;
use super::hooks_payload::shape;
use super::requirement::Requirement;
use super::steps;
use super::steps_hooks::{article_hook, article_hook_due, first_mention, hook_due, lead_hook};
use super::verdict::{Halt, Verdict, ensure};
use crate::spec::Profile;

const LEAD: &[Capability] = &[Capability::Hooks, Capability::Capture];
const ARTICLE: &[Capability] = &[Capability::Hooks];
const ARTICLE_JOBS: &[Capability] = &[Capability::Hooks, Capability::Jobs];
const SOURCE: &str = "service description, section 6";
/// What counts as at once, for a sender that may have much to do.
const IN_TIME: Duration = Duration::from_secs(10);
/// How many leads' hooks are late where all are: the first may wait for those of other checks.
const LEADS_IN_TIME: usize = 3;

/// How long an article may need in core to become readable after the hook about it.
pub(super) const AFTER_HOOK: Duration = Duration::from_secs(5);

pub(super) fn requirements() -> Vec<Requirement> {
    let all = vec![
        Requirement::must(
            "hooks.lead.sent",
            "Capturing a lead causes a request to the registered URL that contains the lead.",
            SOURCE,
            lead_sent,
        )
        .core()
        .needs(LEAD),
        Requirement::must(
            "hooks.article.sent",
            "An article that finishes publishing causes a request to the registered URL that identifies it.",
            SOURCE,
            article_sent,
        )
        .core()
        .needs(ARTICLE),
        Requirement::must(
            "hooks.request.json-post",
            "Hooks are POST requests with a JSON body, declared as application/json.",
            SOURCE,
            json_post,
        )
        .core()
        .needs(LEAD),
        Requirement::must("hooks.events.distinct", "The two kinds of events can be told apart.", SOURCE, distinct)
            .core()
            .needs(LEAD),
        Requirement::must("hooks.lead.burst", "N leads make N events, none missing.", SOURCE, burst).core().needs(LEAD),
        Requirement::must(
            "hooks.time.real",
            "Hooks are sent in real time; for a first one that is taken to mean within 10 s.",
            "service description, section 6; openapi.yaml, info.description, The model",
            real_time,
        )
        .core()
        .should()
        .needs(LEAD),
        Requirement::must(
            "hooks.article.readable",
            "When the hook arrives its article can be read through the API, published; core allows 5 s in between.",
            "openapi.yaml, x-webhooks article.published",
            article_readable,
        )
        .core()
        .needs(ARTICLE),
        Requirement::must(
            "hooks.lead.readable",
            "When the hook arrives its lead can be read through the API.",
            "openapi.yaml, x-webhooks lead.captured",
            lead_readable,
        )
        .needs(LEAD),
        Requirement::must(
            "hooks.article.not-before",
            "No article hook before publication: a finished draft sends nothing.",
            SOURCE,
            not_before,
        )
        .needs(ARTICLE_JOBS),
    ];
    all.into_iter().map(Requirement::background).collect()
}

async fn lead_sent(context: Context, _: Value) -> Verdict {
    hook_due(&context, "Please call me").await.map(|_| ())
}

async fn article_sent(context: Context, _: Value) -> Verdict {
    article_hook_due(&context).await.map(|_| ())
}

async fn json_post(context: Context, _: Value) -> Verdict {
    let (_, hook) = lead_hook(&context, "method and media type").await?;
    ensure(hook.method == "POST", "POST", || hook.method.clone())?;
    let media_type = hook.header("content-type").unwrap_or_default().to_owned();
    let is_json = header_fields::is_media_type(&media_type, "application/json");
    ensure(is_json, "Content-Type: application/json", || media_type)?;
    ensure(hook.json().is_some_and(|body| body.is_object()), "one JSON object", || demand::beginning(&hook.body))
}

/// Whatever tells the kinds apart must be the same for two leads and different for an article.
async fn distinct(context: Context, _: Value) -> Verdict {
    let (_, lead) = lead_hook(&context, "which kind").await?;
    let (_, second) = lead_hook(&context, "which kind").await?;
    let (_, article) = article_hook(&context).await?;
    let [one, two, other] = [&lead, &second, &article].map(|hook| hook.json().unwrap_or_default());
    let names = |hook: &HookRequest| -> BTreeSet<String> {
        hook.headers.keys().map(ToString::to_string).filter(|name| name != "content-length").collect()
    };
    let in_header = names(&lead).into_iter().any(|name| {
        let value = |hook: &HookRequest| hook.headers.get(name.as_str()).cloned();
        value(&lead) == value(&second) && value(&lead) != value(&article)
    });
    let in_member = one.as_object().is_some_and(|members| {
        members.keys().any(|name| !one[name].is_object() && one[name] == two[name] && one[name] != other[name])
    });
    let in_shape = shape(&one).keys().ne(shape(&other).keys());
    let told = lead.path != article.path || in_header || in_member || in_shape;
    ensure(told, "a different path, header, member or shape", || demand::brief(&one))
}

async fn burst(context: Context, _: Value) -> Verdict {
    const LEADS: usize = 20;
    let marker = context.fresh("burst");
    let emails: Vec<String> = (0..LEADS).map(|number| format!("{marker}-{number}-@example.com")).collect();
    let captures = emails.iter().map(|email| steps::capture(&context, email, "Robin Burst", "burst"));
    futures::future::try_join_all(captures).await?;
    let missing =
        |seen: &[HookRequest]| emails.iter().filter(|email| !seen.iter().any(|hook| hook.mentions(email))).count();
    let log = context.hooks()?;
    let limit = context.facts().ready_within;
    let seen = log.expect(limit, || log.mentioning(&marker), |seen| missing(seen) == 0).await;
    ensure(missing(&seen) == 0, format!("{LEADS} events for {LEADS} leads"), || format!("{} missing", missing(&seen)))
}

async fn real_time(context: Context, _: Value) -> Verdict {
    let mut waits = Vec::new();
    for _ in 0..LEADS_IN_TIME {
        let marker = context.fresh("hook");
        steps::capture(&context, &format!("{marker}@example.com"), "Robin Quick", "now").await?;
        let captured = Instant::now();
        let hook = first_mention(&context, &marker).await?;
        // The suite's own receivers may have kept the sender waiting.
        let kept_waiting = context.hooks()?.kept_waiting_since(captured, None);
        let waited = hook.arrived.saturating_duration_since(captured).saturating_sub(kept_waiting);
        if waited < IN_TIME {
            return Ok(());
        }
        waits.push(format!("{:.1} s", waited.as_secs_f64()));
    }
    Err(Halt::fail(format!("an arrival within {} s", IN_TIME.as_secs()), waits.join(", ")))
}

async fn article_readable(context: Context, _: Value) -> Verdict {
    let (id, hook) = article_hook(&context).await?;
    let deadline = hook.arrived + AFTER_HOOK;
    loop {
        let exchange = context.send(steps::get_article(&id)).await?;
        let full = context.document().profile() == Profile::Full;
        if exchange.succeeded() && !full {
            return Ok(());
        }
        if full {
            demand::status(&exchange, 200)?;
            return demand::same("status", &json!("published"), &demand::json(&exchange)?["status"]);
        }
        if Instant::now() >= deadline {
            return demand::success(&exchange);
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn lead_readable(context: Context, _: Value) -> Verdict {
    let (marker, hook) = lead_hook(&context, "readable at once").await?;
    let id = hook.json().unwrap_or_default()["data"]["lead"]["id"].as_str().unwrap_or_default().to_owned();
    let exchange = context.send(steps::get_lead(&id)).await?;
    demand::status(&exchange, 200)?;
    demand::same("email", &json!(format!("{marker}@example.com")), &demand::json(&exchange)?["email"])
}

async fn not_before(context: Context, _: Value) -> Verdict {
    let (job, _) = steps::written(&context, &steps::quiet_request(&context, "A draft that stays a draft")).await?;
    let id = demand::text(&job, "article_id")?.to_owned();
    // Once a later article's hook is here, the draft's would be too.
    article_hook(&context).await?;
    let early = context.hooks()?.mentioning(&id);
    ensure(early.is_empty(), "no hook about a draft", || demand::beginning(&early[0].body))
}
