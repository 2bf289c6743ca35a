//! The providers and the differences between them.

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use crate::domain::language_model::ModelKey;

use super::super::base_url::BaseUrl;
use super::super::reply::Reply;
use super::super::request_form::{RequestForm, TokenLimit};
use super::request::Request;
use super::{anthropic, openai};

/// API of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provider {
    /// Chat completions of OpenAI, also of Azure, Ollama, vLLM and many others below `/v1`.
    OpenAi,
    /// Messages of Anthropic.
    Anthropic,
}

impl Provider {
    /// Returns the name in options and in an article's `generator`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
        }
    }

    /// Returns the URL of the provider's own endpoint.
    pub fn default_url(self) -> BaseUrl {
        let url = match self {
            Self::OpenAi => "https://api.openai.com/v1",
            Self::Anthropic => "https://api.anthropic.com/v1",
        };
        url.parse().expect("the default URL is valid")
    }

    /// Returns the path of the call that writes, below the base URL.
    pub(in super::super) const fn call(self) -> &'static str {
        match self {
            Self::OpenAi => "chat/completions",
            Self::Anthropic => "messages",
        }
    }

    /// Returns the headers for authentication and API version.
    pub(in super::super) fn headers(self, url: &BaseUrl, key: Option<&ModelKey>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        let secret = |text: String| {
            let mut value = HeaderValue::try_from(text).expect("a key has no characters that headers have not");
            value.set_sensitive(true);
            value
        };
        match self {
            Self::OpenAi if url.is_azure() => {
                let name = HeaderName::from_static("api-key");
                headers.extend(key.map(|key| (name, secret(key.reveal().to_owned()))));
            }
            Self::OpenAi => {
                headers.extend(key.map(|key| (AUTHORIZATION, secret(format!("Bearer {}", key.reveal())))));
            }
            Self::Anthropic => {
                let version = HeaderName::from_static("anthropic-version");
                headers.insert(version, HeaderValue::from_static(anthropic::VERSION));
                let name = HeaderName::from_static("x-api-key");
                headers.extend(key.map(|key| (name, secret(key.reveal().to_owned()))));
            }
        }
        headers
    }

    /// Returns the form of requests that an endpoint at `url` probably accepts.
    pub(in super::super) fn first_form(self, url: &BaseUrl, max_tokens: u32) -> RequestForm {
        let is_openai = self == Self::OpenAi && url.host() == "api.openai.com";
        RequestForm::new(if is_openai { TokenLimit::MaxCompletionTokens } else { TokenLimit::MaxTokens }, max_tokens)
    }

    /// Returns the body of a request.
    pub(in super::super) fn body(self, request: &Request<'_>, form: RequestForm) -> Value {
        match self {
            Self::OpenAi => openai::body(request, form),
            Self::Anthropic => anthropic::body(request, form),
        }
    }

    /// Reads a response that is one JSON object; `None` if it is not a response of this API.
    pub(in super::super) fn reply(self, body: &Value) -> Option<Reply> {
        match self {
            Self::OpenAi => openai::reply(body),
            Self::Anthropic => anthropic::reply(body),
        }
    }

    /// Joins the events of a streamed response into one object, equal to the response without streaming.
    pub(in super::super) fn joined_events(self, events: &[Value]) -> Option<Value> {
        match self {
            Self::OpenAi => openai::joined_events(events),
            Self::Anthropic => anthropic::joined_events(events),
        }
    }
}
