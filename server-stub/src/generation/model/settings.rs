//! Settings of the model writer: model, endpoint and limits. `config` parses them from the command line.

use std::time::Duration;

use crate::domain::error_chain::ErrorChain;
use crate::domain::language_model::ModelKey;
use crate::domain::language_model::ModelPrices;

use super::base_url::BaseUrl;
use super::providers::Provider;
use super::proxy::ModelProxy;

/// Settings of a model writer.
#[derive(Debug, Clone)]
pub struct ModelSettings {
    /// API of the endpoint.
    pub provider: Provider,
    /// Base URL of the endpoint.
    pub base_url: BaseUrl,
    /// Name of the model, 1 to [`Self::MAX_MODEL_CHARS`] characters.
    pub model: String,
    /// API key of the endpoint. Many local endpoints need none.
    pub key: Option<ModelKey>,
    /// HTTP proxy for all requests. Proxies of the environment are not used.
    pub proxy: Option<ModelProxy>,
    /// Maximum time in which nothing of a response arrives. A whole response may take up to [`Self::MAX_DURATION`].
    pub timeout: Duration,
    /// Maximum number of tokens of a response.
    pub max_output_tokens: u32,
    /// Prices of tokens, if costs are to be counted.
    pub prices: Option<ModelPrices>,
    /// Pause before the first retry if the endpoint names none. It doubles with every retry.
    pub first_pause: Duration,
}

impl ModelSettings {
    /// Maximum length of a model's name, in characters.
    pub const MAX_MODEL_CHARS: usize = 200;
    /// Default time limit between two parts of a response.
    pub const TIMEOUT: Duration = Duration::from_mins(2);
    /// Time limit of a request with its response. A job takes no longer.
    pub const MAX_DURATION: Duration = Duration::from_mins(Self::MAX_MINUTES);
    pub(super) const MAX_MINUTES: u64 = 15;
    /// Default maximum number of tokens of a response: twice as many as 5000 words and their metadata need.
    pub const MAX_OUTPUT_TOKENS: u32 = 16_384;
    /// Default pause before the second attempt.
    const FIRST_PAUSE: Duration = Duration::from_secs(1);

    /// Creates settings with the default limits, no key and no prices.
    pub fn new(provider: Provider, base_url: BaseUrl, model: impl Into<String>) -> Self {
        Self {
            provider,
            base_url,
            model: model.into(),
            key: None,
            proxy: None,
            timeout: Self::TIMEOUT,
            max_output_tokens: Self::MAX_OUTPUT_TOKENS,
            prices: None,
            first_pause: Self::FIRST_PAUSE,
        }
    }

    /// Returns the article's `generator` field.
    pub fn writer_name(&self) -> String {
        format!("llm:{}/{}", self.provider.as_str(), self.model)
    }
}

/// Reason why a model writer cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum SetUpError {
    /// The model's name is missing or too long.
    #[error("the name of the model must have 1 to {} characters", ModelSettings::MAX_MODEL_CHARS)]
    Model,
    /// The HTTP client cannot be created.
    #[error("cannot set up the HTTPS client ({0}); install the system's root certificates")]
    Client(String),
}

impl SetUpError {
    pub(super) fn client(error: &reqwest::Error) -> Self {
        Self::Client(ErrorChain(error).to_string())
    }
}
