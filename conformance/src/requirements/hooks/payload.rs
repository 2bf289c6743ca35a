//! What hooks hold: an envelope, one shape for each kind, no secrets, not too much.

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Halt, Requirement, Verdict, demand, ensure, html};
use crate::steps::draws::index_of;
use crate::steps::hooks::{article_hook, lead_hook, some_hook};
use crate::steps::passages::{letters, passages};
use crate::steps::payloads::{is_thin, same_shape};
use crate::steps::{self, hooks, kinds};

const SIGNED: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE, Capability::STANDARD_WEBHOOKS];

const SOURCE: &str = "service description, section 6";

const ARTICLE: &[Capability] = &[Capability::HOOKS];

const LEAD: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE];

const ARTICLE_JOBS: &[Capability] = &[Capability::HOOKS, Capability::JOBS];

const BOTH: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE, Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "hooks.payload.small",
            "The payload of a hook has at most 64 KiB and holds no text of the article, even of a long one.",
            "openapi.yaml, x-limits",
            small,
        )
        .drawn("the limit", Cases::Exactly(1), |space, _| json!(space.document().limit_number("hook_body", "maximum")))
        .needs(ARTICLE_JOBS)
        .background(),
        Requirement::must(
            "hooks.payload.schema",
            "The payloads keep the schemas LeadCapturedEvent and ArticlePublishedEvent, with api_version v1.",
            "openapi.yaml, x-webhooks",
            payload_schema,
        )
        .needs(BOTH)
        .background(),
        Requirement::must(
            "hooks.payload.every-kind",
            "Every hook that comes keeps the schema of its type, in its body and in its headers; one of an unknown type keeps HookEnvelope.",
            "openapi.yaml, x-webhooks",
            every_kind,
        )
        .needs(BOTH)
        .drawn("the kinds of the document", Cases::Exactly(1), |space, _| kinds::of(space))
        .last(),
        Requirement::must(
            "hooks.payload.thin",
            "The payload of a hook about an ordinary lead has at most 20 kB.",
            "Standard Webhooks 1.0.0, Payload size",
            thin,
        )
        .core()
        .should()
        .needs(LEAD)
        .background(),
        Requirement::must(
            "hooks.payload.one-shape",
            "All hooks about leads have the same schema: a member keeps its type from event to event.",
            SOURCE,
            one_shape,
        )
        .core()
        .needs(LEAD)
        .background(),
        Requirement::must(
            "hooks.payload.no-secrets",
            "No hook contains an API key or a hook secret.",
            SOURCE,
            no_secrets,
        )
        .core()
        .needs(ARTICLE)
        .background(),
        Requirement::must(
            "hooks.payload.envelope",
            "The payload of a hook has type, timestamp and data; type is a dotted name.",
            "Standard Webhooks 1.0.0, Payload structure",
            envelope,
        )
        .should()
        .needs(SIGNED)
        .background(),
    ]
}

async fn small(context: Context, limit: Value) -> Verdict {
    let mut body = steps::published_request(&context, "Walking from hut to hut");
    body["target_word_count"] = json!(5_000);
    let (_, article) = steps::written(&context, &body).await?;
    let article = demand::json(&article)?;
    let id = demand::text(article, "id")?;
    context.remember_id(id);
    let hook = hooks::first_mention(&context, id).await?;
    let limit = index_of(&limit);
    ensure(hook.body.len() <= limit, format!("at most {limit} bytes"), || format!("{} bytes", hook.body.len()))?;
    let passages = passages(article);
    if passages.is_empty() {
        return Err(Halt::inconclusive("the article has no passage that could be told from a summary"));
    }
    let payload = hook.json().unwrap_or_default();
    let copied = copied(&payload, "", &passages);
    ensure(copied.is_none(), "no text of the article in the payload", || copied.unwrap_or_default())
}

/// Where in a payload a passage stands, whole.
fn copied(value: &Value, at: &str, passages: &[String]) -> Option<String> {
    match value {
        Value::String(text) => {
            let written = [letters(text), letters(&html::text(text))];
            let stands = passages.iter().any(|passage| written.iter().any(|text| text.contains(passage)));
            stands.then(|| format!("{} letters of it at {at}", text.chars().count()))
        }
        Value::Array(items) => {
            items.iter().enumerate().find_map(|(index, item)| copied(item, &format!("{at}/{index}"), passages))
        }
        Value::Object(members) => {
            members.iter().find_map(|(name, member)| copied(member, &format!("{at}/{name}"), passages))
        }
        _ => None,
    }
}

async fn one_shape(context: Context, _: Value) -> Verdict {
    let mut hooks = Vec::new();
    for message in ["first", "second \u{e9}", "0"] {
        hooks.push(lead_hook(&context, message).await?.1);
    }
    same_shape(&hooks)
}

async fn thin(context: Context, _: Value) -> Verdict {
    is_thin(&lead_hook(&context, "an ordinary message").await?.1)
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

async fn every_kind(context: Context, kinds: Value) -> Verdict {
    // One of each of the usual kinds, for when it runs alone.
    lead_hook(&context, "every kind").await?;
    article_hook(&context).await?;
    context.hooks()?.all().iter().try_for_each(|hook| kinds::kept(context.document(), &kinds, hook))
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

async fn envelope(context: Context, _: Value) -> Verdict {
    let hook = some_hook(&context, "envelope").await?;
    let body = hook.json().unwrap_or_default();
    let dotted = body["type"].as_str().is_some_and(|kind| {
        kind.contains('.') && kind.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_'))
    });
    let time = body["timestamp"].as_str().is_some_and(|text| chrono::DateTime::parse_from_rfc3339(text).is_ok());
    ensure(dotted && time && body["data"].is_object(), "type, timestamp and data", || demand::brief(&body))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{copied, passages};

    #[test]
    fn a_passage_is_found_as_markdown_and_as_html_and_a_summary_is_none() {
        let passage = "You walk for six hours, rest where there is *water*, and ask the warden about the weather before it is dark.";
        let excerpt =
            "The first lines of a text are often what sums it up, and nobody minds that they are told again in a hook.";
        let article = json!({ "excerpt": excerpt, "content_markdown": format!("## Huts\n\n{excerpt}\n\n{passage}\n") });
        let passages = passages(&article);
        assert_eq!(passages.len(), 1);
        let told = json!({ "data": { "article": { "excerpt": excerpt, "word_count": 40 } } });
        assert_eq!(copied(&told, "", &passages), None);
        for body in [passage.to_owned(), format!("<p>{}</p>", passage.replace("*water*", "<em>water</em>"))] {
            assert!(copied(&json!({ "data": [body] }), "", &passages).is_some_and(|found| found.ends_with("/data/0")));
        }
    }
}
