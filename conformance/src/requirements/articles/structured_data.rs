//! Questions and answers of an article, and its structured data.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{Requirement, Source, Verdict, demand, ensure, ensure_met, html};
use crate::steps::texts::{derived, text};

/// Sentence that says which fields of the article the structured data repeats.
pub(super) const SAME_STORY: Source = Sentence(
    "`headline` is `title`, `datePublished` is `published_at`, `inLanguage` is `language`, and `mainEntity` lists the questions and answers of `faq` in their order.",
);

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        text(
            "articles.faq.questions",
            "No question and no answer of the FAQ is empty.",
            &[
                Sentence("Questions and answers on the topic."),
                Sentence("A question and its answer."),
                Part("/components/schemas/FaqEntry/properties/question/minLength"),
                Part("/components/schemas/FaqEntry/properties/answer/minLength"),
            ],
            faq,
        ),
        derived(
            "articles.faq.plain",
            "Questions and answers of the FAQ are plain text, without markup.",
            &[Sentence("The question in plain text."), Sentence("The answer in plain text.")],
            plain_faq,
        ),
        derived(
            "articles.json-ld.first-node",
            "The first node of json_ld is a BlogPosting.",
            &[Sentence("The first node is a `BlogPosting`.")],
            first_node,
        ),
        derived(
            "articles.json-ld.same-story",
            "json_ld agrees with the article: headline is the title, and the FAQPage has the questions of faq in their order.",
            &[
                Sentence("Structured data for search engines as JSON-LD with a graph."),
                SAME_STORY,
                Part("/components/schemas/ArticleSummary/properties/title/x-follows"),
            ],
            same_story,
        ),
        text(
            "articles.json-ld.graph",
            "json_ld is an object with @context and @graph. The graph has a BlogPosting, and a FAQPage exactly if the article has questions.",
            &[
                Sentence("Structured data for search engines as JSON-LD with a graph."),
                Part("/components/schemas/JsonLd/required"),
                Sentence("The first node is a `BlogPosting`."),
                Sentence("A `FAQPage` follows exactly if the article has questions."),
            ],
            json_ld,
        ),
    ]
}

async fn faq(article: Value) -> Verdict {
    let entries = article["faq"].as_array().map_or(0, Vec::len);
    ensure_met(entries > 0, "the article has no FAQ")?;
    for entry in article["faq"].as_array().into_iter().flatten() {
        demand::text(entry, "question")?;
        demand::text(entry, "answer")?;
    }
    Ok(())
}

/// Searches for tags. The topic is plain, so it contains nothing that looks like one.
fn plain_faq(article: &Value) -> Verdict {
    let has_faq = article["faq"].as_array().is_some_and(|entries| !entries.is_empty());
    ensure_met(has_faq, "the article has no FAQ")?;
    for entry in article["faq"].as_array().into_iter().flatten() {
        for field in ["question", "answer"] {
            let value = demand::text(entry, field)?;
            let tagged = html::pieces(value).iter().any(|piece| matches!(piece, html::Piece::Tag(_)));
            ensure(!tagged, format!("{field} as plain text"), || value.to_owned())?;
        }
    }
    Ok(())
}

pub(super) fn first_node(article: &Value) -> Verdict {
    demand::same("@type of the first node", &json!("BlogPosting"), &article["json_ld"]["@graph"][0]["@type"])
}

fn same_story(article: &Value) -> Verdict {
    let graph = article["json_ld"]["@graph"].as_array().cloned().unwrap_or_default();
    let node = |kind: &str| graph.iter().find(|node| node["@type"] == kind);
    let headline = node("BlogPosting").map(|node| node["headline"].clone()).unwrap_or_default();
    demand::same("headline", &article["title"], &headline)?;
    let asked: Vec<&Value> = article["faq"].as_array().into_iter().flatten().map(|entry| &entry["question"]).collect();
    let shown: Vec<&Value> = node("FAQPage").map(questions).unwrap_or_default();
    let shown: Vec<&Value> = shown.into_iter().map(|question| &question["name"]).collect();
    ensure(asked == shown, "the questions of faq in the FAQPage", || format!("{} and {}", asked.len(), shown.len()))
}

/// Returns the questions of a FAQPage. In JSON-LD, a single question may be without an array.
pub(super) fn questions(page: &Value) -> Vec<&Value> {
    match &page["mainEntity"] {
        Value::Array(questions) => questions.iter().collect(),
        Value::Null => Vec::new(),
        question => vec![question],
    }
}

pub(super) async fn json_ld(article: Value) -> Verdict {
    let graph = article["json_ld"]["@graph"].as_array().cloned().unwrap_or_default();
    ensure(!article["json_ld"]["@context"].is_null(), "@context in json_ld", || demand::brief(&article["json_ld"]))?;
    let types: Vec<&str> = graph.iter().filter_map(|node| node["@type"].as_str()).collect();
    ensure(types.contains(&"BlogPosting"), "a BlogPosting in @graph", || types.join(", "))?;
    let asks = article["faq"].as_array().is_some_and(|faq| !faq.is_empty());
    ensure(types.contains(&"FAQPage") == asks, "a FAQPage exactly if there are questions", || types.join(", "))
}
