//! Feed and sitemap of a website.

use askama::Template;

use super::view::{address, index_path};
use crate::app::{HostedArticle, PublishedPage};
use crate::domain::account::Website;
use crate::domain::clock::Timestamp;
use crate::domain::public_url::PublicUrl;

/// Newest articles of a website (RSS 2.0, with the self link that the RSS Advisory Board recommends).
#[derive(Template)]
#[template(path = "feed.xml")]
pub(super) struct FeedView {
    title: String,
    language: String,
    link: String,
    own_address: String,
    changed: String,
    items: Vec<Item>,
}

struct Item {
    title: String,
    link: String,
    id: String,
    published: String,
    excerpt: String,
    tags: Vec<String>,
}

impl FeedView {
    pub(super) fn new(page: &PublishedPage, public_url: &PublicUrl) -> Self {
        let index = index_path(&page.website);
        let items = page.articles.iter().map(|article| Item {
            title: xml_text(&article.title),
            link: xml_text(&address(article, public_url)),
            id: article.id.clone(),
            published: article.published_at.unwrap_or(article.created_at).to_chrono().to_rfc2822(),
            excerpt: xml_text(&article.excerpt),
            tags: article.tags.iter().map(|tag| xml_text(tag)).collect(),
        });
        Self {
            title: xml_text(&page.website.name),
            language: page.website.language.clone(),
            link: public_url.absolute(&index),
            own_address: public_url.absolute(&format!("{index}/feed.xml")),
            changed: changed_at(page).to_chrono().to_rfc2822(),
            items: items.collect(),
        }
    }
}

/// Returns the time of the latest change to the website or to an article on this page of the list.
pub(super) fn changed_at(page: &PublishedPage) -> Timestamp {
    page.articles.iter().map(|article| article.updated_at).fold(page.website.updated_at, Timestamp::max)
}

/// Lists a website's pages for search engines (sitemaps.org 0.9). It may contain only addresses on the sitemap's host.
#[derive(Template)]
#[template(path = "sitemap.xml")]
pub(super) struct SitemapView {
    index: String,
    index_changed: Timestamp,
    pages: Vec<SitemapPage>,
}

struct SitemapPage {
    address: String,
    changed: Timestamp,
}

impl SitemapView {
    pub(super) fn new((website, articles): &(Website, Vec<HostedArticle>), public_url: &PublicUrl) -> Self {
        let pages = articles.iter().map(|article| SitemapPage {
            address: xml_text(&public_url.absolute(&article.path)),
            changed: article.updated_at,
        });
        Self {
            index: public_url.absolute(&index_path(website)),
            index_changed: articles.iter().map(|article| article.updated_at).fold(website.updated_at, Timestamp::max),
            pages: pages.collect(),
        }
    }

    pub(super) const fn changed_at(&self) -> Timestamp {
        self.index_changed
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
