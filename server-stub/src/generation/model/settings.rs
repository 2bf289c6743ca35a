//! Which model writes, where it is asked, and how much it may take. The command line that says so is in `config`.

use std::time::Duration;

use crate::domain::error_chain::ErrorChain;
use crate::domain::language_model::ModelKey;
use crate::domain::language_model::ModelPrices;

use super::base_url::BaseUrl;
use super::provider::Provider;

/// Everything that a model writer has to know.
#[derive(Debug, Clone)]
pub struct ModelSettings {
    /// Which API the endpoint has.
    pub provider: Provider,
    /// Where the endpoint is.
    pub base_url: BaseUrl,
    /// The model's name, 1 to [`Self::MAX_MODEL_CHARS`] characters.
    pub model: String,
    /// What the endpoint knows us by; many on one's own machine ask for none.
    pub key: Option<ModelKey>,
    /// How long a request may take, the body of the response included.
    pub timeout: Duration,
    /// Most tokens of a response.
    pub max_output_tokens: u32,
    /// What tokens cost, if that is to be counted.
    pub prices: Option<ModelPrices>,
    /// The pause before a request is sent again where the endpoint names none. It doubles every time.
    pub first_pause: Duration,
}

impl ModelSettings {
    /// Longest name of a model.
    pub const MAX_MODEL_CHARS: usize = 200;
    /// How long a request may take unless told otherwise.
    pub const TIMEOUT: Duration = Duration::from_mins(2);
    /// Most tokens of a response unless told otherwise: 5000 words with everything around them, twice.
    pub const MAX_OUTPUT_TOKENS: u32 = 16_384;
    /// The pause before the second try.
    const FIRST_PAUSE: Duration = Duration::from_secs(1);

    /// The usual limits, no key and no prices.
    pub fn new(provider: Provider, base_url: BaseUrl, model: impl Into<String>) -> Self {
        Self {
            provider,
            base_url,
            model: model.into(),
            key: None,
            timeout: Self::TIMEOUT,
            max_output_tokens: Self::MAX_OUTPUT_TOKENS,
            prices: None,
            first_pause: Self::FIRST_PAUSE,
        }
    }

    /// What the article's `generator` says.
    pub fn writer_name(&self) -> String {
        format!("llm:{}/{}", self.provider.as_str(), self.model)
    }
}

/// Why a model writer cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum SetUpError {
    /// No model, or a name that is too long.
    #[error("the name of the model must have 1 to {} characters", ModelSettings::MAX_MODEL_CHARS)]
    Model,
    /// The HTTP client cannot be made.
    #[error("cannot set up the HTTPS client ({0}); install the system's root certificates")]
    Client(String),
}

impl SetUpError {
    pub(super) fn client(error: &reqwest::Error) -> Self {
        Self::Client(ErrorChain(error).to_string())
    }
}
