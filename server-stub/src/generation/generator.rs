//! What a generator gets and gives; how a draft becomes an article is in `assemble`.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::domain::voice::{BrandVoice, VoiceReport};
use crate::domain::written_article::{FaqEntry, InternalLink};

use super::usage_meter::UsageMeter;

/// Writes drafts. What can be derived from a draft is derived by the server, so that no generator can invent it.
#[async_trait]
pub trait ArticleGenerator: Debug + Send + Sync {
    /// What the article's `generator` member says: `offline`, or `llm:<provider>/<model>`.
    fn name(&self) -> String;

    /// Writes a first draft.
    async fn draft(&self, brief: &ArticleBrief) -> Result<ArticleDraft, GenerationError>;

    /// Writes the draft again, so that the checks that `report` shows as failed pass; `repair` counts from 1.
    async fn revise(
        &self,
        brief: &ArticleBrief,
        draft: &ArticleDraft,
        report: &VoiceReport,
        repair: u32,
    ) -> Result<ArticleDraft, GenerationError>;

    /// The same writer for one article, which adds to `meter` what it uses of a language model. `None`: it uses none.
    fn metered(&self, meter: &UsageMeter) -> Option<Arc<dyn ArticleGenerator>> {
        let _ = meter;
        None
    }
}

/// Everything a generator may know about what is wanted.
#[derive(Debug, Clone, PartialEq)]
pub struct ArticleBrief {
    /// Free text, 1 to 1000 characters; untrusted.
    pub topic: String,
    /// BCP 47 tag, echoed by the article.
    pub language: String,
    /// 0 to 10 phrases that the text must contain; untrusted.
    pub keywords: Vec<String>,
    /// 200 to 5000 words.
    pub target_word_count: u32,
    /// The caller's own labels; they do not influence the text.
    pub metadata: Option<BTreeMap<String, String>>,
    /// Where the article will stand.
    pub website: BriefWebsite,
    /// The Brand DNA profile to keep.
    pub voice: BrandVoice,
    /// Published articles of the same website, newest first: all that may be linked to.
    pub published: Vec<InternalLink>,
}

/// The website of a brief.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BriefWebsite {
    /// Opaque id.
    pub website_id: String,
    /// Its name, as readers know it.
    pub name: String,
    /// Its base address.
    pub url: String,
}

/// What a generator writes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ArticleDraft {
    /// Plain text, 1 to 110 characters.
    pub title: String,
    /// Plain text, at most 300 characters.
    pub excerpt: String,
    /// Plain text, 50 to 160 characters.
    pub meta_description: String,
    /// The body; a first section without heading is the introduction.
    pub sections: Vec<DraftSection>,
    /// 0 to 10 questions with answers.
    pub faq: Vec<FaqEntry>,
    /// 0 to 10 search phrases.
    pub keywords: Vec<String>,
    /// 0 to 10 short labels.
    pub tags: Vec<String>,
    /// Alternative text for a picture, at most 125 characters.
    pub hero_alt: String,
}

/// One section of the body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct DraftSection {
    /// Plain text; empty for the introduction.
    pub heading: String,
    /// 2 to 4.
    pub level: u8,
    /// `CommonMark` with tables.
    pub markdown: String,
}

/// Why a job failed, as `Job.error.code` names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureCode {
    /// The generator could not be reached.
    GeneratorUnavailable,
    /// The generator took too long.
    GenerationTimeout,
    /// A bug of this program.
    Internal,
    /// The generator refused the topic.
    ContentRejected,
    /// No text about this topic keeps the profile.
    VoiceUnsatisfiable,
    /// The generator does not write the ordered language.
    LanguageNotSupported,
}

impl FailureCode {
    /// The code in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::GeneratorUnavailable => "generator_unavailable",
            Self::GenerationTimeout => "generation_timeout",
            Self::Internal => "internal",
            Self::ContentRejected => "content_rejected",
            Self::VoiceUnsatisfiable => "voice_unsatisfiable",
            Self::LanguageNotSupported => "language_not_supported",
        }
    }

    /// Whether another attempt may succeed.
    pub fn is_retryable(self) -> bool {
        match self {
            Self::GeneratorUnavailable | Self::GenerationTimeout | Self::Internal => true,
            Self::ContentRejected | Self::VoiceUnsatisfiable | Self::LanguageNotSupported => false,
        }
    }
}

/// A failure of generation, told in words for the caller who ordered the article.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct GenerationError {
    /// Which kind.
    pub code: FailureCode,
    /// One sentence; contains no secret.
    pub message: String,
    /// Whether somebody has to change something first: the job is not tried again by itself.
    pub needs_repair: bool,
}

impl GenerationError {
    /// A failure of the given kind.
    pub fn new(code: FailureCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), needs_repair: false }
    }

    /// The same failure, which another attempt does not end before somebody has changed something.
    #[must_use]
    pub fn until_repaired(self) -> Self {
        Self { needs_repair: true, ..self }
    }

    /// Whether the same order may succeed later.
    pub fn retryable(&self) -> bool {
        self.code.is_retryable()
    }
}
