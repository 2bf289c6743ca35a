//! An article as text.

use contentgen_sdk::types::Article;

use crate::text::{facts, time};

/// Formats title, text, questions and URL as Markdown.
pub(super) fn markdown(article: &Article) -> String {
    let title = article.title.as_deref().unwrap_or("Untitled");
    let text = article.content_markdown.as_deref().unwrap_or_default().trim_end();
    let mut blocks = vec![format!("# {title}"), text.to_owned()];
    blocks.extend(article.faq.iter().map(|entry| format!("**{}** {}", entry.question, entry.answer)));
    blocks.extend(article.url.iter().map(|url| format!("Published at <{url}>")));
    blocks.join("\n\n") + "\n"
}

/// Formats the identifying fields of an article for people.
pub(super) fn summary(article: &Article) -> String {
    facts([
        ("id", article.id.clone()),
        ("title", article.title.clone()),
        ("status", article.status.as_ref().map(ToString::to_string)),
        ("url", article.url.clone()),
        ("language", article.language.clone()),
        ("words", article.word_count.map(|count| count.to_string())),
        ("published", article.published_at.map(time)),
        ("job", article.job_id.clone()),
    ])
}
