//! Views for the templates. The templates escape all values, with two exceptions: the article's HTML was sanitised when it was
//! written, and `structured_data` escapes its own output.

use askama::Template;

use super::structured_data;
use super::words::Words;
use crate::app::PublishedPage;
use crate::domain::account::{Website, WebsiteStatus};
use crate::domain::article::{Article, ArticleSummary, hosted_path};
use crate::domain::clock::Timestamp;
use crate::domain::public_url::PublicUrl;
use crate::domain::time_zone::TimeZone;
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
    /// Labels of the page.
    pub(super) words: &'static Words,
    /// HTML attributes for labels in another language than the page, which are English; empty for its own language.
    pub(super) english: &'static str,
    /// Path of the website's list of articles.
    pub(super) index_path: String,
}

impl<'a> Frame<'a> {
    fn new(website: &'a Website, language: &'a str, public_url: &'a PublicUrl) -> Self {
        let words = Words::of(language);
        Self {
            words,
            base: public_url.path(),
            website,
            language,
            direction: direction(language),
            english: if words.are_in(language) { "" } else { r#" lang="en" dir="ltr""# },
            index_path: public_url.reference(&index_path(website)),
        }
    }

    /// Returns the date of a time where the website is.
    fn date(&self, time: Timestamp) -> String {
        self.words.date(time, TimeZone::or_utc(&self.website.time_zone))
    }
}

/// Returns the path of a website's list of articles.
pub(super) fn index_path(website: &Website) -> String {
    format!("/sites/{}", website.website_id)
}

/// Returns the address of an article in a list: the one that its target reported, or the address of its page.
pub(super) fn address(website: &Website, article: &ArticleSummary, is_hosted: bool, public_url: &PublicUrl) -> String {
    let reported = article.url.clone().filter(|_| !is_hosted);
    reported.unwrap_or_else(|| website.article_address(&article.slug, is_hosted, public_url))
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
        let canonical = website.article_address(&article.content.slug, true, public_url);
        let hero = article.content.hero_image.as_ref();
        let frame = Frame::new(website, &article.content.language, public_url);
        Self {
            article,
            locale: locale(&article.content.language),
            image: hero.and_then(|hero| hero.url.as_deref().map(|url| Image { url, hero })),
            structured_data: structured_data::script_text(website, article, &canonical),
            canonical,
            published: frame.date(published_at),
            frame,
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
    pub(super) fn new(
        website: &'a Website,
        page: &'a PublishedPage,
        is_later_page: bool,
        public_url: &'a PublicUrl,
    ) -> Self {
        let frame = Frame::new(website, &website.language, public_url);
        let entries = page.articles.iter().map(|row| {
            let article = &row.article;
            let published_at = article.published_at.unwrap_or(article.created_at);
            let address = if row.is_hosted && !website.pages_at_url {
                // The path, because the reader may have come by another name of the server.
                public_url.reference(&hosted_path(&website.website_id, &article.slug))
            } else {
                address(website, article, row.is_hosted, public_url)
            };
            Entry { article, address, published: frame.date(published_at), published_at }
        });
        Self {
            entries: entries.collect(),
            frame,
            canonical: public_url.absolute(&index_path(website)),
            locale: locale(&website.language),
            older: page.older.as_deref(),
            is_later_page,
        }
    }
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
