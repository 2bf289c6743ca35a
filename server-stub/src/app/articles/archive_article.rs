//! Archives articles and restores them as drafts.

use super::super::error::Error;
use super::super::service::App;
use crate::domain::account::Scope;
use crate::domain::audit::Action;

impl App {
    /// Removes an article from its website and cancels its pending posts. Returns false if it is archived already, or is being
    /// published at this moment.
    pub async fn archive_article(&self, scope: &Scope, article_id: &str) -> Result<bool, Error> {
        let article = self.article(scope, article_id).await?;
        let change = (Action::ArticleArchived, Some(article.id.as_str()));
        let store = self.audited(&scope.account_id, change, Some(&article.content.title));
        Ok(store.archive_article(&article.id, self.clock.wall()).await?)
    }

    /// Restores an archived article as a draft. Returns false if it was not archived.
    pub async fn restore_article(&self, scope: &Scope, article_id: &str) -> Result<bool, Error> {
        let article = self.article(scope, article_id).await?;
        let change = (Action::ArticleRestored, Some(article.id.as_str()));
        let store = self.audited(&scope.account_id, change, Some(&article.content.title));
        Ok(store.restore_article(&article.id, self.clock.wall()).await?)
    }
}
