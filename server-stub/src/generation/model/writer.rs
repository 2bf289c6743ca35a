//! The generator: a conversation with a model about one article. Each response is parsed, and claims without a source are removed
//! before the draft is used.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;

use crate::domain::randomness::Randomness;
use crate::domain::voice::VoiceReport;
use crate::generation::UsageMeter;
use crate::generation::generator::{ArticleBrief, ArticleDraft, ArticleGenerator, GenerationError};

use super::check::{self, CheckLine};
use super::draft_reading::{Unreadable, read_draft};
use super::endpoint::Endpoint;
use super::failure::ModelFailure;
use super::fitting::fit;
use super::grounding::{Removal, ground};
use super::prompt::{self, Delimiters};
use super::providers::Message;
use super::reply::Ending;
use super::schema;
use super::settings::{ModelSettings, SetUpError};
use super::transport::Transport;

/// Maximum number of replies per draft. A reply may take several requests.
const MAX_ANSWERS: u32 = 2;
/// Maximum number of characters of a response that are sent back to the model.
const MAX_SHOWN_CHARS: usize = 2000;

/// Writes articles by asking a language model.
#[derive(Debug, Clone)]
pub struct ModelWriter {
    endpoint: Arc<Endpoint>,
    randomness: Arc<dyn Randomness>,
    meter: UsageMeter,
    /// Claims removed from the last draft, separate for each article.
    removed: Arc<Mutex<Vec<Removal>>>,
}

impl ModelWriter {
    /// Creates a writer with these settings. `randomness` creates the delimiters around untrusted texts.
    pub fn new(settings: ModelSettings, randomness: Arc<dyn Randomness>) -> Result<Self, SetUpError> {
        if !(1..=ModelSettings::MAX_MODEL_CHARS).contains(&settings.model.chars().count()) {
            return Err(SetUpError::Model);
        }
        let transport = Transport::new(&settings, Arc::clone(&randomness))?;
        let endpoint = Arc::new(Endpoint::new(settings, transport));
        Ok(Self { endpoint, randomness, meter: UsageMeter::default(), removed: Arc::default() })
    }

    /// Lists the models, asks for one word, and returns the result of each step.
    pub async fn check(&self) -> Vec<CheckLine> {
        check::check(&self.endpoint).await
    }

    /// Asks until a reply contains a draft, at most [`MAX_ANSWERS`] times.
    async fn draft_from(
        &self,
        brief: &ArticleBrief,
        delimiters: &Delimiters,
        mut messages: Vec<Message>,
    ) -> Result<ArticleDraft, GenerationError> {
        let system = prompt::system(&brief.voice, delimiters);
        let mut failure = ModelFailure::NoArticle;
        for _ in 0..MAX_ANSWERS {
            let asked = self.endpoint.ask(&system, &messages, &schema::DRAFT, &self.meter).await;
            let reply = asked.map_err(|failure| self.told(failure))?.reply;
            let was_cut_off = reply.ending == Ending::CutOff;
            match read_draft(&reply.texts, was_cut_off) {
                // A complete draft is accepted, whatever follows it.
                Ok(draft) => return Ok(self.cleaned(brief, draft)),
                Err(Unreadable::Refusal) => return Err(self.told(ModelFailure::Refused)),
                Err(Unreadable::NoDraft) => {
                    failure = if was_cut_off { ModelFailure::CutOff } else { ModelFailure::NoArticle };
                }
            }
            // APIs do not accept empty messages.
            let shown = reply.texts.first().map_or("{}", |text| super::text::cut(text, MAX_SHOWN_CHARS));
            messages.push(Message::assistant(shown));
            messages.push(Message::user(prompt::again(was_cut_off)));
        }
        Err(self.told(failure))
    }

    /// Removes claims without a source from the draft and fits it to the requested shape.
    fn cleaned(&self, brief: &ArticleBrief, draft: ArticleDraft) -> ArticleDraft {
        let grounded = ground(brief, draft);
        *self.removed.lock().unwrap_or_else(PoisonError::into_inner) = grounded.removed;
        fit(brief, grounded.draft)
    }

    /// Logs details of the failure that the job's caller does not need.
    fn told(&self, failure: ModelFailure) -> GenerationError {
        let writer = self.name();
        tracing::warn!(%writer, status = failure.status(), reason = %failure, advice = failure.advice(), "the language model returned no draft");
        failure.into()
    }
}

#[async_trait]
impl ArticleGenerator for ModelWriter {
    fn name(&self) -> String {
        self.endpoint.settings.writer_name()
    }

    async fn draft(&self, brief: &ArticleBrief) -> Result<ArticleDraft, GenerationError> {
        let delimiters = Delimiters::new(&*self.randomness);
        let order = Message::user(prompt::user(brief, &delimiters));
        self.draft_from(brief, &delimiters, vec![order]).await
    }

    async fn revise(
        &self,
        brief: &ArticleBrief,
        draft: &ArticleDraft,
        report: &VoiceReport,
        _: u32,
    ) -> Result<ArticleDraft, GenerationError> {
        let delimiters = Delimiters::new(&*self.randomness);
        let removed = self.removed.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let written = serde_json::to_string(draft).expect("a draft is texts and lists");
        let messages = vec![
            Message::user(prompt::user(brief, &delimiters)),
            Message::assistant(written),
            Message::user(prompt::repair(report, &removed, &delimiters)),
        ];
        self.draft_from(brief, &delimiters, messages).await
    }

    fn metered(&self, meter: &UsageMeter) -> Option<Arc<dyn ArticleGenerator>> {
        Some(Arc::new(Self { meter: meter.clone(), removed: Arc::default(), ..self.clone() }))
    }
}
