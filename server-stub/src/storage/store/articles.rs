//! [`Articles`] on a database.

use async_trait::async_trait;

use crate::domain::account::Scope;
use crate::domain::article::{Article, ArticleSummary};
use crate::domain::clock::Timestamp;
use crate::domain::search::Search;
use crate::domain::store::{ArticleFilter, Articles, PageRequest, Result, SearchPage, StoredArticle};
use crate::storage::backend::Backend;
use crate::storage::statements::{articles, lists, search};

use super::SqlStore;

#[async_trait]
impl<B: Backend> Articles for SqlStore<B> {
    async fn find_article(&self, article_id: &str) -> Result<Option<StoredArticle>> {
        self.backend.find_article(article_id).await
    }

    async fn find_published(&self, website_id: &str, slug: &str) -> Result<Option<Article>> {
        let (website_id, slug) = (website_id.to_owned(), slug.to_owned());
        self.backend.read_few(move |session| articles::find_published(session, &website_id, &slug)).await
    }

    async fn list_articles(
        &self,
        scope: &Scope,
        filter: &ArticleFilter,
        page: &PageRequest,
    ) -> Result<Vec<ArticleSummary>> {
        let (scope, filter, page) = (scope.clone(), filter.clone(), page.clone());
        let is_short = lists::is_short(&scope, &filter, &page);
        self.backend.read_page(is_short, move |session| lists::articles(session, &scope, &filter, &page)).await
    }

    async fn search_articles(
        &self,
        scope: &Scope,
        filter: &ArticleFilter,
        text: &Search,
        page: &PageRequest,
    ) -> Result<SearchPage<ArticleSummary>> {
        let (scope, filter, text, page) = (scope.clone(), filter.clone(), text.clone(), page.clone());
        self.backend.read_many(move |session| search::articles(session, &scope, &filter, &text, &page)).await
    }

    async fn archive_article(&self, article_id: &str, now: Timestamp) -> Result<bool> {
        let article_id = article_id.to_owned();
        self.write_alone(move |session| articles::archive(session, &article_id, now)).await
    }

    async fn restore_article(&self, article_id: &str, now: Timestamp) -> Result<bool> {
        let article_id = article_id.to_owned();
        self.write_alone(move |session| articles::restore(session, &article_id, now)).await
    }
}
