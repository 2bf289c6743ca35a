//! What the hosted site shows: a website's published articles. How they look is `site`'s business.

use super::super::error::Error;
use super::super::service::App;
use crate::domain::account::{Scope, Website};
use crate::domain::article::{Article, ArticleStatus, ArticleSummary};
use crate::domain::page::{Cursor, Filters};
use crate::domain::store::{ArticleFilter, PageKey, PageRequest};

/// Articles on one page of a website's index.
pub const SITE_PAGE_SIZE: u32 = 24;
/// What the index's page tokens are issued for; no operation has this name.
const TOKEN_LIST: &str = "site_index";

/// A page of a website's index.
#[derive(Debug)]
pub struct PublishedPage {
    /// Whose.
    pub website: Website,
    /// Newest first.
    pub articles: Vec<ArticleSummary>,
    /// The token of the page with older ones.
    pub older: Option<String>,
}

impl App {
    /// A page of the website's index.
    pub async fn published_articles(&self, website_id: &str, token: Option<&str>) -> Result<PublishedPage, Error> {
        let website = self.store.find_website(website_id).await?.ok_or(Error::NoSuchPage)?;
        let now = self.clock.steady();
        let cursor = token.map(|token| self.tokens.read(TOKEN_LIST, website_id, token, now).ok_or(Error::NoSuchPage));
        let after = cursor.transpose()?.map(|cursor| cursor.after);
        let scope =
            Scope { account_id: website.account_id.clone(), website_ids: Some(vec![website.website_id.clone()]) };
        let filter = ArticleFilter {
            website_id: Some(website.website_id.clone()),
            status: Some(ArticleStatus::Published),
            ..ArticleFilter::default()
        };
        let request = PageRequest { after, limit: SITE_PAGE_SIZE + 1 };
        let mut articles = self.store.list_articles(&scope, &filter, &request).await?;
        let has_more = articles.len() > SITE_PAGE_SIZE as usize;
        articles.truncate(SITE_PAGE_SIZE as usize);
        let last = articles.last().filter(|_| has_more);
        let older = last.map(|last| {
            let after = PageKey { time: last.created_at, id: last.id.clone() };
            self.tokens.write(TOKEN_LIST, website_id, Cursor { filters: Filters::new(), after }, now)
        });
        Ok(PublishedPage { website, articles, older })
    }

    /// A published article and its website.
    pub async fn published_article(&self, website_id: &str, slug: &str) -> Result<(Website, Article), Error> {
        let website = self.store.find_website(website_id).await?.ok_or(Error::NoSuchPage)?;
        let article = self.store.find_published(website_id, slug).await?.ok_or(Error::NoSuchPage)?;
        Ok((website, article))
    }
}
