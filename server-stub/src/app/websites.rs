//! Lists the websites that a key may see, and reads a website's published articles for the hosted site. `site` renders them.

use super::page::Listing;
use super::{App, Caller, Error, Operation, Page};
use crate::domain::account::Website;
use crate::domain::article::{Article, ArticleSummary};
use crate::domain::clock::Timestamp;
use crate::domain::store::{ArticlePart, PageKey, PageRequest, Published, WebsiteFilter};
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

/// A website as its readers see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// The website.
    pub website: Website,
    /// Time of the latest change of an article that it shows or has shown.
    pub articles_changed_at: Option<Timestamp>,
}

impl Site {
    /// Returns the time of the latest change of its lists.
    pub fn changed_at(&self) -> Timestamp {
        self.articles_changed_at.unwrap_or(self.website.updated_at).max(self.website.updated_at)
    }
}

/// A page of a website's index or feed.
#[derive(Debug)]
pub struct PublishedPage<T = ArticleSummary> {
    /// Articles, newest first.
    pub articles: Vec<Published<T>>,
    /// Token of the page with older articles.
    pub older: Option<String>,
}

impl App {
    /// Returns the website whose pages a reader requests.
    pub async fn site(&self, website_id: &str) -> Result<Site, Error> {
        let found = self.store.find_site(website_id).await?;
        let (website, articles_changed_at) = found.ok_or(Error::NoSuchPage)?;
        Ok(Site { website, articles_changed_at })
    }

    /// Returns a page of the website's index.
    pub async fn published_articles(&self, website: &Website, token: Option<&str>) -> Result<PublishedPage, Error> {
        let listing = Listing::new("site_index", &website.website_id).in_pages_of(SITE_PAGE_SIZE);
        let listing = self.at_token(listing, token).ok_or(Error::NoSuchPage)?;
        let rows = self.store.list_published(&visible(website), ArticlePart::Summary, &listing.request()).await?;
        let page = self.page(listing, rows, |row: &Published<ArticleSummary>| PageKey {
            time: row.article.created_at,
            id: row.article.id.clone(),
        });
        Ok(PublishedPage { articles: page.items, older: page.next_page })
    }

    /// Returns the newest published articles with their texts, as many as the first page of the index has.
    pub async fn newest_articles(&self, website: &Website) -> Result<Vec<Published<Article>>, Error> {
        let request = PageRequest { after: None, limit: SITE_PAGE_SIZE };
        Ok(self.store.list_published(&visible(website), ArticlePart::Whole, &request).await?)
    }

    /// Returns the hosted articles of the website, newest first, up to the limit of a sitemap minus one entry for the index.
    pub async fn hosted_articles(&self, website: &Website) -> Result<Vec<ArticleSummary>, Error> {
        let mut hosted = Vec::new();
        let mut after = None;
        loop {
            let request = PageRequest { after: after.take(), limit: SITEMAP_BATCH };
            let batch: Vec<Published<ArticleSummary>> =
                self.store.list_published(&visible(website), ArticlePart::Summary, &request).await?;
            let last = batch.last().map(|last| &last.article);
            let last = last.map(|last| PageKey { time: last.created_at, id: last.id.clone() });
            let is_full = batch.len() == SITEMAP_BATCH as usize;
            hosted.extend(batch.into_iter().filter(|row| row.is_hosted).map(|row| row.article));
            if !is_full || hosted.len() >= MAX_SITEMAP_ADDRESSES {
                hosted.truncate(MAX_SITEMAP_ADDRESSES - 1);
                return Ok(hosted);
            }
            after = last;
        }
    }

    /// Returns a published article that the hosted site shows.
    pub async fn published_article(&self, website: &Website, slug: &str) -> Result<Article, Error> {
        self.store.find_published(&website.website_id, slug).await?.ok_or(Error::NoSuchPage)
    }
}

/// Returns the visibility of the articles of a website.
fn visible(website: &Website) -> Visibility {
    Visibility { account_id: website.account_id.clone(), website_ids: Some(vec![website.website_id.clone()]) }
}
