//! Writes the article of a claimed job: builds its brief and runs the generator in a thread. `runner` stores the article.

use std::sync::Arc;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::domain::article::{ArticleStatus, ArticleSummary};
use crate::domain::store::{ArticleFilter, ClaimedJob, PageRequest, Result};
use crate::domain::visibility::Visibility;
use crate::domain::written_article::{InternalLink, WrittenArticle};
use crate::failpoints;
use crate::generation::{ArticleBrief, BriefWebsite, FailureCode, GenerationError, UsageMeter, write_article};
use crate::queue::retry;

use super::capacity::Slot;
use super::runner::JobRunner;

/// Maximum number of published articles that the brief offers as links.
const MAX_LINK_CANDIDATES: u32 = 20;

/// Outcome of writing.
pub(super) type Outcome = Result<Box<WrittenArticle>, GenerationError>;

impl JobRunner {
    /// Writes the article of a claimed job while holding its slot. Adds the model usage to `meter`.
    pub(super) async fn write(&self, claimed: &ClaimedJob, slot: Slot, meter: &UsageMeter) -> Outcome {
        // Database errors do not fail a job: retry as long as the lease is renewed.
        let brief = retry(&claimed.job.id, "cannot read what a job needs", || self.brief(claimed)).await;
        let generator = self.generator.metered(meter).unwrap_or_else(|| Arc::clone(&self.generator));
        let runtime = tokio::runtime::Handle::current();
        // When this future is dropped, the article is no longer needed, and the guard cancels the writing.
        let given_up = CancellationToken::new();
        let _give_up_on_drop = given_up.clone().drop_guard();
        let began = Instant::now();
        // Writing computes for milliseconds, which would block the request threads, or waits for a model. A separate thread suits
        // both.
        let written = tokio::task::spawn_blocking(move || {
            let _slot = slot;
            failpoints::delay_writing();
            let writing = given_up.run_until_cancelled(write_article(generator.as_ref(), &brief));
            runtime.block_on(writing)
        });
        let stopped = || GenerationError::new(FailureCode::Internal, "The generator stopped unexpectedly.");
        let article = written.await.ok().flatten().ok_or_else(stopped)??;
        self.metrics.article_written(began.elapsed());
        Ok(Box::new(article))
    }

    async fn brief(&self, claimed: &ClaimedJob) -> Result<ArticleBrief> {
        let ClaimedJob { job, website, voice, .. } = claimed;
        let visibility = Visibility { account_id: job.account_id.clone(), website_ids: None };
        let filter = ArticleFilter {
            website_id: Some(job.website_id.clone()),
            status: Some(ArticleStatus::Published),
            ..ArticleFilter::default()
        };
        let published = self
            .store
            .list_articles(&visibility, &filter, &PageRequest { after: None, limit: MAX_LINK_CANDIDATES })
            .await?;
        let linkable =
            |article: ArticleSummary| article.url.map(|url| InternalLink { url, anchor_text: article.title });
        Ok(ArticleBrief {
            topic: job.request.topic.clone(),
            language: job.request.language.clone(),
            keywords: job.request.keywords.clone(),
            target_word_count: job.request.target_word_count,
            metadata: Some(job.request.metadata.clone()),
            website: BriefWebsite {
                website_id: website.website_id.clone(),
                name: website.name.clone(),
                url: website.url.clone(),
            },
            voice: voice.clone(),
            published: published.into_iter().filter_map(linkable).collect(),
        })
    }
}
