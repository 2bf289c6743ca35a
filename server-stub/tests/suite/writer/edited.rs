//! The offline writer with a change, for rules that hold for every writer.

use async_trait::async_trait;
use contentgen_server_stub::domain::voice::VoiceReport;
use contentgen_server_stub::generation::{
    ArticleBrief, ArticleDraft, ArticleGenerator, GenerationError, OfflineWriter,
};

/// Changes the brief before the offline writer reads it, and its draft afterwards.
#[derive(Debug)]
pub(crate) struct EditedWriter {
    pub(crate) order: fn(&mut ArticleBrief),
    pub(crate) draft: fn(&ArticleBrief, &mut ArticleDraft),
}

impl EditedWriter {
    /// Adds a paragraph to the end.
    pub(crate) fn adding(paragraph: &str, draft: &mut ArticleDraft) {
        let last = draft.sections.last_mut().unwrap();
        last.markdown = format!("{}\n\n{paragraph}", last.markdown);
    }
}

#[async_trait]
impl ArticleGenerator for EditedWriter {
    fn name(&self) -> String {
        "edited".to_owned()
    }

    async fn draft(&self, brief: &ArticleBrief) -> Result<ArticleDraft, GenerationError> {
        let mut order = brief.clone();
        (self.order)(&mut order);
        let mut draft = OfflineWriter.draft(&order).await?;
        (self.draft)(&order, &mut draft);
        Ok(draft)
    }

    async fn revise(
        &self,
        _: &ArticleBrief,
        draft: &ArticleDraft,
        _: &VoiceReport,
        _: u32,
    ) -> Result<ArticleDraft, GenerationError> {
        Ok(draft.clone())
    }
}
