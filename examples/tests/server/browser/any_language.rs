//! A writer for pages in languages that the offline writer does not support.

use async_trait::async_trait;
use contentgen_server_stub::domain::voice::{SupportedLanguage, VoiceReport};
use contentgen_server_stub::generation::{
    ArticleBrief, ArticleDraft, ArticleGenerator, GenerationError, OfflineWriter,
};

/// Offline writer that writes English if the requested language is not supported. A real writer must not do that, but the tests of the
/// pages need only the language tag.
#[derive(Debug)]
pub(super) struct AnyLanguage;

fn known(brief: &ArticleBrief) -> ArticleBrief {
    let language = SupportedLanguage::of(&brief.language).map_or_else(|| "en".to_owned(), |_| brief.language.clone());
    ArticleBrief { language, ..brief.clone() }
}

#[async_trait]
impl ArticleGenerator for AnyLanguage {
    fn name(&self) -> String {
        OfflineWriter.name()
    }

    async fn draft(&self, brief: &ArticleBrief) -> Result<ArticleDraft, GenerationError> {
        OfflineWriter.draft(&known(brief)).await
    }

    async fn revise(
        &self,
        brief: &ArticleBrief,
        draft: &ArticleDraft,
        report: &VoiceReport,
        repair: u32,
    ) -> Result<ArticleDraft, GenerationError> {
        OfflineWriter.revise(&known(brief), draft, report, repair).await
    }
}
