//! What hooks hold: the lead as it was captured, one shape for each kind, no secrets, not too much.
//!
//! That they come at all is judged in `hooks`, how they are signed in `hooks_signature`,
//! that they hold no article's text in `hooks_article_text`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::difference;
use super::hook_log::HookRequest;
use super::requirement::Requirement;
use super::steps_hooks::{article_hook, hook_due, lead_hook};
use super::verdict::{Verdict, ensure};

const LEAD: &[Capability] = &[Capability::Hooks, Capability::Capture];
const ARTICLE: &[Capability] = &[Capability::Hooks];
const BOTH: &[Capability] = &[Capability::Hooks, Capability::Capture, Capability::Jobs];
const SOURCE: &str = "service description, section 6";

/// Larger payloads are discouraged: receivers cut them, and a fresh copy is one request away.
const THIN: usize = 20 * 1024;

pub(super) fn requirements() -> Vec<Requirement> {
    let all = vec![
        Requirement::must(
            "hooks.lead.text-survives",
            "Non-ASCII text, emoji, quotes and long text arrive as they were captured.",
            SOURCE,
            text_survives,
        )
        .core()
        .needs(LEAD),
        Requirement::must(
            "hooks.payload.schema",
            "The payloads keep the schemas LeadCapturedEvent and ArticlePublishedEvent, with api_version v1.",
            "openapi.yaml, x-webhooks",
            payload_schema,
        )
        .needs(BOTH),
        Requirement::must(
            "hooks.payload.thin",
            "A payload of an ordinary event is at most 20 kB.",
            "Standard Webhooks 1.0.0, Payload size",
            thin,
        )
        .core()
        .should()
        .needs(LEAD),
        Requirement::must(
            "hooks.payload.one-shape",
            "Payloads of one kind share one schema: a member keeps its type from event to event.",
            SOURCE,
            one_shape,
        )
        .core()
        .needs(LEAD),
        Requirement::must(
            "hooks.article.thin",
            "The payload about an article is at most 20 kB.",
            "Standard Webhooks 1.0.0, Payload size",
            article_thin,
        )
        .core()
        .should()
        .needs(ARTICLE),
        Requirement::must(
            "hooks.article.one-shape",
            "Payloads about articles share one schema: a member keeps its type from article to article.",
            SOURCE,
            articles_of_one_shape,
        )
        .core()
        .needs(ARTICLE),
        Requirement::must("hooks.payload.no-secrets", "Neither keys nor secrets show in a hook.", SOURCE, no_secrets)
            .core()
            .needs(ARTICLE),
        Requirement::must(
            "hooks.request.authentic",
            "A receiver can tell a real hook from a forged one: by a signature, a token or credentials in a header.",
            "OWASP API Security Top 10, API2:2023",
            authentic,
        )
        .core()
        .should()
        .needs(LEAD),
    ];
    all.into_iter().map(Requirement::background).collect()
}

/// Every member below `value` with the name of its type; items of lists are one member, absent and null are the same.
pub(super) fn shape(value: &Value) -> BTreeMap<String, &'static str> {
    fn walk(value: &Value, at: &str, found: &mut BTreeMap<String, &'static str>) {
        let name = match value {
            Value::Null => return,
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(items) => {
                for item in items {
                    walk(item, &format!("{at}/*"), found);
                }
                "array"
            }
            Value::Object(members) => {
                for (name, member) in members {
                    walk(member, &format!("{at}/{name}"), found);
                }
                "object"
            }
        };
        found.insert(at.to_owned(), name);
    }
    let mut found = BTreeMap::new();
    walk(value, "", &mut found);
    found
}

async fn one_shape(context: Context, _: Value) -> Verdict {
    let mut hooks = Vec::new();
    for message in ["first", "second \u{e9}", "0"] {
        hooks.push(lead_hook(&context, message).await?.1);
    }
    same_shape(&hooks)
}

async fn articles_of_one_shape(context: Context, _: Value) -> Verdict {
    let (first, second) = futures::future::try_join(article_hook(&context), article_hook(&context)).await?;
    same_shape(&[first.1, second.1])
}

fn same_shape(hooks: &[HookRequest]) -> Verdict {
    let mut known: BTreeMap<String, &'static str> = BTreeMap::new();
    for hook in hooks {
        for (member, name) in shape(&hook.json().unwrap_or_default()) {
            let before = *known.entry(member.clone()).or_insert(name);
            ensure(before == name, format!("{member} to be a {before} in every event"), || format!("a {name}"))?;
        }
    }
    Ok(())
}

async fn thin(context: Context, _: Value) -> Verdict {
    is_thin(&lead_hook(&context, "an ordinary message").await?.1)
}

async fn article_thin(context: Context, _: Value) -> Verdict {
    is_thin(&article_hook(&context).await?.1)
}

fn is_thin(hook: &HookRequest) -> Verdict {
    ensure(hook.body.len() <= THIN, "at most 20 kB", || format!("{} bytes", hook.body.len()))
}

async fn authentic(context: Context, _: Value) -> Verdict {
    const NAMES: [&str; 6] = ["signature", "authorization", "token", "hmac", "secret", "digest"];
    let (_, hook) = lead_hook(&context, "who sent this").await?;
    let has = hook.headers.keys().any(|header| NAMES.iter().any(|name| header.as_str().contains(name)));
    ensure(has, "a header with a signature, a token or credentials", || {
        hook.headers.keys().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    })
}

async fn text_survives(context: Context, _: Value) -> Verdict {
    let long = "lorem ".repeat(700);
    let message = format!(
        "\"quoted\" 'single' \\ back\u{1f469}\u{200d}\u{1f4bb} \u{5e9}\u{5dc}\u{5d5}\u{5dd} e\u{301} {long}end"
    );
    let (_, hook) = hook_due(&context, &message).await?;
    let body = hook.json().unwrap_or_default();
    let (place, nearest) = nearest(&body, &message);
    ensure(
        nearest == message,
        "the message as it was captured, somewhere in the payload",
        || match difference::of_texts(&message, nearest) {
            Some(told) if alike(nearest, &message) > 0 => format!("the text at {place} differs {told}"),
            _ => demand::brief(&body),
        },
    )
}

/// How many characters two texts share at their beginnings and ends.
fn alike(one: &str, other: &str) -> usize {
    let begin = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let end = one.chars().rev().zip(other.chars().rev()).take_while(|(one, other)| one == other).count();
    begin + end
}

/// The text of `value` that is most like `text`, with the JSON Pointer to it.
fn nearest<'value>(value: &'value Value, text: &str) -> (String, &'value str) {
    let further = |name: &str, below: &'value Value| {
        let (place, found) = nearest(below, text);
        (format!("/{}{place}", name.replace('~', "~0").replace('/', "~1")), found)
    };
    let found: Vec<(String, &str)> = match value {
        Value::String(found) => return (String::new(), found),
        Value::Array(items) => items.iter().enumerate().map(|(at, item)| further(&at.to_string(), item)).collect(),
        Value::Object(members) => members.iter().map(|(name, member)| further(name, member)).collect(),
        _ => Vec::new(),
    };
    found.into_iter().max_by_key(|(_, found)| (*found == text, alike(found, text))).unwrap_or_default()
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
