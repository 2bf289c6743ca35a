//! Finds and reads articles for a user of the dashboard.

use super::super::error::Error;
use super::super::page::{Page, Walk};
use super::super::service::App;
use crate::domain::account::Scope;
use crate::domain::article::{Article, ArticleStatus, ArticleSummary};
use crate::domain::search::Search;
use crate::domain::store::{self, ArticleFilter, PageKey};

impl App {
    /// Returns a page of the account's articles, newest first: the page that `page_token` points to, or the first one. A page of a
    /// search may have few rows or none although another page follows.
    pub async fn find_articles(
        &self,
        scope: &Scope,
        filter: &ArticleFilter,
        search: Option<&Search>,
        page_token: Option<&str>,
    ) -> Result<Page<ArticleSummary>, Error> {
        let walk = Walk::new("articles", &scope.account_id)
            .with("website_id", filter.website_id.as_deref())
            .with("status", filter.status.map(ArticleStatus::as_str))
            .with("search", search.map(Search::as_str));
        let request = self.begin(&walk, page_token).ok_or(Error::InvalidPageToken)?;
        if let Some(search) = search {
            let found = self.store.search_articles(scope, filter, search, &request.without_next()).await?;
            return Ok(self.end_at(walk, found));
        }
        let rows = self.store.list_articles(scope, filter, &request).await?;
        Ok(self.end(walk, rows, |article| PageKey { time: article.created_at, id: article.id.clone() }))
    }

    /// Returns the article with this id.
    pub async fn article(&self, scope: &Scope, article_id: &str) -> Result<Article, Error> {
        let stored = self.store.find_article(article_id).await?;
        let stored = stored.filter(|article| scope.sees(&article.account_id, &article.website_id));
        let stored = stored.ok_or(Error::ArticleNotFound)?;
        serde_json::from_slice(&stored.body).map_err(|error| Error::Store(store::Error::Broken(error.into())))
    }
}
