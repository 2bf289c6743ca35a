//! The interface of generators: the brief, the draft, the errors and the meter of usage. `assemble` turns a draft into an article.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::domain::language_model::ModelUsage;
use crate::domain::voice::{BrandVoice, VoiceReport};
use crate::domain::written_article::{FaqEntry, InternalLink};

/// Writes drafts. The server derives everything that can be derived from a draft, so that a generator cannot invent it.
#[async_trait]
pub trait ArticleGenerator: Debug + Send + Sync {
    /// Returns the article's `generator` field: `offline`, or `llm:<provider>/<model>`.
    fn name(&self) -> String;

    /// Writes a first draft.
    async fn draft(&self, brief: &ArticleBrief) -> Result<ArticleDraft, GenerationError>;

    /// Writes the draft again, so that the checks that failed in `report` pass. `repair` counts from 1.
    async fn revise(
        &self,
        brief: &ArticleBrief,
        draft: &ArticleDraft,
        report: &VoiceReport,
        repair: u32,
    ) -> Result<ArticleDraft, GenerationError>;

    /// Returns the same generator for one article, which adds its language model usage to `meter`. `None` if it uses no model.
    fn metered(&self, meter: &UsageMeter) -> Option<Arc<dyn ArticleGenerator>> {
        let _ = meter;
        None
    }
}

/// Counter of the language model usage of one article. The generator adds to it. The worker reads and stores it, even if the article
/// fails.
#[derive(Debug, Clone, Default)]
pub struct UsageMeter(Arc<Mutex<Counted>>);

#[derive(Debug, Default)]
struct Counted {
    /// Number and usage of the last report; empty once it is stored.
    report: (u32, ModelUsage),
    /// Usage since then.
    next: ModelUsage,
}

impl UsageMeter {
    /// Adds usage.
    pub fn add(&self, usage: &ModelUsage) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).next.add(usage);
    }

    /// Returns number and usage of the report to store. Returns the same report until [`UsageMeter::note_stored`]: an
    /// attempt to store it may have been committed without a response.
    #[must_use]
    pub fn report(&self) -> (u32, ModelUsage) {
        let Counted { report, next } = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if report.1.is_empty() {
            *report = (report.0 + 1, std::mem::take(next));
        }
        report.clone()
    }

    /// Notes that the last report is stored.
    pub fn note_stored(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).report.1 = ModelUsage::default();
    }
}

/// Input of a generator.
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
    /// The caller's labels. They do not influence the text.
    pub metadata: Option<BTreeMap<String, String>>,
    /// Website of the article.
    pub website: BriefWebsite,
    /// Brand DNA profile that the article must satisfy.
    pub voice: BrandVoice,
    /// Published articles of the same website, newest first. The article may link only to these.
    pub published: Vec<InternalLink>,
}

/// The website of a brief.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BriefWebsite {
    /// Id of the website.
    pub website_id: String,
    /// Name of the website, as readers see it.
    pub name: String,
    /// Base address of the website.
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

/// Reason why a job failed, as in `Job.error.code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureCode {
    /// The generator is unreachable.
    GeneratorUnavailable,
    /// The generator took too long.
    GenerationTimeout,
    /// A bug in this program.
    Internal,
    /// The generator refused the topic.
    ContentRejected,
    /// No text about this topic can satisfy the profile.
    VoiceUnsatisfiable,
    /// The generator does not write the requested language.
    LanguageNotSupported,
}

impl FailureCode {
    /// Returns the code in the API.
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

    /// Returns true if another attempt may succeed.
    pub fn is_retryable(self) -> bool {
        match self {
            Self::GeneratorUnavailable | Self::GenerationTimeout | Self::Internal => true,
            Self::ContentRejected | Self::VoiceUnsatisfiable | Self::LanguageNotSupported => false,
        }
    }
}

/// Error of generation, with a message for the caller who requested the article.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct GenerationError {
    /// Kind of the error.
    pub code: FailureCode,
    /// One sentence for the caller. Contains no secret.
    pub message: String,
    /// True if the operator must change something first. The job is then not retried automatically.
    pub needs_repair: bool,
}

impl GenerationError {
    /// Creates an error of the given kind.
    pub fn new(code: FailureCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), needs_repair: false }
    }

    /// Returns the same error, marked so that the job is not retried until the operator has changed something.
    #[must_use]
    pub fn until_repaired(self) -> Self {
        Self { needs_repair: true, ..self }
    }
}
