//! A hook announces an article and does not carry it: its payload stays small, however long the article is.
//!
//! What else a hook about an article says is judged in `hooks_article`.

use serde_json::{Value, json};

use super::article_passages::{letters, passages};
use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::html;
use super::requirement::Requirement;
use super::steps;
use super::steps_hooks;
use super::verdict::{Halt, Verdict, ensure};

const ARTICLE_JOBS: &[Capability] = &[Capability::Hooks, Capability::Jobs];

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "hooks.payload.small",
            "A payload is at most 64 KiB and holds no article text, under whatever name, also of a long article.",
            "openapi.yaml, x-limits",
            small,
        )
        .needs(ARTICLE_JOBS)
        .background(),
    ]
}

async fn small(context: Context, _: Value) -> Verdict {
    let mut body = steps::published_request(&context, "Walking from hut to hut");
    body["target_word_count"] = json!(5_000);
    let (_, article) = steps::written(&context, &body).await?;
    let article = demand::json(&article)?;
    let id = demand::text(article, "id")?;
    context.goes_by(id);
    let hook = steps_hooks::first_mention(&context, id).await?;
    ensure(hook.body.len() <= 64 * 1024, "at most 64 KiB", || format!("{} bytes", hook.body.len()))?;
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
