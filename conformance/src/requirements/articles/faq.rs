//! Questions and answers of an article.

use serde_json::Value;

use crate::check::Source::{Part, Sentence};
use crate::check::{Requirement, Verdict, demand, ensure, ensure_met, html};
use crate::steps::derived::derived;
use crate::steps::written::text;

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
            plain,
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
fn plain(article: &Value) -> Verdict {
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
