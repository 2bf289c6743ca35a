//! Questions and answers of an article, there when they were asked for.

use serde_json::Value;

use crate::check::{Requirement, Verdict, demand, ensure, ensure_met, html};
use crate::steps::derived::derived;
use crate::steps::written::text;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        text("articles.faq.questions", "Every question of the FAQ ends with a question mark and has an answer.", faq),
        derived("articles.faq.plain", "Questions and answers of the FAQ are plain text, without markup.", plain),
    ]
}

async fn faq(article: Value) -> Verdict {
    let entries = article["faq"].as_array().map_or(0, Vec::len);
    ensure_met(entries > 0, "the article has no FAQ")?;
    for entry in article["faq"].as_array().into_iter().flatten() {
        let question = demand::text(entry, "question")?;
        ensure(question.trim_end().ends_with('?'), "a question mark", || question.to_owned())?;
        demand::text(entry, "answer")?;
    }
    Ok(())
}

/// The topic is a plain one, so that nothing in it looks like a tag.
fn plain(article: &Value) -> Verdict {
    let has_faq = article["faq"].as_array().is_some_and(|entries| !entries.is_empty());
    ensure_met(has_faq, "the article has no FAQ")?;
    for entry in article["faq"].as_array().into_iter().flatten() {
        for member in ["question", "answer"] {
            let value = demand::text(entry, member)?;
            let tagged = html::pieces(value).iter().any(|piece| matches!(piece, html::Piece::Tag(_)));
            ensure(!tagged, format!("{member} as plain text"), || value.to_owned())?;
        }
    }
    Ok(())
}
