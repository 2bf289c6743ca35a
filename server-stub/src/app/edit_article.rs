//! Lets users edit articles, before and after publication.

use super::{App, Busy, Error};
use crate::domain::article::{Article, EditRefusal};
use crate::domain::article_texts::{ArticleTexts, TextViolation};
use crate::domain::audit::Action;
use crate::domain::job::JobRequest;
use crate::domain::store::{self, UpdateState};
use crate::domain::visibility::Visibility;
use crate::domain::written_article::WrittenArticle;
use crate::generation::{assemble, brief};

/// Reason for refusing an edit.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    /// Some texts are outside their bounds.
    #[error("some texts are not valid")]
    Invalid(Vec<TextViolation>),
    /// The state of the article does not allow the edit.
    #[error(transparent)]
    Refused(EditRefusal),
    /// Too many texts wait to be checked.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The article is not found, or the store failed.
    #[error(transparent)]
    Request(#[from] Error),
}

impl From<store::Error> for EditError {
    fn from(error: store::Error) -> Self {
        Self::Request(error.into())
    }
}

impl App {
    /// Returns the content that the article would have with these texts, checked against the present voice of its website.
    pub async fn check_edit(
        &self,
        visibility: &Visibility,
        article: &Article,
        texts: ArticleTexts,
    ) -> Result<WrittenArticle, EditError> {
        let (website, voice) =
            self.store.find_website_with_voice(&article.website_id).await?.ok_or(Error::WebsiteNotFound)?;
        let job = self.store.find_job(article.job_id.as_deref().unwrap_or_default()).await?;
        let job = job.filter(|job| job.account_id == visibility.account_id);
        let request = job.map_or_else(|| request_of(article), |job| job.request);
        let mut brief = brief(&self.store, &request, &website, &voice).await?;
        brief.published.retain(|link| Some(&link.url) != article.url.as_ref());
        let former = article.content.clone();
        // Checking a long text takes milliseconds and would block the thread for other requests.
        let edited = self.text_checks.place()?.run(move || assemble::edited(&brief, &former, texts)).await;
        edited.map_err(EditError::Invalid)
    }

    /// Saves the texts of an article that was opened at version `opened` as its next version. Returns the stored version, which is
    /// the old one if nothing changed.
    pub async fn edit_article(
        &self,
        visibility: &Visibility,
        article_id: &str,
        opened: u32,
        texts: ArticleTexts,
    ) -> Result<u32, EditError> {
        let article = self.article(visibility, article_id).await?;
        let content = self.check_edit(visibility, &article, texts).await?;
        if article.version == opened && ArticleTexts::of(&content) == ArticleTexts::of(&article.content) {
            return Ok(opened);
        }
        let detail = format!("version {} of {}", opened.saturating_add(1), content.title);
        let store = self.audited(&visibility.account_id, (Action::ArticleEdited, Some(&article.id)), Some(&detail));
        let edit = (opened, content);
        let edited = store.edit_article(&visibility.account_id, &article.id, edit, self.clock.moment()).await?;
        edited.map_err(EditError::Refused)
    }

    /// Returns the state of an edit that the target of the website has not accepted yet, if any.
    pub async fn article_update(&self, article: &Article) -> Result<Option<UpdateState>, Error> {
        Ok(self.store.find_update(&article.id).await?)
    }

    /// Sends an edit again that the target did not accept. Returns false if no such edit exists.
    pub async fn resend_article(&self, visibility: &Visibility, article_id: &str) -> Result<bool, Error> {
        let article = self.article(visibility, article_id).await?;
        let change = (Action::ArticleResent, Some(article.id.as_str()));
        let store = self.audited(&visibility.account_id, change, Some(&article.content.title));
        Ok(store.retry_update(&article.id, self.clock.steady()).await?)
    }
}

/// Returns the request of an article whose job was purged, as far as the article shows it.
fn request_of(article: &Article) -> JobRequest {
    let WrittenArticle { topic, language, keywords, word_count, .. } = &article.content;
    JobRequest {
        topic: topic.clone(),
        language: language.clone(),
        keywords: keywords.clone(),
        target_word_count: *word_count,
        auto_publish: false,
        publish_at: None,
        metadata: article.metadata.clone(),
    }
}
