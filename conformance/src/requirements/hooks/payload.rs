//! Contents of webhooks: an envelope, one schema for each type, no secrets, and not too much.

use serde_json::{Value, json};

use crate::check::Source::{Fact, Part, Sentence, Standard};
use crate::check::{Capability, Cases, Context, Halt, Requirement, Verdict, demand, ensure, html};
use crate::inbox::HookRequest;
use crate::spec::Profile;
use crate::steps::draws::index_of;
use crate::steps::hooks::{ARTICLE_PUBLISHED, article_hook, lead_hook};
use crate::steps::payloads::{TEXTS, is_thin, same_shape};
use crate::steps::texts::{letters, passages};
use crate::steps::{self, hooks, payloads};

const ARTICLE: &[Capability] = &[Capability::HOOKS];

const LEAD: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE];

const ARTICLE_JOBS: &[Capability] = &[Capability::HOOKS, Capability::JOBS];

const BOTH: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE, Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "hooks.payload.small",
            "The body of a webhook has at most 64 KiB. If it has neither content_markdown nor content_html, it contains no \
            text of the article, not even of a long one.",
            &[
                Part("/x-limits/hook_body"),
                Sentence("The text as CommonMark, if the endpoint asked for it."),
                Sentence("The text as HTML, if the endpoint asked for it."),
            ],
            small,
        )
        .drawn("the limit", Cases::Exactly(1), |space, _| json!(space.document().limit_number("hook_body", "maximum")))
        .needs(ARTICLE_JOBS)
        .background(),
        Requirement::new(
            "hooks.payload.schema",
            "Webhooks conform to the schemas LeadCapturedEvent and ArticlePublishedEvent, with api_version v1.",
            &[
                Part("/components/schemas/LeadCapturedEvent"),
                Part("/components/schemas/ArticlePublishedEvent"),
                Sentence("Major version of the API: `v1`."),
            ],
            payload_schema,
        )
        .needs(BOTH)
        .background(),
        Requirement::new(
            "hooks.payload.every-kind",
            "Body and headers of every webhook conform to the schemas of its type, or to HookEnvelope if the type is \
            unknown. Only addresses that got a webhook about a lead of this run count.",
            &[
                Part("/components/schemas/HookEvent"),
                Part("/components/schemas/HookEnvelope"),
                Sentence("An event of any type, also of types that a receiver does not know yet."),
                Part("/components/parameters/WebhookId/schema"),
                Part("/components/parameters/WebhookTimestamp/schema"),
                Part("/components/parameters/WebhookSignature/schema"),
            ],
            every_kind,
        )
        .needs(BOTH)
        .drawn("the types of the document", Cases::Exactly(1), |space, _| payloads::kinds(space))
        .last(),
        Requirement::new(
            "hooks.payload.thin",
            "The body of a webhook about an ordinary lead has at most 20 KiB.",
            &[Fact("6"), Part("/x-limits/hook_body_whole"), Standard("Standard Webhooks 1.0.0", "Payload size")],
            thin,
        )
        .core()
        .should()
        .needs(LEAD)
        .background(),
        Requirement::new(
            "hooks.payload.one-shape",
            "All webhooks about leads have the same schema: a field has the same type in each of them.",
            &[
                Fact("6"),
                Part("/components/schemas/LeadCapturedEvent"),
                Standard("Standard Webhooks 1.0.0", "Event types"),
            ],
            one_shape,
        )
        .core()
        .should()
        .needs(LEAD)
        .background(),
        Requirement::new(
            "hooks.payload.no-secrets",
            "No webhook contains a platform key or a secret of an endpoint. In core only the keys count.",
            &[
                Fact("2"),
                Fact("5"),
                Sentence("A key begins with a fixed prefix and is shown once."),
                Sentence("No webhook contains the secret."),
            ],
            no_secrets,
        )
        .core()
        .needs(ARTICLE)
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
    let hook = hooks::first_mention(&context, id, ARTICLE_PUBLISHED).await?;
    let limit = index_of(&limit);
    ensure(hook.body.len() <= limit, format!("at most {limit} bytes"), || format!("{} bytes", hook.body.len()))?;
    let payload = hook.json().unwrap_or_default();
    if TEXTS.iter().any(|name| payload["data"][*name].is_string()) {
        return Err(Halt::inconclusive(
            "the endpoint gets the text of articles, as a user can choose in the dashboard",
        ));
    }
    let passages = passages(article);
    if passages.is_empty() {
        return Err(Halt::inconclusive("the article has no passage that differs from its summary"));
    }
    let copied = copied(&payload, "", &passages);
    ensure(copied.is_none(), "no text of the article in the payload", || copied.unwrap_or_default())
}

/// Returns the place in a payload that contains a whole passage.
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
    fits(&context, &lead, "LeadCapturedEvent")?;
    let (id, article) = article_hook(&context).await?;
    fits(&context, &article, "ArticlePublishedEvent")?;
    let body = article.json().unwrap_or_default();
    let found = body.pointer(&context.facts().hook_id_pointer).cloned().unwrap_or_default();
    demand::same("the article's id", &json!(id), &found)
}

/// Demands that the body of a webhook fits a schema of version 1.
fn fits(context: &Context, hook: &HookRequest, schema: &str) -> Verdict {
    let body = hook.json().unwrap_or_default();
    demand::same("api_version", &json!("v1"), &body["api_version"])?;
    demand::schema(context, &body, schema)
}

async fn every_kind(context: Context, kinds: Value) -> Verdict {
    // Cause one webhook of each usual type, in case this requirement runs alone.
    lead_hook(&context, "every kind").await?;
    article_hook(&context).await?;
    hooks::of_run(&context)?.iter().try_for_each(|hook| payloads::fits_kind(context.document(), &kinds, hook))
}

async fn no_secrets(context: Context, _: Value) -> Verdict {
    article_hook(&context).await?;
    let log = context.hooks()?;
    let own = log.secret();
    // In core a service may prove the origin of a webhook by the secret itself.
    let is_core = context.document().profile() == Profile::Core;
    let known = context.facts().secrets.values().iter().cloned().chain(own.clone());
    for secret in known.filter(|known| !is_core || own.as_ref() != Some(known)) {
        let leak = log.all().into_iter().find(|hook| {
            hook.mentions(&secret)
                || hook.headers.values().any(|value| String::from_utf8_lossy(value.as_bytes()).contains(&secret))
        });
        ensure(leak.is_none(), "no key and no secret in a webhook", || "one of them".to_owned())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{copied, passages};

    #[test]
    fn a_passage_is_found_as_markdown_and_as_html_and_a_summary_is_none() {
        let passage = "You walk for six hours, rest where there is *water*, and ask the warden about the weather before it is dark.";
        let excerpt = "The first lines of a text often sum it up, and a webhook may repeat them, because an excerpt is no whole text.";
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
