//! Feed and sitemap of a website.

use askama::Template;

use super::view::{address, index_path};
use super::words::Words;
use crate::app::Site;
use crate::domain::account::Website;
use crate::domain::article::ArticleSummary;
use crate::domain::clock::Timestamp;
use crate::domain::public_url::PublicUrl;

/// Newest articles of a website (RSS 2.0, with the self link that the RSS Advisory Board recommends).
#[derive(Template)]
#[template(path = "feed.xml")]
pub(super) struct FeedView {
    title: String,
    description: String,
    language: String,
    link: String,
    own_address: String,
    changed: String,
    items: Vec<Item>,
}

/// An article of the feed.
pub(super) struct Item {
    title: String,
    link: String,
    id: String,
    published: String,
    excerpt: String,
    tags: Vec<String>,
    /// HTML of the whole article, if the website shows it in the feed.
    text: Option<String>,
}

impl Item {
    pub(super) fn new(website: &Website, article: &ArticleSummary, is_hosted: bool, public_url: &PublicUrl) -> Self {
        Self {
            title: xml_text(&article.title),
            link: xml_text(&address(website, article, is_hosted, public_url)),
            id: article.id.clone(),
            published: article.published_at.unwrap_or(article.created_at).to_chrono().to_rfc2822(),
            excerpt: xml_text(&article.excerpt),
            tags: article.tags.iter().map(|tag| xml_text(tag)).collect(),
            text: None,
        }
    }

    pub(super) fn with_text(self, html: &str) -> Self {
        Self { text: Some(xml_text(html)), ..self }
    }
}

impl FeedView {
    pub(super) fn new(site: &Site, items: Vec<Item>, public_url: &PublicUrl) -> Self {
        let index = index_path(&site.website);
        Self {
            title: xml_text(&site.website.name),
            description: xml_text(&Words::of(&site.website.language).description(&site.website.name)),
            language: site.website.language.clone(),
            link: public_url.absolute(&index),
            own_address: public_url.absolute(&format!("{index}/feed.xml")),
            changed: site.changed_at().to_chrono().to_rfc2822(),
            items,
        }
    }
}

/// Lists a website's pages for search engines (sitemaps.org 0.9). It may contain only addresses on one host, so it leaves out the
/// index if the articles are on another one.
#[derive(Template)]
#[template(path = "sitemap.xml")]
pub(super) struct SitemapView {
    index: Option<String>,
    index_changed: Timestamp,
    pages: Vec<SitemapPage>,
}

struct SitemapPage {
    address: String,
    changed: Timestamp,
}

impl SitemapView {
    pub(super) fn new(site: &Site, articles: &[ArticleSummary], public_url: &PublicUrl) -> Self {
        let website = &site.website;
        let pages = articles.iter().map(|article| SitemapPage {
            address: xml_text(&website.article_address(&article.slug, true, public_url)),
            changed: article.updated_at,
        });
        Self {
            index: (!website.pages_at_url).then(|| public_url.absolute(&index_path(website))),
            index_changed: site.changed_at(),
            pages: pages.collect(),
        }
    }
}

/// Prepares an external text for XML: removes the characters that XML 1.0 forbids even as references (production 2). The template escapes the rest.
fn xml_text(text: &str) -> String {
    let is_allowed = |character: char| matches!(character, '\t' | '\n' | '\r' | '\u{20}'..='\u{fffd}' | '\u{10000}'..);
    text.chars().filter(|character| is_allowed(*character)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_xml_forbids_are_removed() {
        assert_eq!(xml_text("a\u{0}\u{b}b\tc\n\u{fffe}d\u{ffff}\u{1f600}<&"), "ab\tc\nd\u{1f600}<&");
    }
}
