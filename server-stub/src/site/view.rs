//! Views for the templates. The templates escape all values, with two exceptions: the article's HTML was sanitised when it was
//! written, and `structured_data` escapes its own output.

use askama::Template;

use super::structured_data;
use crate::app::PublishedPage;
use crate::domain::account::{Website, WebsiteStatus};
use crate::domain::article::{Article, ArticleSummary, hosted_path};
use crate::domain::clock::Timestamp;
use crate::domain::public_url::PublicUrl;
use crate::domain::voice::is_english;
use crate::domain::writing_direction::direction;
use crate::domain::written_article::HeroImage;

/// Values that all pages of a website share.
pub(super) struct Frame<'a> {
    /// Prefix of all link paths.
    pub(super) base: &'a str,
    pub(super) website: &'a Website,
    /// Language of the page's content.
    pub(super) language: &'a str,
    pub(super) direction: &'static str,
    /// HTML attributes for the page's English labels; empty if the page itself is in English.
    pub(super) english: &'static str,
    /// Path of the website's list of articles.
    pub(super) index_path: String,
}

impl<'a> Frame<'a> {
    fn new(website: &'a Website, language: &'a str, public_url: &'a PublicUrl) -> Self {
        Self {
            base: public_url.path(),
            website,
            language,
            direction: direction(language),
            english: if is_english(language) { "" } else { r#" lang="en" dir="ltr""# },
            index_path: public_url.reference(&index_path(website)),
        }
    }
}

/// Returns the path of a website's list of articles.
pub(super) fn index_path(website: &Website) -> String {
    format!("/sites/{}", website.website_id)
}

/// Returns the address of an article in the list: its published address, or its page on the hosted site.
pub(super) fn address(article: &ArticleSummary, public_url: &PublicUrl) -> String {
    match &article.url {
        Some(url) if !article.is_hosted() => url.clone(),
        _ => public_url.absolute(&article.hosted_path()),
    }
}

/// Page of an article.
#[derive(Template)]
#[template(path = "article.html")]
pub(super) struct ArticleView<'a> {
    pub(super) frame: Frame<'a>,
    pub(super) article: &'a Article,
    /// Canonical address for search engines.
    pub(super) canonical: String,
    pub(super) locale: Option<String>,
    /// Picture of the article, if it has an address.
    pub(super) image: Option<Image<'a>>,
    pub(super) structured_data: String,
    pub(super) published: String,
    pub(super) published_at: Timestamp,
    pub(super) modified_at: Timestamp,
    /// Text direction of the consent text, which is in the website's language.
    pub(super) consent_direction: &'static str,
    /// True for a preview in the dashboard: without the form, and hidden from search engines.
    pub(super) is_preview: bool,
}

/// Picture with an address.
pub(super) struct Image<'a> {
    pub(super) url: &'a str,
    pub(super) hero: &'a HeroImage,
}

impl<'a> ArticleView<'a> {
    pub(super) fn new(website: &'a Website, article: &'a Article, public_url: &'a PublicUrl) -> Self {
        let published_at = article.published_at.unwrap_or(article.created_at);
        let own = || public_url.absolute(&hosted_path(&website.website_id, &article.content.slug));
        let canonical = article.canonical_url.clone().or_else(|| article.url.clone()).unwrap_or_else(own);
        let hero = article.content.hero_image.as_ref();
        Self {
            frame: Frame::new(website, &article.content.language, public_url),
            article,
            locale: locale(&article.content.language),
            image: hero.and_then(|hero| hero.url.as_deref().map(|url| Image { url, hero })),
            structured_data: structured_data::script_text(website, article, &canonical),
            canonical,
            published: date(published_at, &article.content.language),
            published_at,
            modified_at: article.updated_at.max(published_at),
            consent_direction: direction(&website.language),
            is_preview: false,
        }
    }

    /// Returns the page as a preview for the dashboard.
    pub(super) fn into_preview(self) -> Self {
        Self { is_preview: true, ..self }
    }
}

/// Page of a website's list of articles.
#[derive(Template)]
#[template(path = "index.html")]
pub(super) struct IndexView<'a> {
    pub(super) frame: Frame<'a>,
    pub(super) canonical: String,
    pub(super) locale: Option<String>,
    pub(super) entries: Vec<Entry<'a>>,
    pub(super) older: Option<&'a str>,
    /// True if newer articles are on the pages before this one.
    pub(super) is_later_page: bool,
}

/// Article in the list.
pub(super) struct Entry<'a> {
    pub(super) article: &'a ArticleSummary,
    pub(super) address: String,
    pub(super) published: String,
    pub(super) published_at: Timestamp,
}

impl<'a> IndexView<'a> {
    pub(super) fn new(page: &'a PublishedPage, is_later_page: bool, public_url: &'a PublicUrl) -> Self {
        let entries = page.articles.iter().map(|article| {
            let published_at = article.published_at.unwrap_or(article.created_at);
            let address = match &article.url {
                Some(url) if !article.is_hosted() => url.clone(),
                _ => public_url.reference(&article.hosted_path()),
            };
            Entry { article, address, published: date(published_at, &page.website.language), published_at }
        });
        Self {
            frame: Frame::new(&page.website, &page.website.language, public_url),
            canonical: public_url.absolute(&index_path(&page.website)),
            locale: locale(&page.website.language),
            entries: entries.collect(),
            older: page.older.as_deref(),
            is_later_page,
        }
    }
}

/// Formats a date: with the month's English name for English, else as `YYYY-MM-DD`.
fn date(time: Timestamp, language: &str) -> String {
    let format = if is_english(language) { "%-d %B %Y" } else { "%Y-%m-%d" };
    time.to_chrono().format(format).to_string()
}

/// Returns the language with its region as an `OpenGraph` locale, such as `en_GB`, or `None` if the region is unknown.
fn locale(language: &str) -> Option<String> {
    let mut subtags = language.split('-');
    let primary = subtags.next()?.to_ascii_lowercase();
    let region = subtags.find(|subtag| subtag.len() == 2)?.to_ascii_uppercase();
    Some(format!("{primary}_{region}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_needs_a_region() {
        assert_eq!(locale("en-gb").as_deref(), Some("en_GB"));
        assert_eq!(locale("zh-Hant-TW").as_deref(), Some("zh_TW"));
        assert_eq!(locale("en"), None);
    }
}
