//! `get_article`: returns an article by its id or by the id of the job that wrote it.

use super::super::caller::Caller;
use super::super::error::Error;
use super::super::service::App;
use crate::domain::id::Kind;
use crate::domain::job::JobStatus;
use crate::domain::store::StoredArticle;

impl App {
    /// Returns the stored article. The server sends its bytes unchanged.
    pub async fn get_article(&self, caller: &Caller, id: &str) -> Result<StoredArticle, Error> {
        if !id.starts_with(Kind::Job.prefix()) {
            return self.visible_article(caller, id).await?.ok_or(Error::ArticleNotFound);
        }
        let job = self.store.find_job(id).await?;
        let job =
            job.filter(|job| caller.scope.sees(&job.account_id, &job.website_id)).ok_or(Error::ArticleNotFound)?;
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
        Ok(article.filter(|article| caller.scope.sees(&article.account_id, &article.website_id)))
    }
}
