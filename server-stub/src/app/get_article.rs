//! `get_article`: an article by its own id or by the id of the job that wrote it (CONTRACT 2.4).

use super::caller::Caller;
use super::error::Error;
use super::service::App;
use crate::domain::fault::table::{isolation, outside, state};
use crate::domain::id::Kind;
use crate::domain::job::JobStatus;
use crate::domain::store::StoredArticle;

impl App {
    /// The article as it was stored: its bytes are served as they stand.
    pub async fn get_article(&self, caller: &Caller, id: &str) -> Result<StoredArticle, Error> {
        if !id.starts_with(Kind::Job.prefix()) {
            return self.visible_article(caller, id).await?.ok_or(Error::ArticleNotFound);
        }
        if state::BY_ARTICLE_ID_ONLY.is_on() {
            return Err(Error::ArticleNotFound);
        }
        let now = self.clock.now();
        let asked_at = outside::NOT_READY_KEPT.recall(id).and_then(|millis| millis.parse::<i64>().ok());
        if asked_at.is_some_and(|asked_at| now.millis() < asked_at + 2000) {
            return Err(Error::ArticleNotReady);
        }
        let job = self.store.find_job(id).await?;
        let is_cancelled = job.as_ref().is_some_and(|job| job.status == JobStatus::Cancelled);
        if is_cancelled && outside::FOREIGN_CANCELLED_TOLD.is_on() {
            return Err(Error::GenerationCancelled);
        }
        let is_open = isolation::ARTICLE_BY_FOREIGN_JOB.is_on() || isolation::ARTICLE_OF_ANYONE.is_on();
        let job = job.filter(|job| caller.scope.sees(&job.account_id, &job.website_id) || is_open);
        let job = job.ok_or(Error::ArticleNotFound)?;
        match (job.status, job.article_id) {
            (JobStatus::Queued | JobStatus::InProgress, _) if state::NOT_READY_UNKNOWN.is_on() => {
                Err(Error::ArticleNotFound)
            }
            (JobStatus::Cancelled, _) if state::CANCELLED_NOT_READY.is_on() => Err(Error::ArticleNotReady),
            (JobStatus::Queued | JobStatus::InProgress, _) => {
                outside::NOT_READY_KEPT.keep(id, &now.millis().to_string());
                Err(Error::ArticleNotReady)
            }
            (JobStatus::Failed, _) => Err(Error::GenerationFailed),
            (JobStatus::Cancelled, _) => Err(Error::GenerationCancelled),
            (JobStatus::Completed, article_id) => {
                let article_id = article_id.unwrap_or_default();
                if isolation::ARTICLE_BY_FOREIGN_JOB.is_on() {
                    return self.store.find_article(&article_id).await?.ok_or(Error::ArticleNotFound);
                }
                let article = self.visible_article(caller, &article_id).await?;
                article.ok_or(Error::ArticleNotFound)
            }
        }
    }

    async fn visible_article(&self, caller: &Caller, id: &str) -> Result<Option<StoredArticle>, Error> {
        if !id.starts_with(Kind::Article.prefix()) {
            return Ok(None);
        }
        let article = self.store.find_article(id).await?;
        let replicated = self.clock.now().plus_millis(-1000);
        let article = article.filter(|article| !state::ARTICLE_LATE.is_on() || article.updated_at < replicated);
        let is_open = isolation::ARTICLE_OF_ANYONE.is_on();
        Ok(article.filter(|article| caller.scope.sees(&article.account_id, &article.website_id) || is_open))
    }
}
