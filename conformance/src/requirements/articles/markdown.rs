//! Markdown of an article.

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{Requirement, Verdict, demand, ensure, ensure_met, markdown};
use crate::steps::derived::derived;
use crate::steps::written::text;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        derived(
            "articles.markdown.outline",
            "outline has the levels of the headings of content_markdown, in order.",
            &[
                Sentence("`outline` lists the headings of `content_markdown`."),
                Sentence("The text as CommonMark with tables."),
                Sentence("Headings of the text, in order."),
            ],
            markdown_outline,
        ),
        text(
            "articles.markdown.plain",
            "content_markdown has no level 1 heading and no raw HTML.",
            &[Sentence("`content_markdown` has no level 1 heading and no raw HTML.")],
            markdown,
        ),
    ]
}

pub(super) fn markdown_outline(article: &Value) -> Verdict {
    let levels = markdown::heading_levels(demand::text(article, "content_markdown")?);
    let outline: Vec<Value> =
        article["outline"].as_array().into_iter().flatten().map(|entry| entry["level"].clone()).collect();
    demand::same("levels of the outline", &json!(levels), &Value::Array(outline))?;
    ensure_met(!levels.is_empty(), "the article has no heading")
}

pub(super) async fn markdown(article: Value) -> Verdict {
    let text = demand::text(&article, "content_markdown")?;
    ensure_met(!text.trim().is_empty(), "content_markdown is blank")?;
    let levels = markdown::heading_levels(text);
    ensure(!levels.contains(&1), "no level 1 heading in content_markdown", || {
        format!("headings of levels {levels:?}")
    })?;
    let raw = markdown::raw_html(text);
    ensure(raw.is_none(), "no raw HTML in content_markdown", || raw.unwrap_or_default())
}
