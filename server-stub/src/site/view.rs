//! What the templates show. Everything is escaped by them except the article's HTML, which was sanitised when it was
//! written, and its JSON-LD, which is escaped here.

use askama::Template;

use crate::app::PublishedPage;
use crate::domain::account::Website;
use crate::domain::article::Article;
use crate::domain::clock::Timestamp;

/// An article's page.
#[derive(Template)]
#[template(path = "article.html")]
pub(super) struct ArticleView<'a> {
    /// What the paths of links begin with, here and in the other views.
    pub(super) base: &'a str,
    pub(super) website: &'a Website,
    pub(super) article: &'a Article,
    pub(super) canonical: &'a str,
    pub(super) json_ld: String,
    pub(super) published: String,
    pub(super) published_exact: String,
    /// Whether this is for the dashboard: without the form, and not for search engines.
    pub(super) is_preview: bool,
}

/// A website's index.
#[derive(Template)]
#[template(path = "index.html")]
pub(super) struct IndexView<'a> {
    pub(super) base: &'a str,
    pub(super) website: &'a Website,
    pub(super) entries: Vec<Entry<'a>>,
    pub(super) older: Option<&'a str>,
}

/// One article of the index.
pub(super) struct Entry<'a> {
    pub(super) path: String,
    pub(super) title: &'a str,
    pub(super) excerpt: &'a str,
    pub(super) published: String,
    pub(super) minutes: u32,
}

/// Nothing is at this address, or it cannot be shown now.
#[derive(Template)]
#[template(path = "not_found.html")]
pub(super) struct NotFoundView<'a> {
    pub(super) base: &'a str,
    pub(super) is_gone: bool,
}

impl<'a> ArticleView<'a> {
    pub(super) fn new(website: &'a Website, article: &'a Article, base: &'a str) -> Self {
        let published_at = article.published_at.unwrap_or(article.created_at);
        Self {
            base,
            website,
            article,
            canonical: article.canonical_url.as_deref().or(article.url.as_deref()).unwrap_or_default(),
            json_ld: script_safe(&serde_json::to_string(&article.content.json_ld).unwrap_or_default()),
            published: date(published_at),
            published_exact: published_at.to_string(),
            is_preview: false,
        }
    }

    /// The same page for the dashboard.
    pub(super) fn into_preview(self) -> Self {
        Self { is_preview: true, ..self }
    }
}

impl<'a> IndexView<'a> {
    pub(super) fn new(page: &'a PublishedPage, base: &'a str) -> Self {
        let entries = page.articles.iter().map(|article| Entry {
            path: format!("/sites/{}/{}", article.website_id, article.slug),
            title: &article.title,
            excerpt: &article.excerpt,
            published: date(article.published_at.unwrap_or(article.created_at)),
            minutes: article.reading_time_minutes,
        });
        Self { base, website: &page.website, entries: entries.collect(), older: page.older.as_deref() }
    }
}

fn date(time: Timestamp) -> String {
    time.to_chrono().format("%-d %B %Y").to_string()
}

/// JSON that cannot end the script element it stands in, nor begin a comment there.
fn script_safe(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            '<' => safe.push_str("\\u003c"),
            '>' => safe.push_str("\\u003e"),
            '&' => safe.push_str("\\u0026"),
            '\u{2028}' => safe.push_str("\\u2028"),
            '\u{2029}' => safe.push_str("\\u2029"),
            plain => safe.push(plain),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn json_in_a_script_keeps_its_meaning_and_cannot_leave_the_script() {
        let value = json!({ "a": "</script><!-- &amp; \u{2028}" });
        let safe = script_safe(&value.to_string());
        assert!(!safe.contains(['<', '>', '&', '\u{2028}']));
        assert_eq!(serde_json::from_str::<Value>(&safe).unwrap(), value);
    }
}
