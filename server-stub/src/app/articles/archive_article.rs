//! Taking an article down, and making a draft of it again.

use super::super::error::Error;
use super::super::service::App;
use crate::domain::account::Scope;
use crate::domain::audit::Action;

impl App {
    /// Takes an article down from its website; what waits to be published is cancelled. `false` if it is down already, or is being
    /// published at this moment.
    pub async fn archive_article(&self, scope: &Scope, article_id: &str) -> Result<bool, Error> {
        let article = self.article(scope, article_id).await?;
        let change = (Action::ArticleArchived, Some(article.id.as_str()));
        let store = self.audited(&scope.account_id, change, Some(&article.content.title));
        Ok(store.archive_article(&article.id, self.clock.wall()).await?)
    }

    /// Makes a draft of an article that was taken down. `false` if it was not.
    pub async fn restore_article(&self, scope: &Scope, article_id: &str) -> Result<bool, Error> {
        let article = self.article(scope, article_id).await?;
        let change = (Action::ArticleRestored, Some(article.id.as_str()));
        let store = self.audited(&scope.account_id, change, Some(&article.content.title));
        Ok(store.restore_article(&article.id, self.clock.wall()).await?)
    }
}
