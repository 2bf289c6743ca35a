//! What the service description promises about hooks: they come, in real time, and can be understood.
//!
//! Retries are in `hooks_delivery`, signatures in `hooks_signature`.

use std::time::Duration;

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::exchange::Request;
use super::hook_log::HookRequest;
use super::requirement::Requirement;
use super::steps;
use super::verdict::{Halt, Verdict, ensure};
use crate::spec::Profile;

const LEAD: &[Capability] = &[Capability::Hooks, Capability::Capture];
const ARTICLE: &[Capability] = &[Capability::Hooks];
const ARTICLE_JOBS: &[Capability] = &[Capability::Hooks, Capability::Jobs];
const BOTH: &[Capability] = &[Capability::Hooks, Capability::Capture, Capability::Jobs];
const SOURCE: &str = "service description, section 6";

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
        .needs(ARTICLE_JOBS),
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
            .needs(BOTH),
        Requirement::must(
            "hooks.lead.text-survives",
            "Non-ASCII text, emoji, quotes and long text arrive as they were captured.",
            SOURCE,
            text_survives,
        )
        .core()
        .needs(LEAD),
        Requirement::must("hooks.lead.burst", "N leads make N events, none missing.", SOURCE, burst).core().needs(LEAD),
        Requirement::must(
            "hooks.time.real",
            "Hooks are sent in real time: the first arrives within 10 s.",
            SOURCE,
            real_time,
        )
        .core()
        .should()
        .needs(LEAD),
        Requirement::must(
            "hooks.article.readable",
            "When the hook arrives its article can be read through the API, published.",
            "openapi.yaml, x-webhooks article.published",
            article_readable,
        )
        .core()
        .needs(ARTICLE_JOBS),
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
        Requirement::must(
            "hooks.payload.schema",
            "The payloads keep the schemas LeadCapturedEvent and ArticlePublishedEvent, with api_version v1.",
            "openapi.yaml, x-webhooks",
            payload_schema,
        )
        .needs(BOTH),
        Requirement::must(
            "hooks.payload.small",
            "A payload is at most 64 KiB and holds no article text.",
            "openapi.yaml, x-limits",
            payload_small,
        )
        .needs(ARTICLE_JOBS),
        Requirement::must("hooks.payload.no-secrets", "Neither keys nor secrets show in a hook.", SOURCE, no_secrets)
            .core()
            .needs(ARTICLE),
    ];
    all.into_iter().map(Requirement::background).collect()
}

/// Captures a lead with a marker of its own; the marker and the first hook that mentions it.
pub(super) async fn lead_hook(context: &Context, message: &str) -> Result<(String, HookRequest), Halt> {
    let marker = context.fresh("hook");
    steps::capture(context, &format!("{marker}@example.com"), "Robin Hook", message).await?;
    let hook = first_mention(context, &marker).await?;
    Ok((marker, hook))
}

pub(super) async fn first_mention(context: &Context, marker: &str) -> Result<HookRequest, Halt> {
    let seen = context.hooks()?.wait_for(marker, context.facts().ready_within, |seen| !seen.is_empty()).await;
    seen.into_iter().next().ok_or_else(|| {
        Halt::fail(
            format!("a hook within {} s", context.facts().ready_within.as_secs()),
            format!("none that mentions {marker}"),
        )
    })
}

/// Publishes an article; its id and the first hook that mentions it.
async fn article_hook(context: &Context) -> Result<(String, HookRequest), Halt> {
    let body = steps::published_request(context, "Choosing a good pair of walking shoes");
    let job_id = steps::queue(context, &body).await?;
    let job = steps::finished(context, &job_id).await?;
    let Some(id) = demand::json(&job)?["article_id"].as_str().map(ToOwned::to_owned) else {
        return Err(Halt::inconclusive("the job did not complete"));
    };
    let hook = first_mention(context, &id).await?;
    Ok((id, hook))
}

async fn lead_sent(context: Context, _: Value) -> Verdict {
    lead_hook(&context, "Please call me").await.map(|_| ())
}

async fn article_sent(context: Context, _: Value) -> Verdict {
    article_hook(&context).await.map(|_| ())
}

async fn json_post(context: Context, _: Value) -> Verdict {
    let (_, hook) = lead_hook(&context, "method and media type").await?;
    ensure(hook.method == "POST", "POST", || hook.method.clone())?;
    let media_type = hook.header("content-type").unwrap_or_default().to_owned();
    let is_json = media_type.split(';').next().is_some_and(|name| name.trim().eq_ignore_ascii_case("application/json"));
    ensure(is_json, "Content-Type: application/json", || media_type)?;
    ensure(hook.json().is_some_and(|body| body.is_object()), "one JSON object", || {
        String::from_utf8_lossy(&hook.body).chars().take(120).collect()
    })
}

async fn distinct(context: Context, _: Value) -> Verdict {
    let (_, lead) = lead_hook(&context, "which kind").await?;
    let (_, article) = article_hook(&context).await?;
    let (first, second) = (lead.json().unwrap_or_default(), article.json().unwrap_or_default());
    let names = |value: &Value| value.as_object().map(|members| members.keys().cloned().collect::<Vec<_>>());
    let told = lead.path != article.path
        || names(&first) != names(&second)
        || first["type"] != second["type"]
        || first["event"] != second["event"];
    ensure(told, "a different path, type or shape", || demand::brief(&first))
}

async fn text_survives(context: Context, _: Value) -> Verdict {
    let long = "lorem ".repeat(700);
    let message = format!(
        "\"quoted\" 'single' \\ back\u{1f469}\u{200d}\u{1f4bb} \u{5e9}\u{5dc}\u{5d5}\u{5dd} e\u{301} {long}end"
    );
    let (_, hook) = lead_hook(&context, &message).await?;
    let body = hook.json().unwrap_or_default();
    ensure(holds(&body, &message), "the message as it was captured, somewhere in the payload", || demand::brief(&body))
}

/// Whether any text of `value` is `text`.
fn holds(value: &Value, text: &str) -> bool {
    match value {
        Value::String(found) => found == text,
        Value::Array(items) => items.iter().any(|item| holds(item, text)),
        Value::Object(members) => members.values().any(|member| holds(member, text)),
        _ => false,
    }
}

async fn burst(context: Context, _: Value) -> Verdict {
    const LEADS: usize = 20;
    let marker = context.fresh("burst");
    let emails: Vec<String> = (0..LEADS).map(|number| format!("{marker}-{number}-@example.com")).collect();
    let captures = emails.iter().map(|email| steps::capture(&context, email, "Robin Burst", "burst"));
    futures::future::try_join_all(captures).await?;
    let missing =
        |seen: &[HookRequest]| emails.iter().filter(|email| !seen.iter().any(|hook| hook.mentions(email))).count();
    let seen = context.hooks()?.wait_for(&marker, context.facts().ready_within, |seen| missing(seen) == 0).await;
    ensure(missing(&seen) == 0, format!("{LEADS} events for {LEADS} leads"), || format!("{} missing", missing(&seen)))
}

async fn real_time(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("hook");
    steps::capture(&context, &format!("{marker}@example.com"), "Robin Quick", "now").await?;
    let captured = std::time::Instant::now();
    let hook = first_mention(&context, &marker).await?;
    let waited = hook.arrived.saturating_duration_since(captured);
    ensure(waited < Duration::from_secs(10), "an arrival within 10 s", || format!("{:.1} s", waited.as_secs_f64()))
}

async fn article_readable(context: Context, _: Value) -> Verdict {
    let (id, hook) = article_hook(&context).await?;
    // Core allows a few seconds between the hook and the API.
    let deadline = hook.arrived + Duration::from_secs(5);
    loop {
        let exchange = context.send(steps::get_article(&id)).await?;
        let full = context.document().profile() == Profile::Full;
        if exchange.status == 200 && !full {
            return Ok(());
        }
        if full {
            demand::status(&exchange, 200)?;
            return demand::same("status", &json!("published"), &demand::json(&exchange)?["status"]);
        }
        if std::time::Instant::now() >= deadline {
            return demand::status(&exchange, 200);
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn lead_readable(context: Context, _: Value) -> Verdict {
    let (marker, hook) = lead_hook(&context, "readable at once").await?;
    let id = hook.json().unwrap_or_default()["data"]["lead"]["id"].as_str().unwrap_or_default().to_owned();
    let exchange = context.send(Request::new("get_lead", "GET", &format!("/leads/{id}"))).await?;
    demand::status(&exchange, 200)?;
    demand::same("email", &json!(format!("{marker}@example.com")), &demand::json(&exchange)?["email"])
}

async fn not_before(context: Context, _: Value) -> Verdict {
    let (job, _) = steps::written(&context, &steps::quiet_request(&context, "A draft that stays a draft")).await?;
    let id = demand::text(&job, "article_id")?.to_owned();
    // Once a later article's hook is here, the draft's would be too.
    article_hook(&context).await?;
    let early = context.hooks()?.mentioning(&id);
    ensure(early.is_empty(), "no hook about a draft", || {
        String::from_utf8_lossy(&early[0].body).chars().take(160).collect()
    })
}

async fn payload_schema(context: Context, _: Value) -> Verdict {
    let (_, lead) = lead_hook(&context, "schema").await?;
    let (id, article) = article_hook(&context).await?;
    for (hook, kind, schema) in
        [(&lead, "lead.captured", "LeadCapturedEvent"), (&article, "article.published", "ArticlePublishedEvent")]
    {
        let body = hook.json().unwrap_or_default();
        demand::same("type", &json!(kind), &body["type"])?;
        demand::same("api_version", &json!("v1"), &body["api_version"])?;
        demand::schema(&context, &body, schema)?;
    }
    let body = article.json().unwrap_or_default();
    let found = body.pointer(&context.facts().hook_id_pointer).cloned().unwrap_or_default();
    demand::same("the article's id", &json!(id), &found)
}

async fn payload_small(context: Context, _: Value) -> Verdict {
    let (_, hook) = article_hook(&context).await?;
    ensure(hook.body.len() <= 64 * 1024, "at most 64 KiB", || format!("{} bytes", hook.body.len()))?;
    ensure(!hook.mentions("content_html"), "no article text", || "content_html".to_owned())
}

async fn no_secrets(context: Context, _: Value) -> Verdict {
    article_hook(&context).await?;
    let log = context.hooks()?;
    let secrets = context.facts().secrets.values().iter().cloned().chain(log.secret());
    for secret in secrets {
        let leak = log.all().into_iter().find(|hook| {
            hook.mentions(&secret)
                || hook.headers.values().any(|value| String::from_utf8_lossy(value.as_bytes()).contains(&secret))
        });
        ensure(leak.is_none(), "no key and no secret in a hook", || "one of them".to_owned())?;
    }
    Ok(())
}
