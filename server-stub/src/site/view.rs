//! What the templates show. Everything is escaped by them except the article's HTML, which was sanitised when it was
//! written, and its structured data, which `structured_data` escapes.

use askama::Template;

use super::language::{date, locale};
use super::structured_data;
use crate::app::PublishedPage;
use crate::domain::account::Website;
use crate::domain::article::{Article, ArticleSummary, hosted_path};
use crate::domain::clock::Timestamp;
use crate::domain::public_url::PublicUrl;
use crate::domain::voice::is_english;
use crate::domain::writing_direction::direction;
use crate::domain::written_article::HeroImage;

/// What the pages of a website have in common.
pub(super) struct Frame<'a> {
    /// What the paths of links begin with.
    pub(super) base: &'a str,
    pub(super) website: &'a Website,
    /// The language of the page's own text.
    pub(super) language: &'a str,
    pub(super) direction: &'static str,
    /// The attributes of what the page itself says, which is English, where its language is another one.
    pub(super) english: &'static str,
    /// Where the website's articles are listed.
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

/// Where a website's articles are listed, as a path of the server.
pub(super) fn index_path(website: &Website) -> String {
    format!("/sites/{}", website.website_id)
}

/// Where an article of the index is read: on the hosted site if it was published there.
pub(super) fn address(article: &ArticleSummary, public_url: &PublicUrl) -> String {
    match &article.url {
        Some(url) if !article.is_hosted() => url.clone(),
        _ => public_url.absolute(&article.hosted_path()),
    }
}

/// An article's page.
#[derive(Template)]
#[template(path = "article.html")]
pub(super) struct ArticleView<'a> {
    pub(super) frame: Frame<'a>,
    pub(super) article: &'a Article,
    /// Where search engines shall look for it.
    pub(super) canonical: String,
    pub(super) locale: Option<String>,
    /// Its picture, if there is one to show.
    pub(super) image: Option<Image<'a>>,
    pub(super) structured_data: String,
    pub(super) published: String,
    pub(super) published_at: Timestamp,
    pub(super) modified_at: Timestamp,
    /// How the consent text is written, which is in the website's language.
    pub(super) consent_direction: &'static str,
    /// Whether this is for the dashboard: without the form, and not for search engines.
    pub(super) is_preview: bool,
}

/// A picture with an address.
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

    /// The same page for the dashboard.
    pub(super) fn into_preview(self) -> Self {
        Self { is_preview: true, ..self }
    }
}

/// A page of a website's index.
#[derive(Template)]
#[template(path = "index.html")]
pub(super) struct IndexView<'a> {
    pub(super) frame: Frame<'a>,
    pub(super) canonical: String,
    pub(super) locale: Option<String>,
    pub(super) entries: Vec<Entry<'a>>,
    pub(super) older: Option<&'a str>,
    /// Whether newer articles stand on the pages before this one.
    pub(super) is_later_page: bool,
}

/// One article of the index.
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

/// Nothing is at this address, or it cannot be shown now.
#[derive(Template)]
#[template(path = "not_found.html")]
pub(super) struct NotFoundView<'a> {
    pub(super) base: &'a str,
    pub(super) is_gone: bool,
}
