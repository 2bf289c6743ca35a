//! Lists, shows and archives articles, and lists their scheduled posts. Dashboard users and clients of the API have different
//! filters and scopes.

use super::page::{Listing, range_bound};
use super::{App, Caller, Error, Operation, Page};
use crate::domain::account::Website;
use crate::domain::article::{Article, ArticleStatus, ArticleSummary, hosted_path};
use crate::domain::audit::Action;
use crate::domain::id::Kind;
use crate::domain::job::JobStatus;
use crate::domain::post::{PostStatus, ScheduledPost};
use crate::domain::search::Search;
use crate::domain::store::{ArticleFilter, PageKey, PostFilter, StoredArticle, StoredRow};
use crate::domain::visibility::Visibility;

impl App {
    /// Returns a page of articles for the client's query.
    pub async fn list_articles(&self, caller: &Caller, query: &[(String, String)]) -> Result<Page<StoredRow>, Error> {
        let listing = self.listing(Operation::ListArticles, caller, query)?;
        let filter = ArticleFilter {
            website_id: listing.filter("website_id"),
            status: listing.parsed("status", ArticleStatus::parse)?,
            updated_since: listing.parsed("updated_since", range_bound)?,
        };
        let rows = self.store.list_stored_articles(&caller.visibility, &filter, &listing.request()).await?;
        Ok(self.page(listing, rows, |row| row.key.clone()))
    }

    /// Returns a page of the account's articles, newest first: the page that `page_token` points to, or the first one. A page
    /// of a search may have few rows or none although another page follows.
    pub async fn find_articles(
        &self,
        visibility: &Visibility,
        filter: &ArticleFilter,
        search: Option<&Search>,
        page_token: Option<&str>,
    ) -> Result<Page<ArticleSummary>, Error> {
        let listing = Listing::new("articles", &visibility.account_id)
            .with("website_id", filter.website_id.as_deref())
            .with("status", filter.status.map(ArticleStatus::as_str))
            .with("search", search.map(Search::as_str));
        let listing = self.at_token(listing, page_token).ok_or(Error::InvalidPageToken)?;
        if let Some(search) = search {
            let found = self.store.search_articles(visibility, filter, search, &listing.search_request()).await?;
            return Ok(self.found_page(listing, found));
        }
        let rows = self.store.list_articles(visibility, filter, &listing.request()).await?;
        Ok(self.page(listing, rows, |article| PageKey { time: article.created_at, id: article.id.clone() }))
    }

    /// Returns the article with this id.
    pub async fn article(&self, visibility: &Visibility, article_id: &str) -> Result<Article, Error> {
        let stored = self.store.find_article(article_id).await?;
        let stored = stored.filter(|article| visibility.sees(&article.account_id, &article.website_id));
        Ok(stored.ok_or(Error::ArticleNotFound)?.article()?)
    }

    /// Returns the stored article. The server sends its bytes unchanged.
    pub async fn get_article(&self, caller: &Caller, id: &str) -> Result<StoredArticle, Error> {
        if !id.starts_with(Kind::Job.prefix()) {
            return self.visible_article(caller, id).await?.ok_or(Error::ArticleNotFound);
        }
        let Some(job) = self.store.find_job(id).await? else {
            // The job of an old article was purged.
            let article = self.store.find_article_of_job(id).await?;
            let article = article.filter(|article| caller.visibility.sees(&article.account_id, &article.website_id));
            return article.ok_or(Error::ArticleNotFound);
        };
        if !caller.visibility.sees(&job.account_id, &job.website_id) {
            return Err(Error::ArticleNotFound);
        }
        match (job.status, job.article_id) {
            (JobStatus::Queued | JobStatus::InProgress, _) => Err(Error::ArticleNotReady),
            (JobStatus::Failed, _) => Err(Error::GenerationFailed),
            (JobStatus::Cancelled, _) => Err(Error::GenerationCancelled),
            (JobStatus::Completed, article_id) => {
                let article = self.visible_article(caller, &article_id.unwrap_or_default()).await?;
                article.ok_or(Error::ArticleNotFound)
            }
        }
    }

    async fn visible_article(&self, caller: &Caller, id: &str) -> Result<Option<StoredArticle>, Error> {
        if !id.starts_with(Kind::Article.prefix()) {
            return Ok(None);
        }
        let article = self.store.find_article(id).await?;
        Ok(article.filter(|article| caller.visibility.sees(&article.account_id, &article.website_id)))
    }

    /// Returns a page of posts for the client's query.
    pub async fn list_scheduled_posts(
        &self,
        caller: &Caller,
        query: &[(String, String)],
    ) -> Result<Page<ScheduledPost>, Error> {
        let listing = self.listing(Operation::ListScheduledPosts, caller, query)?;
        let filter = PostFilter {
            website_id: listing.filter("website_id"),
            status: listing.parsed("status", PostStatus::parse)?,
        };
        let rows = self.store.list_posts(&caller.visibility, &filter, &listing.request()).await?;
        Ok(self.page(listing, rows, |row| PageKey { time: row.created_at, id: row.id.clone() }))
    }

    /// Returns the scheduled post, equal to its item in the list.
    ///
    /// # Errors
    /// Fails if the caller sees no scheduled post with this id, or if the store fails.
    pub async fn get_scheduled_post(&self, caller: &Caller, post_id: &str) -> Result<ScheduledPost, Error> {
        let post = self.store.find_post(post_id).await?;
        post.filter(|post| caller.visibility.sees(&post.account_id, &post.website_id))
            .ok_or(Error::ScheduledPostNotFound)
    }

    /// Removes an article from its website and cancels its pending posts. Returns false if it is archived already, or is being
    /// published at this moment.
    pub async fn archive_article(&self, visibility: &Visibility, article_id: &str) -> Result<bool, Error> {
        let article = self.article(visibility, article_id).await?;
        let change = (Action::ArticleArchived, Some(article.id.as_str()));
        let store = self.audited(&visibility.account_id, change, Some(&article.content.title));
        Ok(store.archive_article(&article.id, self.clock.wall()).await?)
    }

    /// Restores an archived article as a draft. Returns false if it was not archived.
    pub async fn restore_article(&self, visibility: &Visibility, article_id: &str) -> Result<bool, Error> {
        let article = self.article(visibility, article_id).await?;
        let change = (Action::ArticleRestored, Some(article.id.as_str()));
        let store = self.audited(&visibility.account_id, change, Some(&article.content.title));
        Ok(store.restore_article(&article.id, self.clock.wall()).await?)
    }

    /// Returns the path on this server at which the article can be previewed for an hour.
    pub fn preview_path(&self, article: &Article) -> String {
        let token = self.tokens.write_preview(&article.id, self.clock.steady());
        format!("{}?preview={token}", hosted_path(&article.website_id, &article.content.slug))
    }

    /// Returns the article that the token allows to show at this address of the hosted site.
    pub async fn previewed_article(
        &self,
        website_id: &str,
        slug: &str,
        token: &str,
    ) -> Result<(Website, Article), Error> {
        let article_id = self.tokens.read_preview(token, self.clock.steady()).ok_or(Error::NoSuchPage)?;
        let article = self.store.find_article(&article_id).await?.ok_or(Error::NoSuchPage)?.article()?;
        if article.website_id != website_id || article.content.slug != slug {
            return Err(Error::NoSuchPage);
        }
        let website = self.store.find_website(website_id).await?.ok_or(Error::NoSuchPage)?;
        Ok((website, article))
    }
}
