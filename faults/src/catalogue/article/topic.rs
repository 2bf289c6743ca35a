//! Faults in the use of a topic.

use super::super::fault::{Fault, fault};
use super::records::{edit_article, edit_articles, edit_text};
use crate::memory::Memory;
use crate::message::{Operation, Request, Response};

pub(super) const FAULTS: &[Fault] = &[
    fault("article.title-tagged", "The server keeps markup of the topic in the title.", &["articles.text.lengths"])
        .response(|response, request, _| {
            edit_articles(response, request, |article| {
                edit_text(article, "title", |title| format!("<strong>{title}</strong>"));
            });
        }),
    fault(
        "article.topic-unescaped",
        "The server does not escape the topic in HTML.",
        &["articles.html.hostile-topics"],
    )
    .response(|response, request, _| {
        edit_article(response, request, |article| {
            let topic = article["topic"].as_str().unwrap_or_default().to_owned();
            edit_text(article, "content_html", |html| format!("<p>{topic}</p>{html}"));
        });
    }),
    fault("article.topic-escaped", "The server stores the topic escaped for HTML.", &["articles.html.hostile-topics"])
        .response(|response, request, _| {
            edit_article(response, request, |article| {
                edit_text(article, "topic", |topic| {
                    topic.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
                });
            });
        }),
    fault(
        "article.topic-computed",
        "The server evaluates template expressions in the topic.",
        &["articles.html.hostile-topics"],
    )
    .response(topic_computed),
];

/// A page of articles may lack topics. Use the topic read before, or leave the article unchanged.
fn topic_computed(response: &mut Response, request: &Request, memory: &Memory) {
    edit_articles(response, request, |article| {
        let id = article["id"].as_str().unwrap_or_default();
        let read = memory.world.record(Operation::GetArticle, id).unwrap_or_default();
        let Some(product) = read["topic"].as_str().and_then(computed) else { return };
        edit_text(article, "title", |title| format!("{product} {title}").chars().take(110).collect());
    });
}

/// Evaluates the first `{{a*b}}` like a template engine.
fn computed(topic: &str) -> Option<u64> {
    let (_, rest) = topic.split_once("{{")?;
    let (expression, _) = rest.split_once("}}")?;
    let (left, right) = expression.split_once('*')?;
    left.trim().parse::<u64>().ok()?.checked_mul(right.trim().parse().ok()?)
}

#[cfg(test)]
mod tests {
    #[test]
    fn products_are_computed() {
        assert_eq!(super::computed("a {{ 7*7 }} b"), Some(49));
        assert_eq!(super::computed("a {{b}} c"), None);
    }
}
