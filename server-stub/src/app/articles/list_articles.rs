//! `list_articles`: lists the account's articles, newest first by creation.

use super::super::caller::Caller;
use super::super::error::Error;
use super::super::operation::Operation;
use super::super::page::{Page, range_bound};
use super::super::service::App;
use crate::domain::article::{ArticleStatus, ArticleSummary};
use crate::domain::store::{ArticleFilter, PageKey};

impl App {
    /// Returns a page of articles for the client's query.
    pub async fn list_articles(
        &self,
        caller: &Caller,
        query: &[(String, String)],
    ) -> Result<Page<ArticleSummary>, Error> {
        let listing = self.listing(Operation::ListArticles, caller, query)?;
        let filter = ArticleFilter {
            website_id: listing.filter("website_id"),
            status: listing.parsed("status", ArticleStatus::parse)?,
            updated_since: listing.parsed("updated_since", range_bound)?,
        };
        let rows = self.store.list_articles(&caller.scope, &filter, &listing.request()).await?;
        Ok(self.page(listing, caller, rows, |row| PageKey { time: row.created_at, id: row.id.clone() }))
    }
}
