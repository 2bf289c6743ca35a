//! Questions and answers of an article, there when they were asked for.

use serde_json::Value;

use crate::check::{Requirement, Verdict, demand, ensure};
use crate::steps::written::text;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![text("articles.faq.questions", "Every question of the FAQ ends with a question mark and has an answer.", faq)]
}

async fn faq(article: Value) -> Verdict {
    for entry in article["faq"].as_array().into_iter().flatten() {
        let question = demand::text(entry, "question")?;
        ensure(question.trim_end().ends_with('?'), "a question mark", || question.to_owned())?;
        demand::text(entry, "answer")?;
    }
    Ok(())
}
