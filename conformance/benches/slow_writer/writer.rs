//! A writer that takes its time.

use std::time::Duration;

use async_trait::async_trait;
use contentgen_server_stub::domain::voice::VoiceReport;
use contentgen_server_stub::generation::{
    ArticleBrief, ArticleDraft, ArticleGenerator, GenerationError, OfflineWriter,
};

/// Writes what the offline writer writes, later.
#[derive(Debug)]
pub(crate) struct SlowWriter {
    /// How long an article takes.
    pub(crate) takes: Duration,
}

#[async_trait]
impl ArticleGenerator for SlowWriter {
    fn name(&self) -> String {
        "slow".to_owned()
    }

    async fn draft(&self, brief: &ArticleBrief) -> Result<ArticleDraft, GenerationError> {
        tokio::time::sleep(self.takes).await;
        OfflineWriter.draft(brief).await
    }

    async fn revise(
        &self,
        brief: &ArticleBrief,
        draft: &ArticleDraft,
        report: &VoiceReport,
        attempt: u32,
    ) -> Result<ArticleDraft, GenerationError> {
        OfflineWriter.revise(brief, draft, report, attempt).await
    }
}
