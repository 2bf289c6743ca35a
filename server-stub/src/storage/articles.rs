//! [`Articles`] on a database.

use crate::domain::account::Scope;
use crate::domain::article::{Article, ArticleSummary};
use crate::domain::clock::Timestamp;
use crate::domain::search::Search;
use crate::domain::store::{ArticleFilter, PageRequest, Result, SearchPage, StoredArticle};
use crate::storage::sql::Session;
use crate::storage::statements::{articles, lists, search};

use super::store::{Engine, Store};

impl Store {
    /// The article, whoever owns it.
    pub async fn find_article(&self, article_id: &str) -> Result<Option<StoredArticle>> {
        let id = article_id.to_owned();
        let read = move |session: &mut dyn Session| articles::find(session, &id);
        match &self.engine {
            Engine::Sqlite(sqlite) => sqlite.read_article(article_id, read).await,
            Engine::Postgres(postgres) => postgres.read_few(read).await,
        }
    }

    /// The published article at that address of the hosted site.
    pub async fn find_published(&self, website_id: &str, slug: &str) -> Result<Option<Article>> {
        let (website_id, slug) = (website_id.to_owned(), slug.to_owned());
        self.read_few(move |session| articles::find_published(session, &website_id, &slug)).await
    }

    /// A page of articles.
    pub async fn list_articles(
        &self,
        scope: &Scope,
        filter: &ArticleFilter,
        page: &PageRequest,
    ) -> Result<Vec<ArticleSummary>> {
        let (scope, filter, page) = (scope.clone(), filter.clone(), page.clone());
        let is_short = lists::is_short(&scope, &filter, &page);
        self.read_page(is_short, move |session| lists::articles(session, &scope, &filter, &page)).await
    }

    /// A page of the articles that have this in their titles.
    pub async fn search_articles(
        &self,
        scope: &Scope,
        filter: &ArticleFilter,
        text: &Search,
        page: &PageRequest,
    ) -> Result<SearchPage<ArticleSummary>> {
        let (scope, filter, text, page) = (scope.clone(), filter.clone(), text.clone(), page.clone());
        self.read_many(move |session| search::articles(session, &scope, &filter, &text, &page)).await
    }

    /// Takes an article down and cancels its post where that waits; `false` if it is down already or is being published.
    pub async fn archive_article(&self, article_id: &str, now: Timestamp) -> Result<bool> {
        let article_id = article_id.to_owned();
        self.change_alone(move |session| articles::archive(session, &article_id, now)).await
    }

    /// Makes a draft of an article that was taken down; `false` if it was not.
    pub async fn restore_article(&self, article_id: &str, now: Timestamp) -> Result<bool> {
        let article_id = article_id.to_owned();
        self.change_alone(move |session| articles::restore(session, &article_id, now)).await
    }
}
