//! Shows an article in any state on the hosted site to a reader with a preview token. `site` renders it.

use super::super::error::Error;
use super::super::service::App;
use crate::domain::account::Website;
use crate::domain::article::{Article, hosted_path};
use crate::domain::store;

impl App {
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
        let stored = self.store.find_article(&article_id).await?.ok_or(Error::NoSuchPage)?;
        let article: Article =
            serde_json::from_slice(&stored.body).map_err(|error| Error::Store(store::Error::Broken(error.into())))?;
        if article.website_id != website_id || article.content.slug != slug {
            return Err(Error::NoSuchPage);
        }
        let website = self.store.find_website(website_id).await?.ok_or(Error::NoSuchPage)?;
        Ok((website, article))
    }
}
