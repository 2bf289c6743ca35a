//! Lists the websites that a key may see, and reads a website's published articles for the hosted site. `site` renders them.

use super::page::Listing;
use super::{App, Caller, Error, Operation, Page};
use crate::domain::account::Website;
use crate::domain::article::{Article, ArticleStatus, ArticleSummary};
use crate::domain::clock::Timestamp;
use crate::domain::store::{ArticleFilter, PageKey, PageRequest, WebsiteFilter};
use crate::domain::visibility::Visibility;

/// Number of articles on one page of a website's index.
pub const SITE_PAGE_SIZE: u32 = 24;
/// Maximum number of addresses in a sitemap, by the sitemap protocol. It contains the newest articles.
pub const MAX_SITEMAP_ADDRESSES: usize = 50_000;
/// Number of articles that are read at a time for a sitemap.
const SITEMAP_BATCH: u32 = 1000;

impl App {
    /// Returns a page of websites for the client's query.
    pub async fn list_websites(&self, caller: &Caller, query: &[(String, String)]) -> Result<Page<Website>, Error> {
        let listing = self.listing(Operation::ListWebsites, caller, query)?;
        let rows = self.store.list_websites(&caller.visibility, &WebsiteFilter::default(), &listing.request()).await?;
        Ok(self.page(listing, rows, |row| PageKey { time: row.created_at, id: row.website_id.clone() }))
    }
}

/// A page of a website's index.
#[derive(Debug)]
pub struct PublishedPage {
    /// Website of the index.
    pub website: Website,
    /// Articles, newest first.
    pub articles: Vec<ArticleSummary>,
    /// Token of the page with older articles.
    pub older: Option<String>,
}

/// Article in a sitemap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostedArticle {
    /// Path on this server.
    pub path: String,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

impl App {
    /// Returns a page of the website's index.
    pub async fn published_articles(&self, website_id: &str, token: Option<&str>) -> Result<PublishedPage, Error> {
        let website = self.store.find_website(website_id).await?.ok_or(Error::NoSuchPage)?;
        let listing = Listing::new("site_index", website_id).in_pages_of(SITE_PAGE_SIZE);
        let listing = self.at_token(listing, token).ok_or(Error::NoSuchPage)?;
        let (visibility, filter) = published_of(&website);
        let rows = self.store.list_articles(&visibility, &filter, &listing.request()).await?;
        let page = self.page(listing, rows, |row| PageKey { time: row.created_at, id: row.id.clone() });
        Ok(PublishedPage { website, articles: page.items, older: page.next_page })
    }

    /// Returns the hosted articles of the website, newest first, up to the limit of a sitemap minus one entry for the index.
    pub async fn hosted_articles(&self, website_id: &str) -> Result<(Website, Vec<HostedArticle>), Error> {
        let website = self.store.find_website(website_id).await?.ok_or(Error::NoSuchPage)?;
        let (visibility, filter) = published_of(&website);
        let mut hosted = Vec::new();
        let mut after = None;
        loop {
            let request = PageRequest { after: after.take(), limit: SITEMAP_BATCH };
            let batch = self.store.list_articles(&visibility, &filter, &request).await?;
            let last = batch.last().map(|last| PageKey { time: last.created_at, id: last.id.clone() });
            let is_full = batch.len() == SITEMAP_BATCH as usize;
            hosted.extend(
                batch
                    .into_iter()
                    .filter(ArticleSummary::is_hosted)
                    .map(|article| HostedArticle { path: article.hosted_path(), updated_at: article.updated_at }),
            );
            if !is_full || hosted.len() >= MAX_SITEMAP_ADDRESSES {
                hosted.truncate(MAX_SITEMAP_ADDRESSES - 1);
                return Ok((website, hosted));
            }
            after = last;
        }
    }

    /// Returns a published article that the hosted site shows, and its website.
    pub async fn published_article(&self, website_id: &str, slug: &str) -> Result<(Website, Article), Error> {
        let website = self.store.find_website(website_id).await?.ok_or(Error::NoSuchPage)?;
        let article = self.store.find_published(website_id, slug).await?;
        let article = article.filter(|article| article.summary().is_hosted()).ok_or(Error::NoSuchPage)?;
        Ok((website, article))
    }
}

/// Returns the visibility and filter for the published articles of a website.
fn published_of(website: &Website) -> (Visibility, ArticleFilter) {
    let visibility =
        Visibility { account_id: website.account_id.clone(), website_ids: Some(vec![website.website_id.clone()]) };
    let filter = ArticleFilter {
        website_id: Some(website.website_id.clone()),
        status: Some(ArticleStatus::Published),
        ..ArticleFilter::default()
    };
    (visibility, filter)
}
