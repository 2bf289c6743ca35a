//! The offline writer with a script that the topic selects.

use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use contentgen_server_stub::domain::voice::VoiceReport;
use contentgen_server_stub::generation::{
    ArticleBrief, ArticleDraft, ArticleGenerator, FailureCode, GenerationError, OfflineWriter,
};
use tokio::sync::{Notify, Semaphore};

/// Topics with a script: `unavailable once`, `rejected`, `panics once`, `waits`. Any other topic is written at once.
#[derive(Debug)]
pub(crate) struct Scripted {
    writer: OfflineWriter,
    pub(crate) drafts: AtomicUsize,
    /// Notified when a waiting topic begins.
    pub(crate) begun: Notify,
    /// Each permit lets one waiting topic continue.
    pub(crate) goes_on: Semaphore,
}

impl Scripted {
    pub(crate) fn new() -> Self {
        Self { writer: OfflineWriter, drafts: AtomicUsize::new(0), begun: Notify::new(), goes_on: Semaphore::new(0) }
    }
}

#[async_trait]
impl ArticleGenerator for Scripted {
    fn name(&self) -> String {
        self.writer.name()
    }

    async fn draft(&self, brief: &ArticleBrief) -> Result<ArticleDraft, GenerationError> {
        let is_first = self.drafts.fetch_add(1, Ordering::SeqCst) == 0;
        match brief.topic.as_str() {
            "unavailable once" if is_first => {
                return Err(GenerationError::new(FailureCode::GeneratorUnavailable, "The generator is away."));
            }
            "rejected" => return Err(GenerationError::new(FailureCode::ContentRejected, "Not about that.")),
            "panics once" if is_first => panic!("this panic is part of the test"),
            "waits" => {
                self.begun.notify_one();
                self.goes_on.acquire().await.unwrap().forget();
            }
            _ => {}
        }
        self.writer.draft(brief).await
    }

    async fn revise(
        &self,
        brief: &ArticleBrief,
        draft: &ArticleDraft,
        report: &VoiceReport,
        repair: u32,
    ) -> Result<ArticleDraft, GenerationError> {
        self.writer.revise(brief, draft, report, repair).await
    }
}
