//! Sitemap of a website.

use askama::Template;

use super::view::index_path;
use super::xml_text::xml_text;
use crate::app::HostedArticle;
use crate::domain::account::Website;
use crate::domain::clock::Timestamp;
use crate::domain::public_url::PublicUrl;

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
