//! Feed of a website.

use askama::Template;

use super::view::{address, index_path};
use super::xml_text::xml_text;
use crate::app::PublishedPage;
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
